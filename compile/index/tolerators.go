package index

import (
	"math"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// Tolerators says which classes of a [Pods] tolerate a taint. It is for callers that ask
// about the taints of many nodes: each taint is looked up once, and has a row from then
// on.
//
// Tolerators come from [Pods.Tolerators]; the zero Tolerators is not usable. One goroutine
// at a time may call its methods. Once the Pods change it must not be used any more: make
// another. It must not be copied. It retains the Pods, the snapshot, the strings of the
// taints, and some bytes for each of these; up to eight megabytes of words for taints that
// many classes tolerate; and a word for each toleration with Gt or Lt whose key was asked
// about.
type Tolerators struct {
	pods     *Pods
	snapshot *Snapshot
	rows     []tolerators
	byPair   [][hardEffects]TaintRow // of the taints of the snapshot, by key and value
	byTaint  map[taintKey]TaintRow   // of the others

	dense   map[sources]*bits.Set[PodClass]
	budget  int                  // how many more words of such sets may be kept
	ladders map[*bounded]*ladder // by the first bound of a list

	counts []FitCount
	gains  bits.Counters[PodClass] // besides those in counts
	losses bits.Counters[PodClass]
	left   uint32 // how many nodes can still be counted

	candidates         []PodClass // buffers
	fitting, both, set bits.Set[PodClass]
	steps              int
}

// TaintRow identifies a taint in the [Tolerators] that returned it, and in no other.
// Taints that differ only in their times have the same row. The zero TaintRow is shared
// by all taints without a hard effect, which keep no pod from a node. It is a number: it
// may be copied, and retains nothing.
type TaintRow uint32

// taintKey is a taint without its time.
type taintKey struct {
	key, value string
	effect     taint.Effect
}

// tolerators is the classes that tolerate a taint: those in the sources, and those with Gt
// or Lt whose bounds its value reaches.
type tolerators struct {
	taint    taint.Taint
	sources  sources
	reaches  []reach
	estimate int32 // how many candidates there are at most, or many, or uncounted
	asked    bool  // whether dense was asked for
	dense    *bits.Set[PodClass]
}

// sources is the classes that tolerate a taint by Exists or Equal, with its key and with
// none. What is nil is empty.
type sources [4]*bits.Blocks[PodClass]

// An estimate is many if asking the classes one by one does not pay. It is uncounted until
// somebody asks for it, because counting waits for memory that is seldom in a cache.
const many, uncounted = -1, -2

// Classes are asked one by one if at most one in fewClasses can tolerate a taint: asking a
// class takes as long as reading some words of a bitmap. A variable for tests.
var fewClasses = 512

// wordBudget is how many words may be kept. A variable for tests.
var wordBudget = 1 << 20

// mostOthers is how many taints that the snapshot does not have may get rows before a
// Tolerators is full.
const mostOthers = 1 << 16

// Tolerators returns a Tolerators for p as it is now. It is fastest for taints of the
// nodes of the snapshot, and takes any other taint too. It takes some bytes for each class
// of pods and each taint of the snapshot.
func (p *Pods) Tolerators(s *Snapshot) *Tolerators {
	return &Tolerators{
		pods: p, snapshot: s, rows: make([]tolerators, 1),
		byPair: make([][hardEffects]TaintRow, s.vocabulary.Indexes()/4), byTaint: make(map[taintKey]TaintRow),
		dense: make(map[sources]*bits.Set[PodClass]), budget: wordBudget, ladders: make(map[*bounded]*ladder),
		counts: make([]FitCount, len(p.classes)+1), left: math.MaxUint32,
	}
}

// Row returns the row of a taint, valid or not, and makes it if there is none yet. It takes
// expected constant time.
func (t *Tolerators) Row(x *taint.Taint) TaintRow {
	if x.Effect.Set()&taint.Hard == 0 {
		return 0
	}
	t.steps++
	if e, inUse := t.snapshot.vocabulary.ID(x); inUse {
		return t.rowOf(e)
	}
	key := taintKey{x.Key, x.Value, x.Effect}
	row, known := t.byTaint[key]
	if !known {
		row = t.addRow(x)
		t.byTaint[key] = row
	}
	return row
}

// rowOf is Row for a hard taint of the snapshot.
func (t *Tolerators) rowOf(e element) TaintRow {
	row := &t.byPair[pairOf(e)][hardNumber(e.Effects())]
	if *row == 0 {
		x := t.snapshot.taintOf(e)
		*row = t.addRow(&x)
	}
	return *row
}

func (t *Tolerators) addRow(x *taint.Taint) TaintRow {
	t.steps++
	if len(t.rows) == cap(t.rows) {
		t.rows = slices.Grow(t.rows, len(t.rows)) // append alone would copy them more often
	}
	t.rows = append(t.rows, t.pods.postings.tolerators(x, hardNumber(x.Effect.Set())))
	return TaintRow(len(t.rows) - 1)
}

// AppendRows appends the rows of the taints of a class of nodes of the snapshot to dst, in
// the order of [Snapshot.AppendTaints], and returns the extended slice. For a class that the
// snapshot does not have it appends nothing. It takes a few nanoseconds for a taint that has
// a row, and the time of [Tolerators.Row] for another.
func (t *Tolerators) AppendRows(dst []TaintRow, c Class) []TaintRow {
	l := t.snapshot.list(c)
	if l == nil {
		return dst
	}
	for _, e := range l.elements {
		row := TaintRow(0)
		if isHard(e) {
			row = t.rowOf(e)
		}
		dst = append(dst, row)
	}
	t.steps += len(l.elements)
	return dst
}

// Tolerates reports whether the pods of a class tolerate the taint of a row (rules M1 to
// M5, N1 to N4). The zero row is tolerated by every class that has pods; a class without
// pods tolerates nothing. The time grows with the logarithm of the number of classes; if
// some class tolerates the key with Gt or Lt, it may be that of asking package match.
func (t *Tolerators) Tolerates(row TaintRow, c PodClass) bool {
	if row == 0 {
		return t.pods.Count(c) > 0
	}
	return t.has(&t.rows[row], c)
}

func (t *Tolerators) has(r *tolerators, c PodClass) bool {
	t.steps++
	if r.dense != nil {
		return r.dense.Has(c)
	}
	for _, source := range r.sources {
		if source != nil && source.Has(c) {
			return true
		}
	}
	return len(r.reaches) > 0 && t.matches(r, c)
}

// matches asks package match about a class. Where some classes are bounded, Gt and Lt
// count, so that whole lists do.
func (t *Tolerators) matches(r *tolerators, c PodClass) bool {
	list := t.pods.Tolerations(c)
	t.steps += len(list)
	return match.Tolerates(list, &r.taint)
}

// Steps returns how many steps all calls so far have taken. Their time is proportional to
// it.
func (t *Tolerators) Steps() int { return t.steps }

// Full reports whether t keeps so much that it should be replaced by a new one from
// [Pods.Tolerators]. A full Tolerators still gives right answers, but takes more time, because
// it makes words anew each time that it may not keep, or more memory, because it has rows for
// too many taints that no node of the snapshot has.
func (t *Tolerators) Full() bool {
	return t.budget < t.words() || len(t.byTaint) > mostOthers
}

// words returns how many words it takes to have a bit for each class.
func (t *Tolerators) words() int { return 1 + len(t.pods.classes)/64 }

// tolerators returns the classes that tolerate a hard taint.
func (p *postings) tolerators(x *taint.Taint, number int) tolerators {
	r := tolerators{taint: taint.Taint{Key: x.Key, Value: x.Value, Effect: x.Effect}, estimate: uncounted}
	for i, k := range [...]*keyPostings{p.byKey[x.Key], &p.anyKey} {
		if k == nil || x.Key == "" && i == 0 {
			continue
		}
		r.sources[2*i] = filled(&k.exists[number])
		if v := k.byValue[x.Value]; v != nil {
			r.sources[2*i+1] = filled(&v[number])
		}
		r.reaches = k.appendReach(r.reaches, x.Value, number)
	}
	return r
}

// estimateOf returns how many candidates a row has at most, or many.
func (t *Tolerators) estimateOf(r *tolerators) int32 {
	if r.estimate != uncounted {
		return r.estimate
	}
	total, limit := 0, len(t.pods.classes)/fewClasses
	for i := range r.reaches {
		total += r.reaches[i].n
	}
	for _, source := range r.sources {
		if source != nil && total <= limit {
			total += source.LenUpTo(limit)
		}
	}
	if r.estimate = int32(total); total > limit {
		r.estimate = many
	}
	return r.estimate
}

// filled returns a set that is not empty, or nil.
func filled(b *bits.Blocks[PodClass]) *bits.Blocks[PodClass] {
	if b.Empty() {
		return nil
	}
	return b
}

// candidatesOf returns each class once that tolerates the taint of a row.
func (t *Tolerators) candidatesOf(r *tolerators) []PodClass {
	t.candidates = t.candidates[:0]
	lists := 0
	for _, source := range r.sources {
		if source != nil {
			t.candidates = source.Append(t.candidates)
			lists++
		}
	}
	for i := range r.reaches {
		for j := range r.reaches[i].n {
			t.candidates = append(t.candidates, r.reaches[i].at(j))
		}
		lists += 2 // a class may have several bounds, which are in the order of these
	}
	if lists > 1 {
		slices.Sort(t.candidates)
		t.candidates = slices.Compact(t.candidates)
	}
	return t.candidates
}

// denseOf returns the classes that tolerate the taint of a row as bits, which are valid
// until the next call. Rows with the same sources share them.
func (t *Tolerators) denseOf(r *tolerators) *bits.Set[PodClass] {
	if r.dense != nil {
		return r.dense
	}
	if shared := t.dense[r.sources]; shared != nil && len(r.reaches) == 0 {
		r.dense = shared
		return shared
	}
	words := t.words()
	t.steps += 2 * words
	s := &t.set
	if t.budget >= words && (r.asked || len(r.reaches) == 0) { // most numbers are asked about once
		t.budget -= words
		s = new(bits.Set[PodClass])
		r.dense = s
		if len(r.reaches) == 0 {
			t.dense[r.sources] = s
		}
	}
	r.asked = true
	s.Clear()
	for _, source := range r.sources {
		if source != nil {
			source.AddTo(s)
		}
	}
	for i := range r.reaches {
		t.addReach(s, &r.reaches[i])
	}
	return s
}

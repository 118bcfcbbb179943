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
// at a time may call its methods. Once the Pods change it must not be used any more before
// [Tolerators.Reset]. It must not be copied. It retains the Pods, the snapshot, the strings of the
// taints, and some bytes for each of these; up to eight megabytes of words for taints that
// many classes tolerate; and a word for each toleration with Gt or Lt whose key was asked
// about.
type Tolerators struct {
	pods     *Pods
	snapshot *Snapshot
	rows     []tolerators
	byPair   [][hardEffects]TaintRow // of the taints of the snapshot, by key and value
	byTaint  map[taintKey]*TaintRow  // of the others

	dense   map[sources]*bits.Set[PodClass]
	budget  int                  // how many more words of such sets may be kept
	ladders map[*bounded]*ladder // by the first bound of a list

	always bits.Set[PodClass] // those that tolerate every hard taint

	counts   []FitCount
	counted  bits.Set[PodClass]      // those whose counts are not zero
	pending  []pending               // besides those in counts
	gains    bits.Counters[PodClass] // besides those in counts
	losses   bits.Counters[PodClass]
	together bool   // whether gains or losses count any
	left     uint32 // how many nodes can still be counted

	candidates         []PodClass // buffers
	fitting, both, set bits.Set[PodClass]
	missing            []missing
	steps              int
	touched            byte // means nothing: see touch
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
	sources  sources
	number   *number // nil if it reaches no bound
	dense    *bits.Set[PodClass]
	estimate int32    // how many candidates there are at most, or many, or uncounted
	sole     PodClass // the only candidate, if there is one and the estimate is counted
	expected int32    // how many classes are going to be asked about
	asked    bool     // whether dense was asked for
}

// number is a taint whose value is a number that some tolerations with Gt or Lt compare.
type number struct {
	taint   taint.Taint
	reaches []reach
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
	t := &Tolerators{pods: p}
	t.Reset(s)
	return t
}

// Reset makes t what [Pods.Tolerators] returns for its Pods, as they are now, and a
// snapshot, in the memory that t has. Rows and counts from before mean nothing any more, and
// neither the old snapshot nor its taints are retained. The time is that of writing some bytes
// for each class of pods and each taint of the snapshot. The zero Tolerators cannot be reset.
func (t *Tolerators) Reset(s *Snapshot) {
	clear(t.rows) // retain nothing
	t.snapshot, t.rows = s, append(t.rows[:0], tolerators{})
	t.byPair, t.byTaint = zeros(t.byPair, s.vocabulary.Indexes()/4), make(map[taintKey]*TaintRow)
	t.dense, t.ladders = make(map[sources]*bits.Set[PodClass]), make(map[*bounded]*ladder)
	t.counts, t.left = zeros(t.counts, len(t.pods.classes)+1), math.MaxUint32
	t.counted.Clear()
	t.pending = slices.Grow(t.pending[:0], lookups)
	t.gains.Clear()
	t.losses.Clear()
	t.together = false
	t.budget, t.steps = wordBudget, 0
	t.findAlways()
}

// findAlways finds the classes that tolerate every hard taint.
func (t *Tolerators) findAlways() {
	exists := &t.pods.postings.anyKey.exists
	t.always.Clear()
	exists[0].AddTo(&t.always)
	t.set.Clear()
	exists[1].AddTo(&t.set)
	t.always.And(&t.set)
}

// zeros returns a slice of n zeros, in the memory of s if it is large enough.
func zeros[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
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
	switch {
	case r.sole != 0:
		return c == r.sole
	case r.dense != nil:
		return r.dense.Has(c)
	}
	for _, source := range r.sources {
		if source != nil && source.Has(c) {
			return true
		}
	}
	return r.number != nil && t.matches(r, c)
}

// matches asks package match about a class. Where some classes are bounded, Gt and Lt
// count, so that whole lists do.
func (t *Tolerators) matches(r *tolerators, c PodClass) bool {
	list := t.pods.Tolerations(c)
	t.steps += len(list)
	return match.Tolerates(list, &r.number.taint)
}

// Expect says that [Tolerators.Tolerates] is going to be asked about a row so many times more,
// each time about another class; a negative number counts as zero. No answer depends on it. If
// it pays, and the memory that a Tolerators may keep has room, the classes that tolerate the
// taint are written down as a bit for each class, and the answers then take constant time.
func (t *Tolerators) Expect(row TaintRow, questions int) {
	r := &t.rows[row]
	if r.dense != nil || r.number == nil && r.sources == (sources{}) {
		return
	}
	words := t.words()
	r.expected = min(r.expected+int32(min(max(questions, 0), words)), int32(words))
	if int(r.expected) < words/2 || t.budget < words {
		return
	}
	r.asked = true
	t.denseOf(r)
}

// Steps returns how many steps all calls since the last [Tolerators.Reset] have taken. Their
// time is proportional to it.
func (t *Tolerators) Steps() int { return t.steps }

// Full reports whether t keeps so much that it should be reset, or replaced by a new one from
// [Pods.Tolerators]. A full Tolerators still gives right answers, but takes more time, because
// it makes words anew each time that it may not keep, or more memory, because it has rows for
// more than 65,536 taints that no node of the snapshot has.
func (t *Tolerators) Full() bool {
	return t.budget < t.words() || len(t.byTaint) > mostOthers
}

// words returns how many words it takes to have a bit for each class.
func (t *Tolerators) words() int { return 1 + len(t.pods.classes)/64 }

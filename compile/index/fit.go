package index

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Fit is what the taints of a fleet mean to one toleration list: on which nodes
// a pod with that list may be scheduled.
//
// The zero Fit is ready for [Snapshot.Fit], and holds no nodes. A Fit must not
// be copied. One goroutine at a time may fill it; while nobody does, any number
// may ask. It retains the snapshot and the matcher, or the strings and seconds of the
// list, until it is filled again, and its buffers as long as it lives: use it again for
// the next pod.
type Fit struct {
	matcher  *compile.Matcher // own, or the caller's
	own      compile.Matcher
	snapshot *Snapshot
	whole    shape    // the hard effects that are tolerated whatever the key: sets with no others fit
	sets     []uint32 // other sets that fit
	marks    []uint32 // by set: round if it is one of those
	blocks   []block  // the sets that fit by the columns, if these were asked
	round    uint32
	nodes    int
	plan     plan
	steps    int // counted with the tag tolero_invariants
}

// Compile makes m a Matcher for the tolerations that count in the cluster of the
// snapshot, and for the taints of its nodes: see [compile.Matcher.Compile]. Tolerations
// with Gt and Lt count only if the index was made for a cluster with them (rule N4).
func (s *Snapshot) Compile(m *compile.Matcher, tolerations []toleration.Toleration) {
	m.CompileActive(&s.vocabulary, s.rules, tolerations)
}

// Fit fills f with the answer for a pod with the list of m, valid or not: a node fits
// unless it has a NoSchedule or NoExecute taint that the list does not tolerate (rule
// F2).
//
// m should be compiled by [Snapshot.Compile] of the same snapshot. If it was compiled for
// another vocabulary, of an older snapshot for example, or counts Gt and Lt where they do
// not count, Fit compiles its list once more for itself, and gives the same answer. The
// zero Matcher has the empty list. Fit never changes m, so that several goroutines may
// share one; the questions of f that tell taints apart ask m, which must not be compiled
// again before f is filled again. m must not be nil.
//
// The time is proportional to the number of tolerations and to that of the
// different sets of hard taints that may fit, but not to that of the nodes. Each set is
// looked at once at most. It does not allocate once f has served for a fleet of that
// many sets and for pods that have as many tolerations and fit as many sets.
func (s *Snapshot) Fit(f *Fit, m *compile.Matcher) {
	if !m.Current(&s.vocabulary) { // a current matcher has only the tolerations that count in the cluster
		s.FitList(f, m.Tolerations())
		return
	}
	if f.matcher == &f.own {
		f.own.Compile(&s.vocabulary, nil) // retain nothing of its list
	}
	f.fill(s, m)
}

// FitList is [Snapshot.Fit] for a list, which it compiles first. It does not allocate
// where Fit does not.
func (s *Snapshot) FitList(f *Fit, tolerations []toleration.Toleration) {
	s.Compile(&f.own, tolerations)
	f.fill(s, &f.own)
}

// fill fills f with the answer of a matcher for the snapshot.
func (f *Fit) fill(s *Snapshot, m *compile.Matcher) {
	f.start(s)
	f.matcher = m
	f.step(len(m.Tolerations()))
	f.whole = 0
	for number, e := range hard {
		if m.ToleratesAll(e.Set()) {
			f.whole |= 1 << number
		}
	}
	f.nodes = s.within(f.whole)
	f.search()
	f.checkSteps()
}

// tolerates reports whether the list tolerates an element.
func (f *Fit) tolerates(e element) bool {
	f.step(1)
	return f.matcher.Tolerates(e)
}

func (f *Fit) step(n int) {
	if invariant.Enabled {
		f.steps += n
	}
}

// start makes f the Fit of a pod that fits nothing.
func (f *Fit) start(s *Snapshot) {
	f.snapshot, f.sets, f.blocks, f.steps = s, f.sets[:0], f.blocks[:0], 0
	if n := s.sets.sets.Len(); len(f.marks) < n {
		f.marks = append(f.marks, make([]uint32, n-len(f.marks))...)
	}
	if f.round++; f.round == 0 { // after 4 billion pods
		clear(f.marks)
		f.round = 1
	}
}

// needed returns the hard effects that are not tolerated whatever the key.
func (f *Fit) needed() shape { return allHard &^ f.whole }

// visit takes in a set that has one of the needed effects if it fits. One element is
// known to be tolerated.
func (f *Fit) visit(position uint32, tolerated element) {
	f.step(1)
	elements := f.snapshot.sets.sets.At(position).of(f.needed())
	if len(elements) == 1 { // it need not be read
		elements = nil
	}
	for _, e := range elements {
		if e != tolerated && !f.tolerates(e) {
			return
		}
	}
	f.add(position)
}

// add takes in a set that fits.
func (f *Fit) add(position uint32) {
	f.checkNew(position)
	f.marks[position] = f.round
	f.sets = append(f.sets, position)
	f.nodes += int(*f.snapshot.counts.At(position))
}

// fits reports whether a list fits.
func (f *Fit) fits(l *list) bool {
	return l.shape&^f.whole == 0 || f.marks[l.set] == f.round || f.inBlocks(l.set)
}

// Len returns the number of nodes that fit.
func (f *Fit) Len() int { return f.nodes }

// Has reports whether a node fits. A node that is not in the snapshot, or has other
// taints there, does not: see [Snapshot.Has].
func (f *Fit) Has(id NodeID) bool {
	s := f.snapshot
	return s != nil && s.Has(id) && f.fits(s.lists.At(s.nodes.At(id.number).list))
}

// Nodes iterates over the nodes that fit. Nodes with the same hard taints come
// together: first those that fit whatever their keys, then the others as the tolerations
// lead to them. The order is the same whenever equal lists are asked about one snapshot.
func (f *Fit) Nodes() iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) { f.yieldAll(yield) }
}

// yieldAll yields the nodes that fit.
func (f *Fit) yieldAll(yield func(NodeID) bool) {
	if f.snapshot == nil || !f.wholesale(yield) {
		return
	}
	for _, position := range f.sets {
		if !f.snapshot.yieldNodes(position, yield) {
			return
		}
	}
	f.yieldBlocks(yield)
}

// wholesale yields the nodes of the sets that fit for their shape.
func (f *Fit) wholesale(yield func(NodeID) bool) bool {
	s := f.snapshot
	for position := range f.wholesaleEnd() {
		if s.sets.sets.At(position).shape&^f.whole == 0 && !s.yieldNodes(position, yield) {
			return false
		}
	}
	return true
}

// wholesaleEnd returns how many sets to look at for those that fit for their shape: all, or
// only the clean one if no effect is tolerated whatever the key.
func (f *Fit) wholesaleEnd() uint32 {
	all := uint32(f.snapshot.sets.sets.Len())
	if f.whole == 0 {
		return min(all, cleanSet+1)
	}
	return all
}

// yieldNodes yields the nodes of a set.
func (s *Snapshot) yieldNodes(position uint32, yield func(NodeID) bool) bool {
	of := s.sets.sets.At(position)
	for f := range s.fragmentsOf(of) {
		if !s.yieldPage(f.page, f.mask, yield) {
			return false
		}
	}
	if of.own == nil {
		return true
	}
	for _, r := range of.own.runs {
		for page := r.first; page < r.first+r.count; page++ {
			if !s.yieldPage(page, s.occupied(page), yield) {
				return false
			}
		}
	}
	return true
}

func (s *Snapshot) yieldPage(page uint32, mask uint64, yield func(NodeID) bool) bool {
	for ; mask != 0; mask &= mask - 1 {
		if !yield(s.id(*s.numbers.At(page*pageSize + uint32(bits.TrailingZeros64(mask))) - 1)) {
			return false
		}
	}
	return true
}

// AppendWords appends a bit for each slot of the snapshot to dst, 64 in a word
// and the lowest first: set if the slot holds a node that fits. It returns the
// extended slice. The time is that of copying the words and some nanoseconds for each
// set that fits and is not tolerated wholesale, or for each run of its pages. It does not
// allocate if dst has room.
func (f *Fit) AppendWords(dst []uint64) []uint64 {
	s := f.snapshot
	if s == nil {
		return dst
	}
	base := &s.base[f.whole]
	n := base.Len()
	dst = slices.Grow(dst, n)[:len(dst)+n]
	words := dst[len(dst)-n:]
	base.CopyTo(words, 0)
	for _, position := range f.sets {
		s.copySet(words, position)
	}
	f.copyBlocks(words)
	return dst
}

// copySet writes the nodes of a set to the words of an answer.
func (s *Snapshot) copySet(words []uint64, position uint32) {
	of := s.sets.sets.At(position)
	if slot, ok := of.fragments.loneSlot(); ok {
		words[slot/pageSize] |= 1 << (slot % pageSize)
	} else {
		for f := range s.fragmentsOf(of) {
			words[f.page] |= f.mask
		}
	}
	if of.own == nil {
		return
	}
	for _, r := range of.own.runs {
		s.base[allHard].CopyTo(words[r.first:r.first+r.count], r.first)
	}
}

// ToleratesAll reports whether the list tolerates every taint that there can be with
// some effects, known to the fleet or not: whether it has a toleration that is just
// Exists for each.
func (f *Fit) ToleratesAll(effects taint.EffectSet) bool {
	if f.matcher == nil {
		return f.own.ToleratesAll(effects)
	}
	return f.matcher.ToleratesAll(effects)
}

package index

import (
	"math/bits"

	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/toleration"
)

// WithHash calls f with hashes of only so many bits: with zero, all collide.
func WithHash(bits int, f func()) {
	all := hashMask
	defer func() { hashMask = all }()
	hashMask = 1<<bits - 1
	f()
}

// Probes returns how many entries of hash tables f looks at, in tests with invariants.
func Probes(f func()) int {
	probe.Counting, probe.Looked = true, 0
	defer func() { probe.Counting = false }()
	f()
	return probe.Looked
}

// Sizes is how many positions of each kind an index has, used or free.
type Sizes struct{ Hard, Pairs, Sets, Lists, Nodes, Slots, Fragments int }

// Sizes returns them.
func (ix *Index) Sizes() Sizes {
	return Sizes{
		Hard: ix.watches.taints.Len(), Pairs: ix.vocabulary.Indexes() / 4,
		Sets: ix.sets.sets.Len(), Lists: ix.lists.Len(), Nodes: ix.nodes.Len(),
		Slots: ix.numbers.Len(), Fragments: ix.pages.fragments.Len(),
	}
}

// Words returns how many words the answer for a pod has.
func (ix *Index) Words() int { return ix.pages.pages.Len() }

// Columns returns how many taints have a column.
func (ix *Index) Columns() int { return len(ix.columns.elements) }

// NewStamp returns a new stamp, and StampBlock is how many an index takes at a time.
func (ix *Index) NewStamp() uint64 { return ix.newStamp() }

const StampBlock = stampBlock

// CheckAll panics if the index does not hold what it should.
func (ix *Index) CheckAll() { ix.checkAll() }

// Steps returns how many steps the last Fit took, in tests with invariants.
func (f *Fit) Steps() int { return f.steps }

// PostingKeys returns how many keys the classes of pods are indexed by.
func (p *Pods) PostingKeys() int { return p.byKey.Len() + p.equals.Len() }

// PostingValues returns how many values of keys the classes of pods are indexed by, and how
// many there is room for.
func (p *Pods) PostingValues() (used, places int) {
	for i := range p.equals.Places() {
		if e := p.equals.At(uint32(i)); e.owner != nil || e.value != "" || !e.empty() {
			used++
		}
	}
	return used, p.equals.Places()
}

// Wholesale returns how many sets the Fit looks at for those that fit for their shape.
func (f *Fit) Wholesale() int { return int(f.wholesaleEnd()) }

// Runs returns how many runs of pages and how many fragments the set of a node has.
func (ix *Index) Runs(id NodeID) (runs, fragments int) {
	s := ix.sets.sets.At(ix.lists.At(ix.nodes.At(id.number).list).set)
	if s.own != nil {
		runs = len(s.own.runs)
	}
	for range ix.fragmentsOf(s) {
		fragments++
	}
	return runs, fragments
}

// OwnPages returns how many pages the set of a node has that hold no other nodes.
func (ix *Index) OwnPages(id NodeID) int {
	return int(ix.sets.sets.At(ix.lists.At(ix.nodes.At(id.number).list).set).own.count())
}

// Hash returns the hash of a list, of which a Pods must have had some.
func (p *Pods) Hash(tolerations []toleration.Toleration) uint32 { return p.hash(tolerations) }

// NearOverflow makes the Fit behave as if it had been used almost as often as its
// counter can count.
func NearOverflow(f *Fit) {
	f.round = ^uint32(0) - 2
}

// Sketches returns the different sketches of some lists.
func Sketches(lists [][]toleration.Toleration) map[uint32]bool {
	sketches := make(map[uint32]bool)
	for _, list := range lists {
		sketches[sketch(list)] = true
	}
	return sketches
}

// Guessed reports whether the class of a list is found without its hash.
func (p *Pods) Guessed(tolerations []toleration.Toleration) bool {
	_, found := p.guess(sketch(tolerations), tolerations)
	return found
}

// Aligned returns how many sets are aligned with their slots.
func (ix *Index) Aligned() (n int) {
	for w := range uint32(ix.columns.aligned.Len()) {
		n += bits.OnesCount64(ix.columns.aligned.At(w).mask)
	}
	return n
}

// WithFewClasses calls f with another number for when classes are few, and with so many
// words that a Tolerators may keep.
func WithFewClasses(few, words int, f func()) {
	defer func(n, m int) { fewClasses, wordBudget = n, m }(fewClasses, wordBudget)
	fewClasses, wordBudget = few, words
	f()
}

// ElementHasher returns the function that hashes elements, with a seed of its own.
func ElementHasher() func([]element) uint32 {
	h := newHasher()
	return h.elements
}

// Zeros is what a Tolerators gets its memory by.
func Zeros(s []int, n int) []int { return zeros(s, n) }

// Room returns for how many taints of the snapshot and for how many classes there is room.
func (t *Tolerators) Room() (taints, classes int) { return len(t.byPair), len(t.counts) - 1 }

// Pending returns how many changes of counts are yet to be added, and how many are added at once.
func (t *Tolerators) Pending() (n, most int) { return len(t.pending), lookups }

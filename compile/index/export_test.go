package index

import (
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
type Sizes struct{ Pairs, Sets, Classes, Nodes, Transfers, Released int }

// Sizes returns them.
func (ix *Index) Sizes() Sizes {
	return Sizes{
		Pairs: ix.vocabulary.Indexes() / 4, Sets: ix.sets.Len(), Classes: ix.classes.Len(), Nodes: ix.nodes.Len(),
		Transfers: len(ix.transfers), Released: len(ix.released),
	}
}

// MostTransfers returns how many transfers the index takes before its next base.
func (ix *Index) MostTransfers() int { return ix.mostTransfers }

// Columns returns how many taints of a base have a column.
func (s *Snapshot) Columns() int { return len(s.base.common) }

// Lone returns how many words of places are of sets with one node each.
func (s *Snapshot) Lone() (n int) {
	for i := range (len(s.base.split) + 63) / 64 {
		if _, ok := s.base.lone(i); ok {
			n++
		}
	}
	return n
}

// SameBase reports whether two snapshots have the same base.
func (s *Snapshot) SameBase(other *Snapshot) bool { return s.base == other.base }

// NewStamp returns a new stamp, and StampBatch is how many an index takes at a time.
func (ix *Index) NewStamp() uint64 { return ix.newStamp() }

const StampBatch = stampBatch

// CheckAll panics if the index does not hold what it should.
func (ix *Index) CheckAll() {
	if err := ix.inspect(); err != nil {
		panic(err)
	}
}

// Steps returns how many steps the last Fit took, in tests with invariants.
func (f *Fit) Steps() int { return f.steps }

// Postings returns how many values of keys the classes of pods are indexed by.
func (p *Pods) Postings() int { return len(p.words) + len(p.bounds) }

// Hash returns the hash of a list, of which a Pods must have had some.
func (p *Pods) Hash(tolerations []toleration.Toleration) uint32 { return p.hash(tolerations) }

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

// Way returns how the sets that fit were found.
func (f *Fit) Way() string {
	switch {
	case f.from == f.to:
		return "wholesale"
	case len(f.places) > 0:
		return "columns"
	case f.to-f.from <= 64:
		return "every set"
	}
	return "watches"
}

// Looked returns how many classes of a snapshot are looked at by who asks for all.
func (s *Snapshot) Looked() int { return len(s.base.classes) + len(s.newClasses) }

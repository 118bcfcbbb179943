package index

import (
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// Classes iterates over the classes that some node of the snapshot has, and how many
// nodes have each. The order is not specified, but is the same for the same snapshot.
func (s *Snapshot) Classes() iter.Seq2[Class, int] {
	return func(yield func(Class, int) bool) {
		for position := range uint32(s.lists.Len()) {
			if n := s.lists.At(position).nodes; n > 0 && !yield(s.class(position), int(n)) {
				return
			}
		}
	}
}

// AppendTaints appends the taints of the nodes of a class to dst, in the order of the
// nodes and without times, and returns the extended slice. A class that the snapshot
// does not have adds nothing. It allocates only to grow dst.
func (s *Snapshot) AppendTaints(dst []taint.Taint, c Class) []taint.Taint {
	if s == nil {
		return dst
	}
	return s.vocabulary.AppendTaints(dst, s.elements(c))
}

// lookups is how many names or classes are looked up together, and how many changes of counts
// are added together. What no cache holds is several misses away, each of which tells where
// the next one is: a loop that only takes one step for each of many waits for many at once.
const lookups = 64

// AppendTaintsOf is [Snapshot.AppendTaints] for many classes, one after the other, in less
// time. It also appends to ends, for each class, the length of dst after its taints, and returns
// both slices. A class that the snapshot does not have adds no taints, and its end all the same.
// It retains none of the slices, and allocates only to grow dst and ends.
func (s *Snapshot) AppendTaintsOf(dst []taint.Taint, ends []int, classes []Class) ([]taint.Taint, []int) {
	var lists [lookups][]element
	for chunk := range slices.Chunk(classes, lookups) {
		for i, c := range chunk {
			lists[i] = s.elements(c)
		}
		n := 0
		for _, l := range lists[:len(chunk)] {
			n += s.inUse(l[:min(1, len(l))])
		}
		for _, l := range lists[:len(chunk)] {
			n += s.inUse(l[min(1, len(l)):])
		}
		dst = slices.Grow(dst, n)
		for _, l := range lists[:len(chunk)] {
			dst = s.vocabulary.AppendTaints(dst, l)
			ends = append(ends, len(dst))
		}
	}
	return dst, ends
}

// elements returns those of a class; none if the snapshot does not have it.
func (s *Snapshot) elements(c Class) []element {
	if l := s.list(c); l != nil {
		return l.elements
	}
	return nil
}

// inUse counts the elements that are in use, which is all of them: it is called to bring them into
// the caches, for the first of each list before the others.
func (s *Snapshot) inUse(elements []element) (n int) {
	for _, e := range elements {
		if s.vocabulary.Uses(e) > 0 {
			n++
		}
	}
	return n
}

// Nodes iterates over the nodes of those classes for which keep returns true, or over all
// nodes if keep is nil. The order is not specified; it is the same each time for the same
// snapshot and the same answers.
//
// keep is called once for each class. The rest of the time is proportional to the number
// of nodes that have the same hard taints as one that is kept. Each iteration allocates a
// byte for each class.
func (s *Snapshot) Nodes(keep func(c Class) bool) iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		kept := make([]bool, s.lists.Len()) // by list
		of := func(id NodeID) bool { return !kept[s.nodes.At(id.number).list] || yield(id) }
		for position := range uint32(s.sets.sets.Len()) {
			if s.keep(kept, position, keep) && !s.yieldNodes(position, of) {
				return
			}
		}
	}
}

// keep marks the lists of a set that are kept, and reports whether any is.
func (s *Snapshot) keep(kept []bool, position uint32, keep func(c Class) bool) (any bool) {
	for next := s.sets.sets.At(position).lists; next != 0; {
		if keep == nil || keep(s.class(next-1)) {
			kept[next-1], any = true, true
		}
		next = s.lists.At(next - 1).next
	}
	return any
}

// HardSet returns a small number for the hard taints of a class, in any order: classes
// with the same number fit the same pods. It is less than [Snapshot.HardSets], so that a
// slice can hold something for each set, and is valid for this snapshot only. For a class
// that the snapshot does not have it is -1.
func (s *Snapshot) HardSet(c Class) int {
	if l := s.list(c); l != nil {
		return int(l.set)
	}
	return -1
}

// HardSets returns a number greater than any that [Snapshot.HardSet] returns.
func (s *Snapshot) HardSets() int { return s.sets.sets.Len() }

// HardSets iterates over the numbers of the hard sets of the nodes that fit, each once:
// see [Snapshot.HardSet]. The order is that of [Fit.Nodes]. It takes a few nanoseconds for
// each set, and for each of the fleet if the list tolerates every key of an effect.
func (f *Fit) HardSets() iter.Seq[int] {
	return func(yield func(int) bool) {
		if f.snapshot == nil {
			return
		}
		s := f.snapshot
		for position := range f.wholesaleEnd() {
			if s.sets.sets.At(position).shape&^f.whole == 0 && *s.counts.At(position) > 0 && !yield(int(position)) {
				return
			}
		}
		for _, position := range f.sets {
			if !yield(int(position)) {
				return
			}
		}
		f.yieldBlockSets(yield)
	}
}

// yieldBlockSets yields the sets that fit by the columns.
func (f *Fit) yieldBlockSets(yield func(int) bool) {
	for b := range f.blocks {
		for i, word := range f.blocks[b] {
			for position := range positions(uint32(b), i, word) {
				if !yield(int(position)) {
					return
				}
			}
		}
	}
}

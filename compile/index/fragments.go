package index

import (
	"iter"
	"math/bits"
)

// fragment is the nodes of a set in a shared page.
type fragment struct {
	mask uint64
	page uint32
	next uint32 // of the set, plus one
}

// fragments is the fragments of a set: zero if there are none, the position of the first
// plus one, or lone and the slot of a node, if it is the only one that the set has in
// shared pages. Where each node has taints of its own, all are lone, and what a pod fits is
// found without looking at fragments.
type fragments uint32

const lone fragments = 1 << 31

// loneSlot returns the slot of the only node in shared pages, if there is only one.
func (f fragments) loneSlot() (slot uint32, ok bool) { return uint32(f &^ lone), f&lone != 0 }

// fragmentAt returns a node as a fragment.
func fragmentAt(slot uint32) fragment {
	return fragment{mask: 1 << (slot % pageSize), page: slot / pageSize}
}

// fragmentsOf iterates over the fragments of a set. The step of the iteration may change
// none of them.
func (a *pages) fragmentsOf(s *set) iter.Seq[fragment] {
	return func(yield func(fragment) bool) {
		if slot, ok := s.fragments.loneSlot(); ok {
			yield(fragmentAt(slot))
			return
		}
		for next := s.fragments; next != 0; {
			f := a.fragments.At(uint32(next) - 1)
			if !yield(*f) {
				return
			}
			next = fragments(f.next)
		}
	}
}

// addToFragment adds the node in a slot to the fragment of a set in its page, which is
// made if need be, and reports whether the fragment fills the page now.
func (a *pages) addToFragment(s *set, slot uint32) (full bool) {
	if s.fragments == 0 {
		s.fragments = lone | fragments(slot)
		return false
	}
	f := a.fragmentOf(s, slot/pageSize)
	f.mask |= 1 << (slot % pageSize)
	return f.mask == ^uint64(0)
}

// removeFromFragment takes the node in a slot out of the fragment of a set in its page,
// and takes out the fragment with the last.
func (a *pages) removeFromFragment(s *set, slot uint32) {
	if _, ok := s.fragments.loneSlot(); ok {
		s.fragments = 0
		return
	}
	f := a.fragmentOf(s, slot/pageSize)
	if f.mask &^= 1 << (slot % pageSize); f.mask == 0 {
		a.dropFragment(s, slot/pageSize)
	}
	a.makeLone(s)
}

// makeLone makes the only fragment of a set a lone node, if it has one node left.
func (a *pages) makeLone(s *set) {
	if s.fragments == 0 {
		return
	}
	if f := *a.fragments.At(uint32(s.fragments) - 1); f.next == 0 && f.mask&(f.mask-1) == 0 {
		a.dropFragment(s, f.page)
		s.fragments = lone | fragments(f.page*pageSize+uint32(bits.TrailingZeros64(f.mask)))
	}
}

// fragmentOf returns the fragment of a set in a page for writing, made if need be.
func (a *pages) fragmentOf(s *set, p uint32) *fragment {
	if slot, ok := s.fragments.loneSlot(); ok {
		s.fragments = fragments(place(&a.fragments, &a.freeFragments, fragmentAt(slot)) + 1)
	}
	for next := uint32(s.fragments); next != 0; next = a.fragments.At(next - 1).next {
		if a.fragments.At(next-1).page == p {
			return a.fragments.Edit(next - 1)
		}
	}
	position := place(&a.fragments, &a.freeFragments, fragment{page: p, next: uint32(s.fragments)})
	s.fragments = fragments(position + 1)
	return a.fragments.Edit(position)
}

// dropFragment takes the fragment of a set in a page out. It must not be a lone node.
func (a *pages) dropFragment(s *set, p uint32) {
	before := uint32(0)
	for next := uint32(s.fragments); ; next = a.fragments.At(next - 1).next {
		if f := a.fragments.At(next - 1); f.page == p {
			if before == 0 {
				s.fragments = fragments(f.next)
			} else {
				a.fragments.Edit(before - 1).next = f.next
			}
			a.freeFragments.push(next - 1)
			return
		}
		before = next
	}
}

// moveFragment says that a fragment of a set is in another page now.
func (a *pages) moveFragment(s *set, from, to uint32) {
	if slot, ok := s.fragments.loneSlot(); ok {
		s.fragments = lone | fragments(to*pageSize+slot%pageSize)
		return
	}
	for next := uint32(s.fragments); next != 0; next = a.fragments.At(next - 1).next {
		if a.fragments.At(next-1).page == from {
			a.fragments.Edit(next - 1).page = to
			return
		}
	}
}

package index

import (
	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// A pod fits a set if it tolerates all of its hard taints, so it is enough to look at
// a set when the pod tolerates one of them. A set watches one taint for each hard
// effect that it has: the one that the fewest sets have. A pod that tolerates no effect
// wholesale comes to a set through its primary watch, the rarer of the two; one that
// tolerates one effect whatever the key, through the watch of the other.

// hardTaint is a hard taint that sets have.
type hardTaint struct {
	element element
	uses    uint32 // how many sets have it; none if the position is free
	column  uint32 // of the common ones: its column, or zero
	// The sets that watch it, plus one, and how many: those of which it is the primary
	// watch, and the others.
	first, watched [2]uint32
}

const primary, secondary = 0, 1

// link is the place of a set among those that watch a taint.
type link struct {
	taint      uint32 // the position of the hard taint
	next, prev uint32 // plus one
}

// watches is the hard taints that sets have.
type watches struct {
	taints     cow.Vector[hardTaint]
	byPair     cow.Vector[[hardEffects]uint32] // by position of the pair and number of the effect: the position in taints plus one, or zero
	freeTaints stack
}

func (w *watches) freeze() watches {
	return watches{w.taints.Freeze(), w.byPair.Freeze(), w.freeTaints.freeze()}
}

// hardTaintOf returns the position of a hard taint, or false if no set has it any more. Some set
// must have had it.
func (w *watches) hardTaintOf(e element) (position uint32, found bool) {
	position = w.byPair.At(pairOf(e))[hardNumber(e.Effects())]
	return position - 1, position != 0
}

// useHard counts the elements of a new set.
func (w *watches) useHard(elements []element) {
	for _, e := range elements {
		for w.byPair.Len() <= int(pairOf(e)) {
			w.byPair.Append([hardEffects]uint32{})
		}
		position, found := w.hardTaintOf(e)
		if !found {
			position = place(&w.taints, &w.freeTaints, hardTaint{element: e})
			w.byPair.Edit(pairOf(e))[hardNumber(e.Effects())] = position + 1
		}
		w.taints.Edit(position).uses++
	}
}

// unuseHard counts those of a set that is gone, and watches nothing any more.
func (w *watches) unuseHard(elements []element) {
	for _, e := range elements {
		position, _ := w.hardTaintOf(e)
		t := w.taints.Edit(position)
		if t.uses--; t.uses == 0 {
			*t = hardTaint{}
			w.byPair.Edit(pairOf(e))[hardNumber(e.Effects())] = 0
			w.freeTaints.push(position)
		}
	}
}

// rarest returns the position of the hard taint that a set should watch among those
// with one effect: one that is not common, and of these the one that the fewest sets
// have.
func (w *watches) rarest(elements []element) (best uint32) {
	for i, e := range elements {
		if position, _ := w.hardTaintOf(e); i == 0 || w.rarer(position, best) {
			best = position
		}
	}
	return best
}

func (w *watches) rarer(a, b uint32) bool {
	x, y := w.taints.At(a), w.taints.At(b)
	if (x.column == 0) != (y.column == 0) {
		return x.column == 0
	}
	return x.uses < y.uses
}

// choice is what a set should watch.
func (ix *state) choice(s *set) (taints [hardEffects]uint32, first uint8) {
	for number := range uint8(hardEffects) {
		if s.shape>>number&1 != 0 {
			taints[number] = ix.rarest(s.of(1 << number))
		}
	}
	if s.shape == allHard && ix.rarer(taints[1], taints[0]) || s.shape == 2 {
		first = 1
	}
	return taints, first
}

// watch links a set to the taints that it should watch.
func (ix *state) watch(position uint32) {
	s := ix.sets.sets.Edit(position)
	taints, first := ix.choice(s)
	s.primary = first
	for number := range hardEffects {
		if s.shape>>number&1 == 0 {
			continue
		}
		kind := kindOf(s, number)
		t := ix.taints.Edit(taints[number])
		s.watches[number] = link{taint: taints[number], next: t.first[kind]}
		if t.first[kind] != 0 {
			ix.sets.sets.Edit(t.first[kind] - 1).watches[number].prev = position + 1
		}
		t.first[kind] = position + 1
		t.watched[kind]++
	}
}

// kindOf says whether a watch of a set is the primary one.
func kindOf(s *set, number int) int {
	if int(s.primary) == number {
		return primary
	}
	return secondary
}

// unwatch unlinks a set.
func (ix *state) unwatch(position uint32) {
	s := ix.sets.sets.At(position)
	for number := range hardEffects {
		if s.shape>>number&1 == 0 {
			continue
		}
		l, kind := s.watches[number], kindOf(s, number)
		t := ix.taints.Edit(l.taint)
		if l.prev != 0 {
			ix.sets.sets.Edit(l.prev - 1).watches[number].next = l.next
		} else {
			t.first[kind] = l.next
		}
		if l.next != 0 {
			ix.sets.sets.Edit(l.next - 1).watches[number].prev = l.prev
		}
		t.watched[kind]--
	}
}

// rewatch links a set anew if it should watch other taints by now.
func (ix *state) rewatch(position uint32) {
	s := ix.sets.sets.At(position)
	taints, first := ix.choice(s)
	for number := range hardEffects {
		if s.shape>>number&1 != 0 && taints[number] != s.watches[number].taint || first != s.primary {
			ix.unwatch(position)
			ix.watch(position)
			return
		}
	}
}

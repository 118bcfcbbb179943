package index

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/compile/internal/decimal"
)

// Sort the bounds of the tolerations with Gt for a key: a number satisfies the first few of
// them. Of those with Lt it satisfies the last few. Where thousands of numbers meet thousands
// of bounds, a ladder keeps the classes of the first 1000, 2000, 3000 bounds, say, as bits,
// so that each number looks only at the rest one by one.

// reach is the bounds that a number satisfies: the first or the last n of a list.
type reach struct {
	bounds []bounded // the whole list, in ascending order
	last   bool      // the last ones, not the first
	n      int
}

// at returns the class of the i-th bound that is reached.
func (r *reach) at(i int) PodClass {
	if r.last {
		i = len(r.bounds) - 1 - i
	}
	return r.bounds[i].class
}

// appendReach appends the bounds that a value reaches, if there are any.
func (k *keyPostings) appendReach(dst []reach, value string, effect int) []reach {
	above, below := k.above[effect], k.below[effect]
	if len(above)+len(below) == 0 {
		return dst
	}
	integer, numeric := decimal.Parse(value)
	if !numeric {
		return dst
	}
	first, _ := slices.BinarySearchFunc(above, bounded{bound: integer}, compareBounded) // class 0 sorts before all
	if first > 0 {
		dst = append(dst, reach{above, false, first})
	}
	last, _ := slices.BinarySearchFunc(below, bounded{integer, ^PodClass(0)}, compareBounded)
	if n := len(below) - last; n > 0 {
		dst = append(dst, reach{below, true, n})
	}
	return dst
}

// ladder is the classes of the bounds that numbers reach first: the i-th set has those of the
// first (i+1)*every bounds.
type ladder struct {
	every int
	sets  []bits.Set[PodClass]
}

// newLadder makes a ladder for all bounds of a list, in the order in which they are reached.
// It takes a word for each bound.
func newLadder(r *reach, every int) *ladder {
	l := &ladder{every: every}
	var s bits.Set[PodClass]
	for i := range r.bounds {
		s.Add(r.at(i))
		if (i+1)%every == 0 {
			l.sets = append(l.sets, bits.Set[PodClass]{})
			l.sets[len(l.sets)-1].CopyFrom(&s)
		}
	}
	return l
}

// addReach adds the classes that are reached to a set. Once the list has its ladder, it looks
// at a word for each 64 classes and at fewer bounds than that.
func (t *Tolerators) addReach(s *bits.Set[PodClass], r *reach) {
	known := 0
	if every := t.words(); len(r.bounds) > every {
		l := t.ladderOf(r, every)
		if rungs := r.n / every; rungs > 0 {
			s.Or(&l.sets[rungs-1])
			t.steps += every
			known = rungs * every
		}
	}
	for i := known; i < r.n; i++ {
		s.Add(r.at(i))
	}
	t.steps += r.n - known
}

// ladderOf returns the ladder of a list, and makes it the first time.
func (t *Tolerators) ladderOf(r *reach, every int) *ladder {
	l := t.ladders[&r.bounds[0]]
	if l == nil {
		l = newLadder(r, every)
		t.ladders[&r.bounds[0]] = l
		t.steps += 2 * len(r.bounds)
	}
	return l
}

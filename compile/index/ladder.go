package index

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/compile/internal/decimal"
)

// A number is above the first so many bounds of the tolerations with Gt for its key, and
// below the last so many of those with Lt. Where thousands of numbers meet thousands of
// bounds, a ladder has the classes of the first 1000, 2000, 3000 of them as bits, say, and
// each number looks at the rest alone.

// reach is the classes of the bounds of a list that a number reaches.
type reach struct {
	bounds []bounded // all of the list, in ascending order
	last   bool      // whether the last ones are reached, or the first
	n      int       // how many
}

// at returns the i-th class that is reached.
func (r *reach) at(i int) PodClass {
	if r.last {
		i = len(r.bounds) - 1 - i
	}
	return r.bounds[i].class
}

// appendReach appends what a value reaches, unless that is nothing.
func (k *keyPostings) appendReach(dst []reach, value string, number int) []reach {
	integer, numeric := decimal.Parse(value)
	if !numeric {
		return dst
	}
	above, below := k.above[number], k.below[number]
	first, _ := slices.BinarySearchFunc(above, bounded{bound: integer}, compareBounded) // class 0 is before all
	if first > 0 {
		dst = append(dst, reach{above, false, first})
	}
	last, _ := slices.BinarySearchFunc(below, bounded{integer, ^PodClass(0)}, compareBounded)
	if n := len(below) - last; n > 0 {
		dst = append(dst, reach{below, true, n})
	}
	return dst
}

// ladder is the classes of the first so many bounds that a number may reach: the i-th set
// has those of i+1 times every.
type ladder struct {
	every int
	sets  []bits.Set[PodClass]
}

// newLadder makes a ladder for everything that there is to reach, in the order in which
// it is reached. It takes a word for each of these.
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

// addReach adds the classes that are reached to a set. The time is that of looking at a
// word for each 64 classes, once the list has its ladder.
func (t *Tolerators) addReach(s *bits.Set[PodClass], r *reach) {
	known := 0
	if every := t.words(); len(r.bounds) > every {
		l := t.ladderOf(r, every)
		if rungs := r.n / every; rungs > 0 {
			s.Or(&l.sets[rungs-1])
			t.looks += every
			known = rungs * every
		}
	}
	for i := known; i < r.n; i++ {
		s.Add(r.at(i))
	}
	t.looks += r.n - known
}

// ladderOf returns the ladder of a list, made if need be.
func (t *Tolerators) ladderOf(r *reach, every int) *ladder {
	l := t.ladders[&r.bounds[0]]
	if l == nil {
		l = newLadder(r, every)
		t.ladders[&r.bounds[0]] = l
		t.looks += 2 * len(r.bounds)
	}
	return l
}

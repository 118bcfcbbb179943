package cow_test

import (
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// Whatever is written to a vector or to a copy of it, the others hold what they held.
func TestCopiesAreApart(t *testing.T) {
	t.Run("small items", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { checkVector(t, func(n int) int { return n }) })
	})
	t.Run("large items", func(t *testing.T) {
		t.Run("huge items", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkVector(t, func(n int) [40]int { return [40]int{39: n} }) })
		})
		rapid.Check(t, func(t *rapid.T) { checkVector(t, func(n int) [9]int { return [9]int{8: n} }) })
	})
}

// state is a vector and what it has to hold.
type state[T comparable] struct {
	v     cow.Vector[T]
	items []T
}

func checkVector[T comparable](t *rapid.T, item func(int) T) {
	all := []*state[T]{{}}
	for step := range rapid.IntRange(1, 40).Draw(t, "steps") {
		s := all[rapid.IntRange(0, len(all)-1).Draw(t, "vector")]
		switch rapid.IntRange(0, 5).Draw(t, "step") {
		case 0:
			all = append(all, &state[T]{s.v.Freeze(), slices.Clone(s.items)})
		case 1:
			if len(s.items) > 0 {
				i := rapid.IntRange(0, len(s.items)-1).Draw(t, "i")
				*s.v.Edit(uint32(i)) = item(step + 1)
				s.items[i] = item(step + 1)
			}
		case 2:
			first := rapid.IntRange(0, len(s.items)).Draw(t, "first gone")
			end := rapid.IntRange(first, len(s.items)).Draw(t, "first left")
			for i := first; i < end; i++ {
				*s.v.Edit(uint32(i)) = *new(T)
				s.items[i] = *new(T)
			}
			s.v.Shed(func(i uint32) bool { return s.items[i] != *new(T) })
			for n := len(s.items); n > 0 && s.items[n-1] == *new(T); n-- {
				s.items = s.items[: n-1 : n-1]
			}
		case 3:
			n := rapid.IntRange(0, 600).Draw(t, "zeros")
			s.v.Extend(n)
			s.items = append(s.items, make([]T, n)...)
		default:
			for range rapid.IntRange(1, 300).Draw(t, "n") {
				if i := s.v.Append(item(step + 1)); int(i) != len(s.items) {
					t.Fatalf("appended at %d, want %d", i, len(s.items))
				}
				s.items = append(s.items, item(step+1))
			}
		}
	}
	for _, s := range all {
		s.check(t)
		s.checkChanged(t, all[len(all)-1])
		all[len(all)-1].checkChanged(t, s)
	}
}

func (s *state[T]) check(t *rapid.T) {
	if s.v.Len() != len(s.items) {
		t.Fatalf("length %d, want %d", s.v.Len(), len(s.items))
	}
	for i := range s.items {
		if got := *s.v.At(uint32(i)); got != s.items[i] {
			t.Fatalf("item %d is %v, want %v", i, got, s.items[i])
		}
	}
}

// checkChanged: the ranges are in order, and two states agree outside of them.
func (s *state[T]) checkChanged(t *rapid.T, other *state[T]) {
	done := 0
	item := func(items []T, i int) (x T) {
		if i < len(items) {
			x = items[i]
		}
		return x
	}
	same := func(end int) {
		for ; done < end; done++ {
			if item(s.items, done) != item(other.items, done) {
				t.Fatalf("item %d differs", done)
			}
		}
	}
	longest := max(len(s.items), len(other.items))
	for first, end := range s.v.Changed(&other.v) {
		if int(first) < done || first >= end || int(first) >= longest {
			t.Fatalf("the range from %d to %d behind %d, of %d items", first, end, done, longest)
		}
		same(int(first))
		done = int(end)
	}
	same(longest)
}

// A change shows in the chunk that it was made to, and in no other.
func TestChangedFindsChunks(t *testing.T) {
	var v cow.Vector[int]
	for i := range 2000 {
		v.Append(i)
	}
	before := v.Freeze()
	if slices.Collect(firsts(&before, &v)) != nil {
		t.Error("a vector differs from its copy")
	}
	*v.Edit(700)++
	*v.Edit(1500)++
	for first, end := range before.Changed(&v) {
		if first > 700 || end <= 700 || end > 1500 {
			t.Errorf("a change of item 700 is one from %d to %d", first, end)
		}
		break
	}
	if n := len(slices.Collect(firsts(&v, &before))); n != 2 {
		t.Errorf("changes of two items far apart are in %d ranges", n)
	}
}

func firsts(v, other *cow.Vector[int]) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for first := range v.Changed(other) {
			if !yield(first) {
				return
			}
		}
	}
}

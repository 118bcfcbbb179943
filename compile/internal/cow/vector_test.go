package cow_test

import (
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// Whatever is written later, a frozen copy holds what it held.
func TestFrozenCopiesNeverChange(t *testing.T) {
	t.Run("small items", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { checkVector(t, func(n int) int { return n }) })
	})
	t.Run("large items", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { checkVector(t, func(n int) [9]int { return [9]int{8: n} }) })
	})
}

// frozen is a copy of a vector and what it has to hold.
type frozen[T comparable] struct {
	v     cow.Vector[T]
	items []T
}

func checkVector[T comparable](t *rapid.T, item func(int) T) {
	var v cow.Vector[T]
	var model []T
	var copies []frozen[T]
	for step := range rapid.IntRange(1, 40).Draw(t, "steps") {
		switch rapid.IntRange(0, 3).Draw(t, "step") {
		case 0:
			copies = append(copies, frozen[T]{v.Freeze(), slices.Clone(model)})
		case 1:
			if len(model) > 0 {
				i := rapid.IntRange(0, len(model)-1).Draw(t, "i")
				*v.Edit(uint32(i)) = item(step)
				model[i] = item(step)
			}
		default:
			for range rapid.IntRange(1, 300).Draw(t, "n") {
				if i := v.Append(item(step)); int(i) != len(model) {
					t.Fatalf("appended at %d, want %d", i, len(model))
				}
				model = append(model, item(step))
			}
		}
	}
	copies = append(copies, frozen[T]{v.Freeze(), model})
	for i := range copies {
		copies[i].check(t)
		copies[i].checkChanged(t, &copies[len(copies)-1])
		copies[len(copies)-1].checkChanged(t, &copies[i])
	}
}

func (f *frozen[T]) check(t *rapid.T) {
	if f.v.Len() != len(f.items) {
		t.Fatalf("length %d, want %d", f.v.Len(), len(f.items))
	}
	for i := range f.items {
		if got := *f.v.At(uint32(i)); got != f.items[i] {
			t.Fatalf("item %d is %v, want %v", i, got, f.items[i])
		}
	}
	first := rapid.IntRange(0, len(f.items)).Draw(t, "first")
	end := rapid.IntRange(first, len(f.items)).Draw(t, "end")
	part := make([]T, end-first)
	if f.v.CopyTo(part, uint32(first)); !slices.Equal(part, f.items[first:end]) {
		t.Fatalf("from %d to %d are %v, want %v", first, end, part, f.items[first:end])
	}
}

// checkChanged: the ranges are in order, and two states agree outside of them.
func (f *frozen[T]) checkChanged(t *rapid.T, other *frozen[T]) {
	done := 0
	same := func(end int) {
		if done < end && (end > min(len(f.items), len(other.items)) || !slices.Equal(f.items[done:end], other.items[done:end])) {
			t.Fatalf("from %d to %d something differs", done, end)
		}
	}
	longest := max(len(f.items), len(other.items))
	for first, end := range f.v.Changed(&other.v) {
		if int(first) < done || first >= end || int(end) > longest {
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

func TestWritesAllocateOnceAfterAFreeze(t *testing.T) {
	var v cow.Vector[int]
	for i := range 1000 {
		v.Append(i)
	}
	if allocs := testing.AllocsPerRun(100, func() { *v.Edit(7)++; *v.Edit(999)++ }); allocs != 0 {
		t.Errorf("%v allocations without a freeze", allocs)
	}
	if allocs := testing.AllocsPerRun(100, func() { v.Freeze(); *v.Edit(7)++; *v.Edit(8)++ }); allocs != 2 {
		t.Errorf("%v allocations for a freeze and writes to one chunk, want 2", allocs)
	}
	if allocs := testing.AllocsPerRun(100, func() { v.Freeze(); *v.Edit(7)++; *v.Edit(999)++ }); allocs != 3 {
		t.Errorf("%v allocations for a freeze and writes to two chunks, want 3", allocs)
	}
}

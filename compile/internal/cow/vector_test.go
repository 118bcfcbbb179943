package cow_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// Whatever is written later, a frozen copy holds what it held.
func TestFrozenCopiesNeverChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var v cow.Vector[int]
		var model []int
		type frozen struct {
			v     cow.Vector[int]
			items []int
		}
		var copies []frozen
		check := func(v *cow.Vector[int], want []int) {
			if v.Len() != len(want) {
				t.Fatalf("length %d, want %d", v.Len(), len(want))
			}
			for i := range want {
				if got := *v.At(uint32(i)); got != want[i] {
					t.Fatalf("item %d is %d, want %d", i, got, want[i])
				}
			}
		}
		for step := range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				copies = append(copies, frozen{v.Freeze(), slices.Clone(model)})
			case 1:
				if len(model) > 0 {
					i := rapid.IntRange(0, len(model)-1).Draw(t, "i")
					*v.Edit(uint32(i)) = step
					model[i] = step
				}
			default:
				for range rapid.IntRange(1, 300).Draw(t, "n") {
					if i := v.Append(step); int(i) != len(model) {
						t.Fatalf("appended at %d, want %d", i, len(model))
					}
					model = append(model, step)
				}
			}
		}
		check(&v, model)
		for i := range copies {
			check(&copies[i].v, copies[i].items)
		}
	})
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
}

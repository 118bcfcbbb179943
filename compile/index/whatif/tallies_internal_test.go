package whatif

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
)

// What is added comes back, whatever the numbers are, also in part, and to many readers.
func TestTallies(t *testing.T) {
	number := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 300), rapid.Just(uint32(math.MaxUint32)))
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.SliceOfDistinct(number, rapid.ID).Draw(t, "classes")
		slices.Sort(classes)
		var all tallies
		for range 2 { // the second time after a reset
			var want []classTally
			for _, class := range classes {
				c := classTally{index.PodClass(class), number.Draw(t, "pods"), number.Draw(t, "gained"), number.Draw(t, "lost"), number.Draw(t, "evicted")}
				all.add(c)
				want = append(want, c)
			}
			got := all.clone()
			first, end := slices.Collect(all.all()), len(want)/2
			all.reset()
			if !slices.Equal(first, want) || !slices.Equal(slices.Collect(got.all()), want) {
				t.Fatalf("got %v and %v, want %v", first, slices.Collect(got.all()), want)
			}
			for c := range got.all() {
				if end--; end < 0 {
					break
				}
				if c != want[len(want)/2-1-end] {
					t.Fatalf("got %v before the end", c)
				}
			}
		}
	})
}

// Neighbours with small numbers take a byte for each number.
func TestTalliesAreSmall(t *testing.T) {
	var all tallies
	for i := range 1000 {
		all.add(classTally{index.PodClass(i), 127, 0, 127, 1})
	}
	if got := len(all.numbers); got != 5*1000 {
		t.Errorf("%d bytes for 1,000 tallies, want 5,000", got)
	}
}

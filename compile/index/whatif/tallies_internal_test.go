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

// A number takes as many bytes as it needs, and zero takes none.
func TestTalliesAreSmall(t *testing.T) {
	for want, c := range map[int]classTally{
		2:  {},
		3:  {class: 255},
		4:  {class: 256},
		5:  {pods: 1 << 16},
		6:  {gained: 1 << 24},
		13: {1, 1, 1 << 8, 1 << 16, math.MaxUint32 - 1},
		22: {math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32},
	} {
		var all tallies
		if all.add(c); len(all.bytes) != want {
			t.Errorf("%d bytes for %+v, want %d", len(all.bytes), c, want)
		}
	}
	var all tallies
	for i := range 1000 {
		all.add(classTally{class: index.PodClass(255 * i), pods: 1})
	}
	if got := len(all.bytes); got != 4*1000-1 {
		t.Errorf("%d bytes for 1,000 neighbours, want 3,999", got)
	}
}

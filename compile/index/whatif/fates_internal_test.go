package whatif

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// What is added comes back, whatever the nodes before have.
func TestFates(t *testing.T) {
	one := rapid.OneOf(rapid.Int32Range(int32(anyway), 3), rapid.Int32Range(250, 255), rapid.Int32Range(int32(anyway), math.MaxInt32))
	rapid.Check(t, func(t *rapid.T) {
		lists := rapid.SliceOf(rapid.SliceOfN(rapid.Map(one, func(f int32) fate { return fate(f) }), 1, 5)).Draw(t, "lists")
		var all fates
		firsts, hows := make([]uint32, len(lists)), make([]fate, len(lists))
		for i, list := range lists {
			firsts[i], hows[i] = all.add(list)
		}
		kept := all.clone()
		all.reset()
		all.add([]fate{stays, spared})
		for i, list := range lists {
			for j, f := range list {
				if got := kept.at(firsts[i], hows[i], j); got != f {
					t.Fatalf("fate %d of %v is %d", j, list, got)
				}
			}
		}
	})
}

// A fate takes a byte if all of the node do, and otherwise four. The lowest is that of a pod which
// is evicted anyway, the highest in a byte is 255 more.
func TestFatesAreSmall(t *testing.T) {
	highest := anyway + 255
	for _, c := range []struct {
		list []fate
		how  fate
		want int
	}{
		{[]fate{stays, spared, anyway}, differs, 3},
		{[]fate{highest, anyway}, differs, 2},
		{[]fate{0, highest + 1, anyway}, differsWidely, 12},
	} {
		var all fates
		if _, how := all.add(c.list); how != c.how || len(all.bytes) != c.want {
			t.Errorf("%v differ by %d in %d bytes, want %d and %d", c.list, how, len(all.bytes), c.how, c.want)
		}
	}
}

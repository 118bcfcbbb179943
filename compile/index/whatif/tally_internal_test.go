package whatif

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
)

// A tally counts all sequences of five pods of three classes as a map does, twice: what is taken
// is forgotten.
func TestTally(t *testing.T) {
	tally := tally{others: make([]uint32, 200)}
	classes := []index.PodClass{1, 64, 199}
	for n := range 3 * 3 * 3 * 3 * 3 {
		want := make(map[index.PodClass]uint32)
		for range 5 {
			c := classes[n%3]
			tally.add(c)
			want[c]++
			n /= 3
		}
		for _, c := range append(slices.Clone(classes), 2, 65) {
			if got := tally.take(c); got != want[c] {
				t.Fatalf("%v: %d pods of class %d, want %d", want, got, c, want[c])
			}
		}
		if tally.some.Len() != 0 || tally.several.Len() != 0 {
			t.Fatal("classes are left")
		}
	}
}

package toleration

import (
	"fmt"
	"testing"
)

// Whatever the list, its meaning takes one search for each atom and each toleration, and a
// comparison two for each atom of both: so all is n log n. Here are the most that cross: words
// by keys, and bounds that each cut all ranges before them.
func TestStepsOfMeanings(t *testing.T) {
	shapes := map[string]func(i int) string{
		"keys by words":  func(i int) string { return fmt.Sprintf("k%d=w%d", i%100, i/100) },
		"words, any key": func(i int) string { return []string{"*:NoExecute@5", fmt.Sprintf("k=w%d", i)}[i%2] },
		"above":          func(i int) string { return fmt.Sprintf("k>%d:NoExecute@%d", i, i) },
		"below":          func(i int) string { return fmt.Sprintf("k<%d:NoExecute@%d", i, i) },
		"both":           func(i int) string { return fmt.Sprintf("k%c%d:NoExecute@%d", "<>"[i%2], i, i%7) },
		"within":         func(i int) string { return fmt.Sprintf("k%c%d:NoExecute@%d", "<>"[i%2], i*(1-i%2*2), i%7) },
	}
	for name, shape := range shapes {
		for _, n := range []int{1, 10, 10_000} {
			var list []Toleration
			for i := range n {
				list = append(list, MustParse(shape(i)))
			}
			m, err := NewMeaning(list)
			if err != nil {
				t.Fatal(err)
			}
			entries, compared := 0, 0
			for i, e := range columnEffects {
				if atoms := len(atomsOf(list, e)); atoms > 4*n+1 {
					t.Errorf("%s: %d atoms of %d tolerations", name, atoms, n)
				}
				first := firstsOf(list)[i]
				if bounds := len(first.above["k"]) + len(first.below["k"]); bounds > n {
					t.Errorf("%s: %d bounds of %d tolerations", name, bounds, n)
				}
				entries += len(m.column(i))
			}
			for range m.Compare(m) {
				compared++
			}
			if compared > entries {
				t.Errorf("%s: %d comparisons of %d entries", name, compared, entries)
			}
			claims := 0
			for _, c := range claimsOf(list) {
				claims += len(c)
			}
			if claims > len(columnEffects)*(4*n+1) {
				t.Errorf("%s: %d claims of %d tolerations", name, claims, n)
			}
		}
	}
}

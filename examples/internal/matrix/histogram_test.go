package matrix

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTop compares the selection with sorting everything, before and after a
// reset.
func TestTop(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		v := &vocabulary{reasons: make([]reason, random.IntN(12))}
		start := make([]int64, len(v.reasons))
		for i := range v.reasons {
			v.reasons[i].key = string(rune('a' + i))
			start[i] = random.Int64N(4)
		}
		h := newCommon(v, slices.Clone(start)).histogram()
		for range 2 {
			counts := slices.Clone(start)
			for range random.IntN(2 * (1 + len(counts))) {
				if len(counts) > 0 {
					number := random.IntN(len(counts))
					n := random.Int64N(4) - min(2, counts[number])
					counts[number] += n
					h.add(number, n)
				}
			}
			checkTop(t, h, counts, random.IntN(14))
			h.reset()
			checkTop(t, h, start, random.IntN(14))
		}
	}
}

func checkTop(t *testing.T, h *histogram, counts []int64, limit int) {
	t.Helper()
	var all []reason
	for i, n := range counts {
		if n > 0 {
			all = append(all, reason{key: h.reasons[i].key, nodes: n})
		}
	}
	slices.SortStableFunc(all, func(a, b reason) int { return cmp.Compare(b.nodes, a.nodes) })
	list, more := h.top(limit)
	if !slices.Equal(list, all[:min(limit, len(all))]) || more != int64(len(all)-len(list)) {
		t.Fatalf("limit %d: got %v and %d more of %v", limit, list, more, all)
	}
}

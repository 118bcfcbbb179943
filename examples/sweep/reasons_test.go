package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTop compares the selection with sorting everything.
func TestTop(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		v := &vocabulary{reasons: make([]reason, random.IntN(12))}
		counts := make([]int64, len(v.reasons))
		var all []reason
		var total int64
		for i := range v.reasons {
			v.reasons[i].key = string(rune('a' + i))
			if counts[i] = random.Int64N(4); counts[i] > 0 {
				all = append(all, reason{key: v.reasons[i].key, nodes: counts[i]})
				total += counts[i]
			}
		}
		slices.SortStableFunc(all, func(a, b reason) int { return cmp.Compare(b.nodes, a.nodes) })
		limit := random.IntN(14)
		list, rest := v.top(counts, limit)
		if !slices.Equal(list, all[:min(limit, len(all))]) {
			t.Fatalf("limit %d: got %v of %v", limit, list, all)
		}
		for _, r := range list {
			total -= r.nodes
		}
		if rest != (others{int64(len(all) - len(list)), total}) || slices.ContainsFunc(counts, func(n int64) bool { return n != 0 }) {
			t.Fatalf("limit %d: others %+v, counts %v", limit, rest, counts)
		}
	}
}

package scenario_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// lists returns how many different lists nodes have, and how many without their order.
func differentLists(c *scenario.Cluster) (lists, sets int) {
	exact, unordered := map[string]bool{}, map[string]bool{}
	for _, n := range c.Nodes {
		exact[taint.FormatList(n.Taints)] = true
		sorted := slices.Clone(n.Taints)
		slices.SortFunc(sorted, func(a, b taint.Taint) int { return slices.Compare([]byte(a.String()), []byte(b.String())) })
		unordered[taint.FormatList(sorted)] = true
	}
	return len(exact), len(unordered)
}

func TestShapes(t *testing.T) {
	const n = 2000
	for name, want := range map[string]struct{ leastLists, mostLists, leastSets, mostSets int }{
		"permuted":    {1900, n, 150, 200},
		"halfown":     {1000, 1400, 1000, 1400},
		"distinct":    {1990, n, 1990, n},
		"softtimes":   {1900, n, 1900, n},
		"nearlyclean": {2, 7, 2, 7},
	} {
		maker, _ := scenario.Find(name)
		lists, sets := differentLists(maker(1, n, 0))
		if lists < want.leastLists || lists > want.mostLists || sets < want.leastSets || sets > want.mostSets {
			t.Errorf("%s: %d lists and %d sets, want %v", name, lists, sets, want)
		}
	}
	for _, size := range []int{1, 8, 9, 64, 1000} {
		if lists, _ := differentLists(scenario.PerList(size)(1, n, 0)); lists != n/size {
			t.Errorf("%d nodes a list: %d lists of %d nodes", size, lists, n)
		}
	}
}

// The pods of scenario "distinct" tolerate most keys, and some nodes; each taint is on
// many nodes.
func TestDistinctSelectsNothing(t *testing.T) {
	c := scenario.Distinct(1, 2000, 20)
	count := map[string]int{}
	for _, n := range c.Nodes {
		for i := range n.Taints {
			count[n.Taints[i].Key]++
		}
	}
	if len(count) != 360 {
		t.Errorf("%d keys", len(count))
	}
	for key, n := range count {
		if n < 20 {
			t.Errorf("%d nodes have %s", n, key)
		}
	}
	for _, p := range c.Pods {
		fits := 0
		for _, n := range c.Nodes {
			if _, refused := match.FirstUntolerated(n.Taints, p.Tolerations, taint.Hard, comparing); !refused {
				fits++
			}
		}
		if len(p.Tolerations) < 330 || fits == 0 || fits == len(c.Nodes) {
			t.Errorf("%s has %d tolerations and fits %d nodes", p.Name, len(p.Tolerations), fits)
		}
	}
}

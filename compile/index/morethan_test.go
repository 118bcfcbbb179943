package index_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// More than n nodes fit if package match says so of more than n.
func TestFitsMoreThan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}
		lists := rapid.SliceOfN(matchtest.Taints(), 1, 4).Draw(t, "taints")
		tolerations := matchtest.Tolerations(rapid.SampledFrom(lists).Draw(t, "for")).Draw(t, "tolerations")
		ix := index.New(rules)
		fits := 0
		for i := range rapid.IntRange(0, 6).Draw(t, "nodes") {
			list := rapid.SampledFrom(lists).Draw(t, "node")
			ix.Set(fmt.Sprint(i), list)
			if _, refused := match.FirstUntolerated(list, rules.Active(nil, tolerations), taint.Hard); !refused {
				fits++
			}
		}
		s := ix.Snapshot()
		var f index.Fit
		for n := range 7 {
			if got, _ := s.FitsMoreThan(&f, tolerations, n); got != (fits > n) {
				t.Fatalf("more than %d: %v, and %d fit", n, got, fits)
			}
		}
	})
}

// Nodes with a taint of their own are found without an answer for the whole fleet.
func TestFitsMoreThanStopsEarly(t *testing.T) {
	var ix index.Index
	for i := range 3000 { // one node with 0, two with 1, three with 2, one with 3, and so on
		own := i/6*3 + []int{0, 1, 1, 2, 2, 2}[i%6]
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "own", Value: fmt.Sprint(own), Effect: taint.NoSchedule}})
	}
	s := ix.Snapshot()
	for _, list := range []string{"own=7:NoSchedule", "own=7", "other,own=7"} {
		var f index.Fit
		tolerations, err := toleration.ParseList(list)
		if err != nil {
			t.Fatal(err)
		}
		if more, steps := s.FitsMoreThan(&f, tolerations, 1); !more || f.Len() != 0 || steps != 1+len(tolerations) {
			t.Errorf("%s: more than one: %v, and %d were counted in %d steps", list, more, f.Len(), steps)
		}
		if more, steps := s.FitsMoreThan(&f, tolerations, 2); more || f.Len() != 2 || steps != 3+len(tolerations) {
			t.Errorf("%s: more than two: %v, and %d were counted in %d steps", list, more, f.Len(), steps)
		}
	}
	var f index.Fit
	ix.Set("clean", nil)
	s = ix.Snapshot()
	if more, _ := s.FitsMoreThan(&f, nil, 0); !more || f.Len() != 0 {
		t.Error("a node without taints is not found early")
	}
	if s.WithoutHardTaints() != 1 {
		t.Errorf("%d nodes without hard taints", s.WithoutHardTaints())
	}
}

// Gt or Lt that a single integer satisfies counts only where comparisons do.
func TestFitsMoreThanComparisons(t *testing.T) {
	least, greatest := strconv.FormatInt(math.MinInt64, 10), strconv.FormatInt(math.MaxInt64, 10)
	for _, list := range [][]toleration.Toleration{
		{{Key: "n", Operator: toleration.OpGt, Value: strconv.FormatInt(math.MaxInt64-1, 10)}},
		{{Key: "n", Operator: toleration.OpLt, Value: strconv.FormatInt(math.MinInt64+1, 10)}},
	} {
		for _, comparisons := range []bool{false, true} {
			ix := index.New(toleration.Rules{Comparisons: comparisons})
			ix.Set("least", []taint.Taint{{Key: "n", Value: least, Effect: taint.NoSchedule}})
			ix.Set("greatest", []taint.Taint{{Key: "n", Value: greatest, Effect: taint.NoSchedule}})
			var f index.Fit
			more, steps := ix.Snapshot().FitsMoreThan(&f, list, 0)
			if more != comparisons {
				t.Errorf("%v with comparisons %v: some node fits: %v", &list[0], comparisons, more)
			}
			if more && steps != 2 { // it looks at the toleration and at what that leads to
				t.Errorf("%v: %d steps", &list[0], steps)
			}
		}
	}
}

// For every small fleet and every small list, the answer agrees with package match.
func TestFitsMoreThanExhaustively(t *testing.T) {
	taints, err := taint.ParseList("a=1:NoSchedule,a=1:NoExecute,b:NoSchedule,n=5:NoSchedule,s=1:PreferNoSchedule")
	if err != nil {
		t.Fatal(err)
	}
	taints = append(taints, taint.Taint{Key: "n", Effect: taint.NoSchedule})
	var lists [][]toleration.Toleration
	for _, text := range []string{"", "*", "a", "a=1", "a=1:NoSchedule", "a=1:NoExecute", "a=1,b=", "b=", "n>3", "n<7", "n=5", "s=1", "a=2"} {
		list, err := toleration.ParseList(text)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, list)
	}
	lists = append(lists, []toleration.Toleration{{Value: "1"}}, []toleration.Toleration{{Key: "b", Operator: "Odd"}}, []toleration.Toleration{{Key: "b", Operator: toleration.OpGt, Value: "x"}})
	var f index.Fit
	nodes := subsets(taints, 2)
	for i := range nodes {
		for j := range nodes {
			ix := index.New(comparing)
			fleet := [][]taint.Taint{nodes[i], nodes[j], nodes[i]}
			for k, list := range fleet {
				ix.Set(fmt.Sprint(k), list)
			}
			s := ix.Snapshot()
			for _, list := range lists {
				fits := 0
				for _, taints := range fleet {
					if _, refused := match.FirstUntolerated(taints, list, taint.Hard); !refused {
						fits++
					}
				}
				for n := range 4 {
					if got, _ := s.FitsMoreThan(&f, list, n); got != (fits > n) {
						t.Fatalf("%v, %v: more than %d: %v, and %d fit", fleet, list, n, got, fits)
					}
				}
			}
		}
	}
}

// A taint that all sets have is common, so that no set watches it: it leads to no set.
func TestFitsMoreThanOfCommonTaints(t *testing.T) {
	var ix index.Index
	for i := range 600 {
		ix.Set(fmt.Sprint(i), []taint.Taint{taint.MustParse("all=1:NoSchedule"), {Key: "own", Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
	}
	var f index.Fit
	list := []toleration.Toleration{toleration.MustParse("all=1")}
	if more, _ := ix.Snapshot().FitsMoreThan(&f, list, 0); more {
		t.Error("a node fits")
	}
	list = append(list, toleration.MustParse("own"))
	if more, steps := ix.Snapshot().FitsMoreThan(&f, list, 599); !more || steps < 3 {
		t.Errorf("600 nodes fit: %v in %d steps", more, steps)
	}
}

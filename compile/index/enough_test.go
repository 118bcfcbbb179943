package index_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// More than n nodes fit if package match says so of more than n.
func TestFitsMore(t *testing.T) {
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
			if got, _ := s.FitsMore(&f, tolerations, n); got != (fits > n) {
				t.Fatalf("more than %d: %v, and %d fit", n, got, fits)
			}
		}
	})
}

// Nodes with a taint of their own are found without an answer for the whole fleet.
func TestFitsMoreStopsEarly(t *testing.T) {
	var ix index.Index
	for i := range 2000 {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "own", Value: fmt.Sprint(i / 2), Effect: taint.NoSchedule}})
	}
	s := ix.Snapshot()
	for _, list := range []string{"own=7:NoSchedule", "own=7", "other,own=7"} {
		var f index.Fit
		tolerations, err := toleration.ParseList(list)
		if err != nil {
			t.Fatal(err)
		}
		if more, looks := s.FitsMore(&f, tolerations, 1); !more || f.Len() != 0 || looks > 3 {
			t.Errorf("%s: more than one: %v, and %d were counted in %d looks", list, more, f.Len(), looks)
		}
		if more, looks := s.FitsMore(&f, tolerations, 2); more || f.Len() != 2 || looks < 4 || looks > 6 {
			t.Errorf("%s: more than two: %v, and %d were counted in %d looks", list, more, f.Len(), looks)
		}
	}
	var f index.Fit
	ix.Set("clean", nil)
	s = ix.Snapshot()
	if more, _ := s.FitsMore(&f, nil, 0); !more || f.Len() != 0 {
		t.Error("a node without taints is not found at once")
	}
	if s.Clean() != 1 {
		t.Errorf("%d nodes without hard taints", s.Clean())
	}
}

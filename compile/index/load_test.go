package index_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// However often nodes are loaded with other taints, they take no more slots: those
// of lists that are gone are used again, and so are those that a list has to spare.
func TestLoadsDoNotAccumulate(t *testing.T) {
	for _, staying := range []int{0, 5, 100} {
		ix := index.New(comparing)
		lists := [][]taint.Taint{{taint.MustParse("k=a:NoSchedule")}, {taint.MustParse("k=b:NoSchedule")}}
		for i := range 2 * staying {
			ix.Set(fmt.Sprint("stays-", i), lists[i%2])
		}
		var sizes []string
		for round := range 20 {
			ix.Load(func(yield func(string, []taint.Taint) bool) {
				for i := range 1000 {
					if !yield(fmt.Sprint(i), lists[round%2]) {
						return
					}
				}
			})
			sizes = append(sizes, fmt.Sprint(ix.Sizes()))
		}
		if sizes[1] != sizes[19] {
			t.Errorf("%d nodes stay in each list: keys, pairs, sets, lists, slots were %s and are %s", staying, sizes[1], sizes[19])
		}
	}
}

// Nodes come to stand side by side, also in slots that other nodes have left.
func TestLoadedNodesStandSideBySide(t *testing.T) {
	ix := index.New(comparing)
	for round := range 6 {
		taints := []taint.Taint{{Key: "k", Value: fmt.Sprint(round), Effect: taint.NoSchedule}}
		ix.Load(func(yield func(string, []taint.Taint) bool) {
			for i := range 1000 {
				if !yield(fmt.Sprint(i), taints) {
					return
				}
			}
		})
		id, _ := ix.ID("7")
		if runs, fragments := ix.Runs(id); runs != 1 || fragments != 0 {
			t.Errorf("after %d loads the nodes are in %d runs of pages and %d fragments", round+1, runs, fragments)
		}
		if words := ix.Words(); words != 16 {
			t.Errorf("after %d loads %d words for 1000 nodes", round+1, words)
		}
	}
}

// Nodes of several lists that come in turn, one by one, stand in few runs: a list gets
// the more pages at once, the more it has.
func TestNodesInTurnMakeFewRuns(t *testing.T) {
	const lists, pages = 4, 100
	ix := index.New(comparing)
	for i := range lists * pages * 64 {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "k", Value: fmt.Sprint(i % lists), Effect: taint.NoSchedule}})
	}
	for i := range lists {
		id, _ := ix.ID(fmt.Sprint(i))
		if runs, _ := ix.Runs(id); runs > pages/3 {
			t.Errorf("%d pages in %d runs", pages, runs)
		}
	}
}

// Nodes with taints of their own share pages, however they come and change.
func TestNodesOfTheirOwnTakeNoMoreRoom(t *testing.T) {
	ix := index.New(comparing)
	for round := range 3 {
		for i := range 640 {
			ix.Set(fmt.Sprint(i), []taint.Taint{{Key: fmt.Sprint("k", round), Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
		}
	}
	if words := ix.Words(); words != 10 {
		t.Errorf("%d words for 640 nodes", words)
	}
}

// A Load that does not come to its end is none.
func TestLoadsThatPanicChangeNothing(t *testing.T) {
	ix := index.New(comparing)
	id := ix.Set("old", []taint.Taint{taint.MustParse("k=a:NoSchedule")})
	func() {
		defer func() { recover() }()
		ix.Load(func(yield func(string, []taint.Taint) bool) {
			yield("new", nil)
			yield("old", nil)
			yield("old", []taint.Taint{taint.MustParse("k=a:NoSchedule")})
			yield("other", []taint.Taint{taint.MustParse("k=b:NoSchedule")})
			panic("no more")
		})
	}()
	s := ix.Snapshot()
	var fit index.Fit
	s.FitList(&fit, []toleration.Toleration{{Key: "k", Operator: toleration.OpExists}})
	if same, _ := ix.ID("old"); same != id || s.Len() != 1 || fit.Len() != 1 || !fit.Has(id) {
		t.Errorf("%d nodes, %d of which fit, and old has ID %v, had %v", s.Len(), fit.Len(), same, id)
	}
	if reasons := fit.AppendReasons(nil); len(reasons) != 0 {
		t.Errorf("reasons %v", reasons)
	}
	ix.Load(func(yield func(string, []taint.Taint) bool) { yield("new", nil) })
	ix.Snapshot().FitList(&fit, nil)
	if fit.Len() != 1 {
		t.Errorf("%d nodes fit, want the new one", fit.Len())
	}
}

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
		var sizes []index.Sizes
		for round := range 20 {
			ix.Load(func(yield func(string, []taint.Taint) bool) {
				for i := range 1000 {
					if !yield(fmt.Sprint(i), lists[round%2]) {
						return
					}
				}
			})
			sizes = append(sizes, ix.Sizes())
		}
		if sizes[1] != sizes[19] {
			t.Errorf("%d nodes stay in each list: the sizes were %+v and are %+v", staying, sizes[1], sizes[19])
		}
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
	if reasons := fit.AppendReasons(nil, -1); len(reasons) != 0 {
		t.Errorf("reasons %v", reasons)
	}
	ix.Load(func(yield func(string, []taint.Taint) bool) { yield("new", nil) })
	ix.Snapshot().FitList(&fit, nil)
	if fit.Len() != 1 {
		t.Errorf("%d nodes fit, want the new one", fit.Len())
	}
}

// A node that is loaded with the taints that it has keeps its ID.
func TestLoadsKeepIDs(t *testing.T) {
	ix := index.New(comparing)
	list := []taint.Taint{taint.MustParse("k:NoSchedule")}
	same := ix.Set("same", list)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		_ = yield("same", list) && yield("changes", nil)
	})
	if a, _ := ix.ID("same"); a != same {
		t.Errorf("%v, and was %v", a, same)
	}
}

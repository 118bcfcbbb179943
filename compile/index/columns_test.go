package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A single column serves pods that tolerate all taints with the other effect.
func TestOneColumn(t *testing.T) {
	const sets = 400
	ix := index.New(comparing)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range sets {
			if !yield(fmt.Sprint(i), []taint.Taint{hardTaint("own", i, taint.NoExecute), hardTaint("c", 0, taint.NoSchedule)}) {
				return
			}
		}
	})
	for i := 0; ix.Columns() == 0; i++ {
		ix.Set("short", []taint.Taint{hardTaint("short", i, taint.NoExecute)})
	}
	ix.Set("later", []taint.Taint{hardTaint("own", sets, taint.NoExecute), hardTaint("c", 0, taint.NoSchedule)})
	ix.CheckAll()
	var f index.Fit
	ix.Snapshot().FitList(&f, []toleration.Toleration{{Operator: toleration.OpExists, Effect: taint.NoExecute}, {Key: "c", Value: "0"}})
	if ix.Columns() != 1 || !strings.HasPrefix(f.Plan(), "columns: 0 of 1, ") || f.Len() != ix.Len() {
		t.Errorf("%d columns: %s, %d nodes fit", ix.Columns(), f.Plan(), f.Len())
	}
}

// Columns hold any number of sets, also those that fill their chunks of memory.
func TestColumnsOfAnyNumberOfSets(t *testing.T) {
	for n := 600; n < 632; n++ {
		ix := fleetOfSets(n, func(i int) []taint.Taint {
			return []taint.Taint{hardTaint("c", i%25, taint.NoSchedule), hardTaint("d", i/25, taint.NoExecute)}
		})
		var f index.Fit
		ix.Snapshot().FitList(&f, []toleration.Toleration{toleration.MustParse("c"), toleration.MustParse("d")})
		if ix.CheckAll(); ix.Columns() < 25 || f.Len() != n {
			t.Errorf("%d sets: %d columns, and %d nodes fit", n, ix.Columns(), f.Len())
		}
	}
}

// Fewer than 256 sets have no columns, and of many a taint needs one in 128 for one. Columns
// are given up with the sets.
func TestColumnsFollowTheSets(t *testing.T) {
	ix := squareOfSets(t, 40, 0)
	for n := 100; n < 1600; n++ {
		ix.Delete(fmt.Sprint(n))
	}
	if ix.CheckAll(); ix.Columns() != 0 {
		t.Errorf("%d columns for 100 sets", ix.Columns())
	}
	for n := range 200 {
		ix.Set(fmt.Sprint(n), []taint.Taint{hardTaint("c", n/40, taint.NoSchedule), hardTaint("d", n%40, taint.NoExecute)})
	}
	for i := range 1000 {
		ix.Set("short", []taint.Taint{hardTaint("short", i, taint.NoSchedule)})
	}
	if ix.Columns() != 0 {
		t.Errorf("%d columns for 200 sets after many changes", ix.Columns())
	}
	ix = fleetOfSets(4000, func(i int) []taint.Taint {
		return []taint.Taint{hardTaint("own", i, taint.NoSchedule), hardTaint("c", i/20, taint.NoExecute)}
	})
	if ix.Columns() != 0 {
		t.Errorf("%d columns of 20 sets in 4000", ix.Columns())
	}
}

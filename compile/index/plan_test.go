package index_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A list that tolerates everything looks at no set, whatever the Fit was used for before.
func TestStepsOfEverything(t *testing.T) {
	ix := index.New(comparing)
	for i := range 10 {
		ix.Set(fmt.Sprint(i), []taint.Taint{hardTaint("own", i, taint.NoSchedule)})
	}
	s := ix.Snapshot()
	var f index.Fit
	for range 2 {
		if _, steps := s.FitsMoreThan(&f, []toleration.Toleration{{Key: "own", Operator: toleration.OpExists}}, 10); steps != 2+10+10 {
			t.Errorf("one key: %d steps", steps)
		}
		if _, steps := s.FitsMoreThan(&f, []toleration.Toleration{{Operator: toleration.OpExists}}, 10); steps != 2 || f.Plan() != "everything" {
			t.Errorf("%s: %d steps", f.Plan(), steps)
		}
	}
}

// What is counted to find the sets that fit, and what is chosen by that, are as they should be:
// a block of a column costs two sets, and to ask about four columns one.
func TestPlans(t *testing.T) {
	checkPlans(t, 16, 0, 1, 256)
	checkPlans(t, 16, 0, 1, 12)
	checkPlans(t, 40, 3000, 2, 1600)
}

// Columns that are all tolerated are counted only for more sets than two for each block and
// one for four columns.
func TestFewSetsAreWatched(t *testing.T) {
	checkFewSets(t, 16, 0, 1)
	checkFewSets(t, 40, 3000, 2)
}

// checkFewSets deletes the sets of two taints one by one, except that one set has all of these
// taints.
func checkFewSets(t *testing.T, values, own, blocks int) {
	ix := squareOfSets(t, values, own)
	var all []taint.Taint
	for i := range values {
		all = append(all, hardTaint("c", i, taint.NoSchedule), hardTaint("d", i, taint.NoExecute))
	}
	ix.Set("all", all)
	list := []toleration.Toleration{{Key: "c", Operator: toleration.OpExists}, {Key: "d", Operator: toleration.OpExists}}
	limit := 2*blocks + 2*values/4
	var f index.Fit
	for n := values*values - 1; n >= limit-5; n-- {
		ix.Delete(fmt.Sprint(n))
		sets := n + 1
		if sets > limit+5 {
			continue
		}
		ix.Snapshot().FitList(&f, list)
		want := fmt.Sprintf("watching: 1 taints, %d sets", sets) // all watch the first value of c
		if sets > limit {
			want = fmt.Sprintf("columns: 0 of %d, %d blocks, and 0 sets; watching would be %d sets", 2*values, blocks, sets)
		}
		if plan := f.Plan(); plan != want || f.Len() != sets {
			t.Errorf("%d columns, %d sets: %s, want %s, and %d nodes fit", 2*values, sets, plan, want, f.Len())
		}
	}
}

// squareOfSets returns an index of sets of two taints each, c and d of so many values, and of
// others with one of their own. Both taints of the square have columns for all values.
func squareOfSets(t *testing.T, values, own int) *index.Index {
	ix := index.New(comparing)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for n := range values * values {
			if !yield(fmt.Sprint(n), []taint.Taint{hardTaint("c", n/values, taint.NoSchedule), hardTaint("d", n%values, taint.NoExecute)}) {
				return
			}
		}
		for i := range own {
			if !yield(fmt.Sprint("own-", i), []taint.Taint{hardTaint("own", i, taint.NoSchedule)}) {
				return
			}
		}
	})
	for i := 0; ix.Columns() == 0; i++ {
		ix.Set("short", []taint.Taint{hardTaint("short", i, taint.NoSchedule)})
	}
	ix.Delete("short")
	if ix.Columns() != 2*values {
		t.Fatalf("%d columns, want %d", ix.Columns(), 2*values)
	}
	return ix
}

// checkPlans asks about a square of sets, of which only some are left. The columns have so many
// blocks.
func checkPlans(t *testing.T, values, own, blocks, left int) {
	ix := squareOfSets(t, values, own)
	for n := left; n < values*values; n++ {
		ix.Delete(fmt.Sprint(n))
	}
	columns := 2 * values
	s := ix.Snapshot()
	var f index.Fit
	for p := 0; p <= values; p += 1 + own/1000 {
		for q := 0; q <= values; q += 1 + own/1000 {
			list := []toleration.Toleration{{Key: "own", Value: "1"}}
			for i := range p {
				list = append(list, toleration.Toleration{Key: "c", Value: fmt.Sprint(i)})
			}
			for i := range q {
				list = append(list, toleration.Toleration{Key: "d", Value: fmt.Sprint(i)})
			}
			watching := min(p*values, left) // c comes first
			taints := (watching + values - 1) / values
			rare := min(own, 1)
			refusing := columns - min(p, (left+values-1)/values) - min(q, left) // with those of taints that are gone
			plan, steps := fmt.Sprintf("watching: %d taints, %d sets", taints+rare, watching+rare), taints+rare+watching+rare
			if watching > 2*blocks+columns/4 && watching > 2*blocks*(1+refusing) {
				plan = fmt.Sprintf("columns: %d of %d, %d blocks, and %d sets; watching would be %d sets", refusing, columns, blocks, rare, watching+rare)
				steps = taints + rare + rare + blocks*(1+refusing)
			}
			_, got := s.FitsMoreThan(&f, list, s.Len())
			if f.Plan() != plan || got != 1+len(list)+steps {
				t.Fatalf("%d and %d of %d values: %s in %d steps, want %s in %d", p, q, values, f.Plan(), got, plan, 1+len(list)+steps)
			}
			if want := fitting(values, left, p, q) + rare; f.Len() != want {
				t.Fatalf("%d and %d of %d values: %d nodes fit, want %d", p, q, values, f.Len(), want)
			}
		}
	}
}

// fitting counts the first nodes of checkPlans whose values are both less than given ones.
func fitting(values, nodes, c, d int) (n int) {
	for i := range nodes {
		if i/values < c && i%values < d {
			n++
		}
	}
	return n
}

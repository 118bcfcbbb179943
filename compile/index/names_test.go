package index_test

import (
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// Delete gives back the place of a name: names that are used once do not add up.
func TestDeleteGivesBackTheName(t *testing.T) {
	var ix index.Index
	taints := []taint.Taint{taint.MustParse("k:NoSchedule")}
	for i := range 100_000 {
		name := strconv.Itoa(i)
		if id := ix.Set(name, taints); id.Number() != 0 {
			t.Fatalf("node %d of one at a time has the number %d", i, id.Number())
		}
		if !ix.Delete(name) {
			t.Fatalf("node %d was not there", i)
		}
	}
	if sizes := ix.Sizes(); sizes.Nodes != 1 || sizes.Transfers > ix.MostTransfers() {
		t.Errorf("the index has room for %d nodes, and %d moves", sizes.Nodes, sizes.Transfers)
	}
	ix.CheckAll()
}

// A Diff compares what the numbers of a list mean in each snapshot: both lists have
// the same numbers, which have been given back in between.
func TestDiffOfReusedElements(t *testing.T) {
	var ix index.Index
	one, two := []taint.Taint{taint.MustParse("k=1:NoSchedule")}, []taint.Taint{taint.MustParse("k=2:NoSchedule")}
	ix.Set("n", one)
	before := ix.Snapshot()
	ix.Delete("n")
	for ix.Sizes().Released > 0 { // as the base goes
		ix.Set("n", nil)
		ix.Delete("n")
	}
	ix.Set("n", two)
	after := ix.Snapshot()
	if sizes := ix.Sizes(); sizes.Classes != 1 || sizes.Pairs > 2 {
		t.Fatalf("the numbers are not used again: %+v", sizes)
	}
	var d index.Diff
	for _, test := range []struct {
		from, to *index.Snapshot
		moves    int
	}{{before, after, 1}, {after, before, 1}, {before, before, 0}, {after, after, 0}} {
		d.Between(test.from, test.to)
		moves := 0
		for m := range d.Moves() {
			if moves++; m.Nodes != 1 || !test.from.HasClass(m.From) || !test.to.HasClass(m.To) {
				t.Errorf("move %+v", m)
			}
		}
		if moves != test.moves {
			t.Errorf("%d moves, want %d", moves, test.moves)
		}
	}
}

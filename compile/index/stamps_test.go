package index_test

import (
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// Each index takes the stamps that follow, a batch at a time, so that none comes twice.
func TestStampsComeOnce(t *testing.T) {
	var a, b index.Index
	first := a.NewStamp()
	if got := b.NewStamp(); got != first+index.StampBatch {
		t.Errorf("another index begins at stamp %d, want %d", got, first+index.StampBatch)
	}
	for want := first + 1; want < first+index.StampBatch; want++ {
		if got := a.NewStamp(); got != want {
			t.Fatalf("stamp %d, want %d", got, want)
		}
	}
	if got := a.NewStamp(); got != first+2*index.StampBatch {
		t.Errorf("the next batch begins at stamp %d, want %d", got, first+2*index.StampBatch)
	}
	if first == 0 { // which is that of no node
		t.Errorf("the first stamp is %d", first)
	}
}

// What one index gives says nothing in another that has had the same nodes.
func TestIndexesAreToldApart(t *testing.T) {
	var a, b index.Index
	for range 3 {
		for _, text := range []string{"k:NoSchedule", "k:NoExecute"} {
			list := []taint.Taint{taint.MustParse(text)}
			of, in := a.Set("node", list), b.Set("node", list)
			s := b.Snapshot()
			if of == in || s.Has(of) || s.HasClass(a.Snapshot().Class(of)) || !s.Has(in) {
				t.Errorf("%v of one index is taken for %v", of, in)
			}
		}
	}
}

// A node stays in its slot while its hard taints are the same.
func TestNodesStayInTheirSlots(t *testing.T) {
	var ix index.Index
	list := []taint.Taint{taint.MustParse("k:NoSchedule"), taint.MustParse("s:PreferNoSchedule")}
	ix.Set("a", list)
	id := ix.Set("b", list)
	slot := ix.Snapshot().Slot(id)
	ix.Delete("a") // there is a free slot now, lower than that of b
	for _, list := range [][]taint.Taint{list[:1], {list[1], list[0]}, list} {
		id := ix.Set("b", list)
		if got := ix.Snapshot().Slot(id); got != slot || got != 1 {
			t.Errorf("with %v the node is in slot %d, and was in %d", list, got, slot)
		}
	}
	before, lastOfNew := ix.Snapshot(), 4 // two of the base, and two of the transfers before it
	for i := range 10 {                   // sets change, and the base does not
		id := ix.Set("b", []taint.Taint{own(i)})
		added := ix.Set("c", []taint.Taint{own(i + 1)})
		s := ix.Snapshot()
		if got, last := s.Slot(id), s.Slot(added); !s.SameBase(before) || got != slot || last != lastOfNew {
			t.Errorf("after %d changes the node is in slot %d, and was in %d; a new one is in %d, want %d", i, got, slot, last, lastOfNew)
		}
	}
}

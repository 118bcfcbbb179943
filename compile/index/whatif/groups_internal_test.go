package whatif

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// Different chains and numbers have different keys, to the last bit.
func TestKeysDiffer(t *testing.T) {
	keys := make(map[uint64]bool)
	n := 0
	for _, chain := range []int32{0, 1, 2, 1 << 30, math.MaxInt32, -1} {
		for _, number := range []uint32{0, 1, 2, 1 << 30, 1 << 31, math.MaxUint32} {
			keys[keyOf(chain, int(number))] = true
			n++
		}
	}
	if len(keys) != n {
		t.Errorf("%d keys, want %d", len(keys), n)
	}
}

// tainted returns taints with different keys.
func tainted(n int, effect taint.Effect) (taints []taint.Taint) {
	for i := range n {
		taints = append(taints, taint.Taint{Key: fmt.Sprint(i), Effect: effect})
	}
	return taints
}

// Nodes that differ in soft taints only share a move if it is quickly known that they have no
// taint twice: up to 16 taints are compared with each other.
func TestMovesOfLongLists(t *testing.T) {
	for taints, want := range map[int]int{1: 1, 15: 1, 16: 1, 17: 2, 18: 2} {
		var ix index.Index
		for _, value := range []string{"a", "b"} {
			soft := taint.Taint{Key: "soft", Value: value, Effect: taint.PreferNoSchedule}
			ix.Set(value, append(tainted(taints-1, taint.NoSchedule), soft))
		}
		plan, err := Parse("taint nodes --all x:NoSchedule")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Evaluate(ix.Snapshot(), new(Pods), plan, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.moves) != want {
			t.Errorf("%d taints: %d moves, want %d", taints, len(r.moves), want)
		}
	}
}

// Lists with the same set are unique if one of them is, and if they are as long, whichever comes
// first. Soft taints are in no set.
func TestUniqueListsOfSets(t *testing.T) {
	one, twice := tainted(1, taint.NoSchedule), slices.Repeat(tainted(1, taint.NoSchedule), 2)
	soft := append(tainted(1, taint.NoSchedule), slices.Repeat(tainted(1, taint.PreferNoSchedule), 2)...)
	three := tainted(3, taint.NoSchedule)
	for _, lists := range [][][]taint.Taint{{one, twice, one}, {twice, one, twice}, {soft, three, soft}, {three, soft, three}} {
		c := cache{lengths: make([]uint8, 5)}
		for _, list := range lists {
			rows := make([]index.TaintRow, len(list))
			for i := range list {
				if list[i].Effect == taint.NoSchedule {
					rows[i] = 7
				}
			}
			if got, want := c.uniqueInSet(4, list, rows), unique(list); got != want {
				t.Errorf("%v: %t, want %t", list, got, want)
			}
		}
	}
	c, rows := cache{lengths: make([]uint8, 1)}, []index.TaintRow{1, 2, 3}
	c.uniqueInSet(0, three, rows)
	if same := slices.Repeat(three[:1], 3); !c.uniqueInSet(0, same, rows) {
		t.Error("a list of the same set and length is looked through again")
	}
}

// A result has room for its moves, and not for all groups of nodes.
func TestRoomForMoves(t *testing.T) {
	const n = 1000
	var ix index.Index
	for i := range n {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "soft", Value: fmt.Sprint(i), Effect: taint.PreferNoSchedule}})
	}
	r := evaluated(t, &ix, new(Pods), "taint nodes --all x:NoExecute")
	if len(r.outcome.groups) != n || len(r.moves) != 1 || cap(r.moves) > 8 {
		t.Errorf("%d groups, %d moves and room for %d, want %d, 1 and about that", len(r.outcome.groups), len(r.moves), cap(r.moves), n)
	}
}

// Nodes that are selected by name have room at once.
func TestRoomForNames(t *testing.T) {
	const n = 1000
	var ix index.Index
	var p Pods
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint(i))
		ix.Set(names[i], nil)
	}
	fleet := ix.Snapshot()
	plan := Plan{Steps: []Step{{Action: Cordon, Nodes: Nodes{Names: names}}}}
	e := &evaluation{fleet: fleet, pods: &p, plan: plan, cache: p.recall(fleet)}
	e.resolve()
	if got, want := cap(e.nodes), cap(slices.Grow([]selected(nil), n)); len(e.nodes) != n || got != want {
		t.Errorf("%d nodes and room for %d, want %d", len(e.nodes), got, want)
	}
}

// Texts have an item for each position up to the last one that was set.
func TestTextsAreAsLongAsNeedBe(t *testing.T) {
	var x texts
	for i := range 4 {
		x.setOwner(uint32(i), fmt.Sprint(i))
		x.setOwner(0, "again")
		if got := x.owners.Len(); got != i+1 {
			t.Errorf("%d owners, want %d", got, i+1)
		}
	}
	if x.setOwner(9, "far"); x.owners.Len() != 10 || x.freeze().owner(9) != "far" || x.freeze().owner(1) != "1" || x.freeze().owner(5) != "" {
		t.Errorf("%d owners, of which the last is %q", x.owners.Len(), x.freeze().owner(9))
	}
}

package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/fleet"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
)

// Whatever pods come and go, a change of a node's taints tells whom it concerns.
func TestChangesAgreeWithMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := index.NewPods(comparing)
		var change index.Impact
		taints := rapid.SliceOfN(matchtest.Taints(), 2, 4).Draw(t, "taints")
		var classes []index.PodClass
		for range rapid.IntRange(0, 60).Draw(t, "pods") {
			if len(classes) > 0 && rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
				i := rapid.IntRange(0, len(classes)-1).Draw(t, "i")
				if !pods.Remove(classes[i]) {
					t.Fatalf("class %d has no pods", classes[i])
				}
				classes = slices.Delete(classes, i, i+1)
				continue
			}
			classes = append(classes, pods.Add(matchtest.Tolerations(rapid.SampledFrom(taints).Draw(t, "for")).Draw(t, "pod")))
		}
		before, after := fleet.Side{There: true, Taints: taints[0]}, fleet.Side{There: true, Taints: taints[1]}
		pods.NodeUpdated(&change, before.Taints, after.Taints)
		fleet.CheckChange(t, &change, pods, before, after)
		pods.NodeAdded(&change, after.Taints)
		fleet.CheckChange(t, &change, pods, fleet.Side{}, after)
		pods.NodeDeleted(&change, before.Taints)
		fleet.CheckChange(t, &change, pods, before, fleet.Side{})
		for _, class := range classes {
			pods.Remove(class)
		}
		if keys := pods.Postings(); keys != 0 {
			t.Fatalf("%d keys are left when all pods are gone", keys)
		}
	})
}

// Snapshots of different indexes are compared by names and taints.
func TestDiffOfDifferentIndexes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var two [2]fleet.Taken
		for i := range two {
			ix := index.New(comparing)
			two[i] = fleet.Taken{Nodes: map[string][]taint.Taint{}, IDs: map[string]index.NodeID{}}
			lists := rapid.SliceOfN(matchtest.Taints(), 1, 3).Draw(t, "lists")
			for range rapid.IntRange(0, 30).Draw(t, "nodes") {
				name := names.Draw(t, "name")
				two[i].Nodes[name] = rapid.SampledFrom(lists).Draw(t, "taints")
				two[i].IDs[name] = ix.Set(name, two[i].Nodes[name])
			}
			two[i].Snapshot = ix.Snapshot()
		}
		pods := index.NewPods(comparing)
		pods.Add(nil)
		var diff index.Diff
		diff.Between(two[0].Snapshot, two[1].Snapshot)
		fleet.CheckDiff(t, &diff, pods, &two[0], &two[1])
	})
}

func TestDiffsAndChangesDoNotAllocate(t *testing.T) {
	c := scenario.Pools(1, 1000, 1000)
	ix := load(c)
	pods := index.NewPods(comparing)
	for i := range c.Pods {
		pods.Add(c.Pods[i].Tolerations)
	}
	before := ix.Snapshot()
	ix.Set("node-000001", []taint.Taint{taint.MustParse("a=b:NoSchedule"), taint.MustParse("c:NoExecute")})
	ix.Set("another", nil)
	ix.Delete("node-000002")
	after := ix.Snapshot()
	var diff index.Diff
	var change index.Impact
	var moves int
	if allocs := testing.AllocsPerRun(100, func() {
		diff.Between(before, after)
		moves = 0
		for m := range diff.Moves() {
			moves++
			diff.Impact(&change, pods, m)
			for range change.NowFit() {
			}
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if moves != 3 {
		t.Errorf("%d moves, want 3", moves)
	}
}

// Nodes that go from one class to another are one move, whatever their names, and those with
// the same taints are none, though another index has other numbers for them.
func TestMovesComeOnce(t *testing.T) {
	a, b := []taint.Taint{taint.MustParse("a:NoSchedule")}, []taint.Taint{taint.MustParse("b:NoSchedule")}
	lists := [][]taint.Taint{a, b, nil}
	var before, after index.Index
	after.Set("other", b)
	after.Delete("other")
	want := map[string]string{}
	for i := range 27 { // each list before, three after, in turn by name
		name := fmt.Sprint(i)
		from, to := i%3, i/3%3
		before.Set(name, lists[from])
		after.Set(name, lists[to])
		if from != to {
			want[fmt.Sprint(from, to)] += name + " "
		}
	}
	var d index.Diff
	d.Between(before.Snapshot(), after.Snapshot())
	moves := 0
	for m := range d.Moves() {
		moves++
		text := func(s *index.Snapshot, c index.Class) int {
			return slices.IndexFunc(lists, func(list []taint.Taint) bool { return slices.Equal(list, s.AppendTaints(nil, c)) })
		}
		names := slices.Collect(d.Names(m))
		expected := strings.Fields(want[fmt.Sprint(text(before.Snapshot(), m.From), text(after.Snapshot(), m.To))])
		slices.Sort(expected)
		if !slices.Equal(names, expected) || m.Nodes != len(names) {
			t.Errorf("%d nodes from %d to %d: %v, want %v", m.Nodes, text(before.Snapshot(), m.From), text(after.Snapshot(), m.To), names, expected)
		}
	}
	if moves != 6 {
		t.Errorf("%d moves, want 6", moves)
	}
}

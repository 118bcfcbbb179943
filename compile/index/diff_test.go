package index_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// addPod adds a pod class to the model, which likely tolerates some node.
func (m *model) addPod(t *rapid.T) {
	var taints []taint.Taint
	if len(m.fleet) > 0 {
		taints = m.fleet[rapid.SampledFrom(slices.Sorted(maps.Keys(m.fleet))).Draw(t, "node")]
	}
	if m.pods.Len() < 20 {
		m.pods.Add(matchtest.Tolerations(taints).Draw(t, "pod"))
	}
}

// compareTwo compares the difference of two snapshots with that of two maps.
func (m *model) compareTwo(t *rapid.T) {
	if len(m.taken) == 0 {
		return
	}
	before := rapid.SampledFrom(m.taken).Draw(t, "before")
	after := rapid.SampledFrom(m.taken).Draw(t, "after")
	m.diff.Between(before.snapshot, after.snapshot)
	checkDiff(t, &m.diff, m.pods, &before, &after)
}

// known returns what an index knows of taints.
func known(taints []taint.Taint) string { return fmt.Sprintf("%q", taint.FormatList(taints)) }

func checkDiff(t *rapid.T, d *index.Diff, pods *index.Pods, before, after *taken) {
	names := maps.Clone(before.fleet)
	maps.Copy(names, after.fleet)
	moved := map[string]bool{}
	var change index.Change
	for m := range d.Moves() {
		d.Change(&change, pods, m)
		count := 0
		for name := range d.Names(m) {
			if count++; moved[name] {
				t.Fatalf("%s moves twice", name)
			}
			moved[name] = true
			from, to := side{taints: before.fleet[name]}, side{taints: after.fleet[name]}
			_, from.there = before.fleet[name]
			_, to.there = after.fleet[name]
			if m.From != before.snapshot.Class(before.ids[name]) || m.To != after.snapshot.Class(after.ids[name]) {
				t.Fatalf("%s moves from %v to %v", name, m.From, m.To)
			}
			checkChange(t, &change, pods, from, to)
		}
		if count != m.Nodes || count == 0 {
			t.Fatalf("%d nodes, %d names", m.Nodes, count)
		}
	}
	for name := range names {
		a, inA := before.fleet[name]
		b, inB := after.fleet[name]
		if changed := inA != inB || known(a) != known(b); changed != moved[name] {
			t.Fatalf("%s went from %q to %q: moved %v", name, taint.FormatList(a), taint.FormatList(b), moved[name])
		}
	}
}

// side is a node before or after a change.
type side struct {
	there  bool
	taints []taint.Taint
}

func (s side) fits(tolerations []toleration.Toleration) bool {
	_, refused := match.FirstUntolerated(s.taints, tolerations, taint.Hard)
	return s.there && !refused
}

func (s side) evicts(tolerations []toleration.Toleration) bool {
	_, evicted := match.FirstUntolerated(s.taints, tolerations, taint.Evicting)
	return s.there && evicted
}

// checkChange compares a change with what match says of both sides.
func checkChange(t rapid.TB, c *index.Change, pods *index.Pods, before, after side) {
	var nowFit, fitNoMore, mustLeave []index.PodClass
	for class := range pods.All() {
		tolerations := pods.Tolerations(class)
		switch a, b := before.fits(tolerations), after.fits(tolerations); {
		case !a && b:
			nowFit = append(nowFit, class)
		case a && !b:
			fitNoMore = append(fitNoMore, class)
		}
		if before.there && !before.evicts(tolerations) && after.evicts(tolerations) {
			mustLeave = append(mustLeave, class)
		}
	}
	for _, set := range []struct {
		what      string
		got, want []index.PodClass
	}{
		{"fit now", slices.Collect(c.NowFit()), nowFit},
		{"fit no more", slices.Collect(c.FitNoMore()), fitNoMore},
		{"must leave", slices.Collect(c.MustLeave()), mustLeave},
	} {
		if !slices.Equal(set.got, set.want) {
			t.Fatalf("from %q to %q: %v %s, want %v", taint.FormatList(before.taints), taint.FormatList(after.taints), set.got, set.what, set.want)
		}
	}
}

// Whatever pods come and go, a change of a node's taints tells whom it concerns.
func TestChangesAgreeWithMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := index.NewPods(comparing)
		var change index.Change
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
		before, after := side{true, taints[0]}, side{true, taints[1]}
		pods.NodeUpdated(&change, before.taints, after.taints)
		checkChange(t, &change, pods, before, after)
		pods.NodeAdded(&change, after.taints)
		checkChange(t, &change, pods, side{}, after)
		pods.NodeDeleted(&change, before.taints)
		checkChange(t, &change, pods, before, side{})
		for _, class := range classes {
			pods.Remove(class)
		}
		if keys := pods.PostingKeys(); keys != 0 {
			t.Fatalf("%d keys are left when all pods are gone", keys)
		}
	})
}

// Snapshots of different indexes are compared by names and taints.
func TestDiffOfDifferentIndexes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var two [2]taken
		for i := range two {
			ix := index.New(comparing)
			two[i] = taken{fleet: map[string][]taint.Taint{}, ids: map[string]index.NodeID{}}
			lists := rapid.SliceOfN(matchtest.Taints(), 1, 3).Draw(t, "lists")
			for range rapid.IntRange(0, 30).Draw(t, "nodes") {
				name := names.Draw(t, "name")
				two[i].fleet[name] = rapid.SampledFrom(lists).Draw(t, "taints")
				two[i].ids[name] = ix.Set(name, two[i].fleet[name])
			}
			two[i].snapshot = ix.Snapshot()
		}
		pods := index.NewPods(comparing)
		pods.Add(nil)
		var diff index.Diff
		diff.Between(two[0].snapshot, two[1].snapshot)
		checkDiff(t, &diff, pods, &two[0], &two[1])
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
	var change index.Change
	var moves int
	if allocs := testing.AllocsPerRun(100, func() {
		diff.Between(before, after)
		moves = 0
		for m := range diff.Moves() {
			moves++
			diff.Change(&change, pods, m)
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

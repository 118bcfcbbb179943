package index_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// everyAnswer asks a Fit for all that it tells of a node and a class, to see that
// nothing panics, and returns whether the node and the class fit.
func everyAnswer(f *index.Fit, id index.NodeID, class index.Class) (node, nodes bool) {
	f.CountUntolerated(class, taint.Soft)
	f.EvictionDelay(class)
	f.FirstUntolerated(class, taint.Hard)
	f.AppendReasons(nil, -1)
	f.AppendScores(nil, []index.NodeID{id})
	f.AppendWords(nil)
	for range f.Nodes() {
	}
	return f.Has(id), f.HasClass(class)
}

var exists = []toleration.Toleration{{Operator: toleration.OpExists}}

func TestUnknownNodes(t *testing.T) {
	ix := index.New(comparing)
	if _, known := ix.ID("nobody"); known || ix.Delete("nobody") {
		t.Error("an empty index knows a node")
	}
	s := ix.Snapshot()
	if name, known := s.Name(index.NodeID{}); known {
		t.Errorf("the zero ID is that of %q", name)
	}
	var fit index.Fit
	s.FitList(&fit, exists)
	if node, class := everyAnswer(&fit, index.NodeID{}, index.Class{}); node || class || fit.Len() != 0 {
		t.Errorf("no node fits: %v, %v, %d", node, class, fit.Len())
	}
}

func TestASecondSetReplacesTheFirst(t *testing.T) {
	ix := index.New(comparing)
	first := ix.Set("a", []taint.Taint{taint.MustParse("k:NoSchedule")})
	second := ix.Set("a", nil)
	if first == second || ix.Len() != 1 {
		t.Errorf("IDs %v and %v, %d nodes", first, second, ix.Len())
	}
	if again := ix.Set("a", []taint.Taint{}); again != second {
		t.Errorf("no taints in other words: ID %v, was %v", again, second)
	}
	s := ix.Snapshot()
	var fit index.Fit
	s.FitList(&fit, nil)
	if fit.Len() != 1 || fit.Has(first) || !fit.Has(second) {
		t.Errorf("%d nodes fit, the first ID %v, the second %v", fit.Len(), fit.Has(first), fit.Has(second))
	}
}

func TestIDsOfDeletedNodes(t *testing.T) {
	ix := index.New(comparing)
	gone := ix.Set("a", nil)
	before := ix.Snapshot()
	ix.Delete("a")
	ix.Set("b", nil) // in the slot that a left
	after := ix.Snapshot()
	var fit index.Fit
	after.FitList(&fit, exists)
	if _, known := after.Name(gone); known || fit.Has(gone) || after.Class(gone) != (index.Class{}) {
		t.Error("a node that is gone is known")
	}
	before.FitList(&fit, exists)
	if name, known := before.Name(gone); !known || name != "a" || !fit.Has(gone) {
		t.Errorf("an older snapshot forgets a node: %q, %v", name, known)
	}
}

func TestIDsOfAnotherIndex(t *testing.T) {
	one, other := index.New(comparing), index.New(comparing)
	var ids []index.NodeID
	for i := range 100 {
		ids = append(ids, one.Set(fmt.Sprint(i), nil))
		other.Set(fmt.Sprint(i), nil)
	}
	s := other.Snapshot()
	var fit index.Fit
	s.FitList(&fit, exists)
	for _, id := range ids {
		if name, known := s.Name(id); known || fit.Has(id) {
			t.Fatalf("%v of one index is %q in another", id, name)
		}
	}
}

// What is said of a class of another snapshot is not specified, but nothing panics.
func TestClassesOfAnotherSnapshot(t *testing.T) {
	large, small := index.New(comparing), index.New(comparing)
	var classes []index.Class
	for i := range 100 {
		name := fmt.Sprint(i)
		large.Set(name, []taint.Taint{{Key: "k", Value: name, Effect: taint.NoExecute}})
	}
	s := large.Snapshot()
	for i := range 100 {
		id, _ := large.ID(fmt.Sprint(i))
		classes = append(classes, s.Class(id))
	}
	var fit index.Fit
	for _, snapshot := range []*index.Snapshot{small.Snapshot(), new(index.Snapshot), s} {
		snapshot.FitList(&fit, nil)
		for _, class := range classes {
			everyAnswer(&fit, index.NodeID{}, class)
		}
	}
	var zero index.Fit
	for _, class := range classes {
		if _, fits := everyAnswer(&zero, index.NodeID{}, class); fits {
			t.Fatal("a class fits the zero Fit")
		}
	}
}

func TestZeroValues(t *testing.T) {
	var s index.Snapshot
	var fit index.Fit
	s.FitList(&fit, exists)
	var diff index.Diff
	pods := index.NewPods(comparing)
	var change index.Impact
	diff.Between(&s, new(index.Snapshot))
	pods.NodeUpdated(&change, nil, nil)
	if moves, fits := slices.Collect(diff.Moves()), slices.Collect(change.NowFit()); s.Len() != 0 || fit.Len() != 0 || moves != nil || fits != nil {
		t.Errorf("%d nodes, %d fit, moves %v, %v fit now", s.Len(), fit.Len(), moves, fits)
	}
	if pods.Remove(0) || pods.Remove(7) || pods.Count(7) != 0 || pods.Tolerations(7) != nil {
		t.Error("a class without pods is known")
	}
	for range (&index.Diff{}).Moves() {
		t.Error("a move out of nothing")
	}
}

// A Move of another Diff, or of an earlier filling of this one, has no nodes and means nothing.
func TestMovesOfAnotherDiff(t *testing.T) {
	ix := index.New(comparing)
	before := ix.Snapshot()
	for i := range 10 {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "k", Value: fmt.Sprint(i), Effect: taint.NoExecute}})
	}
	var diff index.Diff
	diff.Between(before, ix.Snapshot())
	moves := slices.Collect(diff.Moves())
	if len(moves) != 10 {
		t.Fatalf("%d moves, want 10", len(moves))
	}
	moves = append(moves, index.Move{Nodes: -1}, index.Move{Nodes: math.MaxInt}, index.Move{From: moves[9].To, Nodes: 1})
	pods := index.NewPods(comparing)
	pods.Add(exists)
	pods.Add(nil)
	var again, nothing index.Diff
	diff.Between(before, ix.Snapshot())
	nothing.Between(before, before)
	again.Between(before, ix.Snapshot())
	for _, d := range []*index.Diff{&diff, &again, &nothing, new(index.Diff)} {
		for _, m := range moves {
			if names := slices.Collect(d.Names(m)); names != nil {
				t.Errorf("no node moves, but %q do", names)
			}
			var change index.Impact
			pods.NodeAdded(&change, nil)
			d.Impact(&change, pods, m)
			for c := range change.NowFit() {
				t.Errorf("a stale move lets pod class %d fit", c)
			}
		}
	}
}

// 10,000 taints on one node, and as many tolerations in one pod.
func TestLongLists(t *testing.T) {
	n := 10_000
	if testing.Short() || raceDetector {
		n = 1000
	}
	var taints []taint.Taint
	var tolerations []toleration.Toleration
	for i := range n {
		taints = append(taints, taint.Taint{Key: fmt.Sprint("key-", i%1000), Value: fmt.Sprint(i), Effect: [...]taint.Effect{taint.NoSchedule, taint.NoExecute, taint.PreferNoSchedule}[i%3]})
		tolerations = append(tolerations, toleration.Toleration{Key: taints[i].Key, Value: taints[i].Value, Effect: taints[i].Effect})
	}
	nodes := map[string][]taint.Taint{
		"all": taints, "none": nil, "most": taints[1:],
		"one more": append(slices.Clone(taints), taint.MustParse("other:NoExecute")),
		"repeated": append(slices.Clone(taints), taints...),
	}
	ix := index.New(comparing)
	ix.Load(maps.All(nodes))
	s := ix.Snapshot()
	var fit index.Fit
	for _, list := range [][]toleration.Toleration{nil, tolerations, tolerations[1:]} {
		s.FitList(&fit, list)
		for name, taints := range nodes {
			id, _ := ix.ID(name)
			if _, refused := match.FirstUntolerated(taints, list, taint.Hard, comparing); fit.Has(id) == refused {
				t.Errorf("%s and %d tolerations: fits %v", name, len(list), fit.Has(id))
			}
		}
		if got, want := fit.CountUntolerated(s.Class(idOf(ix, "repeated")), taint.Soft), match.CountUntolerated(nodes["repeated"], list, taint.Soft, comparing); got != want {
			t.Errorf("score %d, want %d", got, want)
		}
	}
}

func idOf(ix *index.Index, name string) index.NodeID {
	id, _ := ix.ID(name)
	return id
}

// Nodes with the same hard taints come together, in the same order each time.
func TestNodesComeBySet(t *testing.T) {
	c := scenario.Pools(1, 2000, 50)
	s := load(c).Snapshot()
	var fit index.Fit
	for _, pod := range c.Pods {
		s.FitList(&fit, pod.Tolerations)
		order := slices.Collect(fit.Nodes())
		done, last := map[string]bool{}, "none"
		for _, id := range order {
			if set := hardOf(c.Nodes[id.Number()].Taints); set != last {
				if done[set] {
					t.Fatalf("%s: the nodes with %s come in two parts", pod.Name, set)
				}
				done[last], last = true, set
			}
		}
		s.FitList(&fit, pod.Tolerations)
		if again := slices.Collect(fit.Nodes()); !slices.Equal(again, order) {
			t.Fatalf("%s: another order the second time", pod.Name)
		}
	}
}

// hardOf returns the hard taints of a list without their order.
func hardOf(taints []taint.Taint) string {
	var texts []string
	for i := range taints {
		if taint.Hard.Has(taints[i].Effect) {
			texts = append(texts, taints[i].String())
		}
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ",")
}

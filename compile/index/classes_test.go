package index_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/fleet"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Lists with the same taints in other orders come and go in any order, and so do sets
// that watch the same taint: a pod that fits them finds the nodes of each, and no
// others.
func TestListsAndSetsComeAndGo(t *testing.T) {
	taints := []taint.Taint{taint.MustParse("k=a:NoSchedule"), taint.MustParse("k=a:NoExecute"), taint.MustParse("k=b:NoSchedule")}
	extra := []taint.Taint{taint.MustParse("x:NoSchedule"), taint.MustParse("y:NoSchedule")}
	pods := [][]toleration.Toleration{nil, {{Key: "k", Operator: toleration.OpExists}}, {{Key: "k", Value: "a"}, {Key: "k", Value: "b"}, {Key: "x"}}, exists}
	random := rand.New(rand.NewPCG(1, 1))
	ix := index.New(comparing)
	ids := map[string]index.NodeID{}
	lists := map[string][]taint.Taint{}
	var fit index.Fit
	for range 500 {
		name := fmt.Sprint(random.IntN(8))
		if _, known := ids[name]; known {
			ix.Delete(name)
			delete(ids, name)
		} else {
			list := append([]taint.Taint{extra[random.IntN(2)]}, taints...)[random.IntN(2):]
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			ids[name], lists[name] = ix.Set(name, list), list
		}
		s := ix.Snapshot()
		for _, pod := range pods {
			s.FitList(&fit, pod)
			found := map[index.NodeID]bool{}
			for id := range fit.Nodes() {
				found[id] = true
			}
			words := fit.AppendWords(nil)
			for name, id := range ids {
				fits := fleet.Side{There: true, Taints: lists[name]}.Fits(pod)
				if bit := words[s.Slot(id)/64]>>(s.Slot(id)%64)&1 != 0; found[id] != fits || bit != fits || fit.Has(id) != fits {
					t.Fatalf("pod %q on %q: found %v, bit %v, has %v", toleration.FormatList(pod), taint.FormatList(lists[name]), found[id], bit, fit.Has(id))
				}
			}
			if len(found) != fit.Len() {
				t.Fatalf("pod %q: %d nodes, and %d are found", toleration.FormatList(pod), fit.Len(), len(found))
			}
		}
	}
}

// To a Fit that has no snapshot, and to one whose snapshot does not have the nodes, these are
// nodes with a taint that nothing tolerates.
func TestAnswersOfNothing(t *testing.T) {
	ix := index.New(comparing)
	id := ix.Set("node", []taint.Taint{{Key: "k", Effect: taint.NoExecute}, {Key: "s", Effect: taint.PreferNoSchedule}})
	class := ix.Snapshot().Class(id)
	var zero, other index.Fit
	index.New(comparing).Snapshot().FitList(&other, nil)
	for _, f := range []*index.Fit{&zero, &other} {
		if got := f.AppendScores([]int64{7}, []index.NodeID{id, {}}); len(got) != 3 || got[0] != 7 || got[1] != 0 || got[2] != 0 {
			t.Errorf("scores %v", got)
		}
		for _, c := range []index.Class{class, {}} {
			if after, evicted := f.EvictionDelay(c); after != 0 || !evicted {
				t.Errorf("class %v: evicted %t after %v", c, evicted, after)
			}
			if x, ok := f.FirstUntolerated(c, taint.AllEffects); x != (taint.Taint{}) || !ok {
				t.Errorf("class %v: %v", c, x)
			}
			if n := f.CountUntolerated(c, taint.AllEffects); n != 1 || f.HasClass(c) {
				t.Errorf("class %v: %d untolerated", c, n)
			}
		}
		if f.Has(id) || f.Len() != 0 || f.AppendReasons(nil, -1) != nil || len(f.AppendWords(nil)) != 0 {
			t.Error("a node fits, or does not")
		}
	}
}

// The nodes that fit may be left off anywhere: among those that fit whatever their keys, those
// that tolerations lead to, those that columns say, and those of a page of their own.
func TestNodesThatFitStop(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 4))
	ix := index.New(comparing)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range 1500 {
			list := unselectiveTaints(random)
			switch {
			case i < 3:
				list = nil
			case i < 150:
				list = []taint.Taint{taint.MustParse("pool:NoSchedule")}
			case i < 153:
				list = []taint.Taint{hardTaint("own", i, taint.NoSchedule)}
			}
			if !yield(fmt.Sprint(i), list) {
				return
			}
		}
	})
	s := ix.Snapshot()
	list := []toleration.Toleration{{Key: "pool", Operator: toleration.OpExists}, {Key: "own", Operator: toleration.OpExists}}
	for k := range 58 {
		list = append(list, toleration.Toleration{Key: fmt.Sprint("k", k), Operator: toleration.OpExists})
	}
	for _, list := range [][]toleration.Toleration{list, list[:2], {{Operator: toleration.OpExists, Effect: taint.NoSchedule}}} {
		var fit index.Fit
		s.FitList(&fit, list)
		for n := 1; n <= fit.Len(); n++ {
			left := n
			for range fit.Nodes() {
				if left--; left == 0 {
					break
				}
			}
			if left > 0 {
				t.Fatalf("%d of %d nodes are missing", left, n)
			}
		}
	}
}

// A change of numbers does not allocate where Gt and Lt both are reached.
func TestChangesOfNumbersDoNotAllocate(t *testing.T) {
	pods := index.NewPods(comparing)
	for _, text := range []string{"n>3", "n<7", "n=5"} {
		list, err := toleration.ParseList(text)
		if err != nil {
			t.Fatal(err)
		}
		pods.Add(list)
	}
	var c index.Impact
	before, after := []taint.Taint{taint.MustParse("n=9:NoSchedule")}, []taint.Taint{taint.MustParse("n=5:NoSchedule")}
	if n := testing.AllocsPerRun(100, func() { pods.NodeUpdated(&c, before, after) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

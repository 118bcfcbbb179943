package scheduler

import (
	"fmt"
	"sync"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest"
)

// compareHint asks about a change of a node, and holds the answer against the objects.
func compareHint(tb rapid.TB, pl *Plugin, tolerations []v1.Toleration, before, after *v1.Node) {
	tb.Helper()
	var old any
	if before != nil {
		old = before
	}
	hint, err := pl.nodeHint()(klog.Logger{}, &v1.Pod{Spec: v1.PodSpec{Tolerations: tolerations}}, old, after)
	if want := pl.decide(tolerations, before, after); err != nil || (hint == fwk.Queue) != want {
		tb.Fatalf("a pod with %v, and a node that was %v and is %v: %v, %v, want %t", tolerations, before, after, hint, err, want)
	}
}

// TestPendingRemembers asks about changes in any order, for pods with lists of their own,
// equal lists, and lists that begin where others do.
func TestPendingRemembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pl := withComparisons(rapid.Bool().Draw(t, "comparisons"))
		var nodes []*v1.Node
		for range rapid.IntRange(1, 4).Draw(t, "nodes") {
			nodes = append(nodes, newNode("n", matchtest.Taints().Draw(t, "taints"), rapid.Bool().Draw(t, "cordoned")))
		}
		var lists [][]v1.Toleration
		for range rapid.IntRange(1, 6).Draw(t, "lists") {
			list := newPod(matchtest.Tolerations(nil).Draw(t, "tolerations")).Spec.Tolerations
			lists = append(lists, list, append([]v1.Toleration(nil), list...), list[:len(list)/2])
		}
		for range 40 {
			after := rapid.SampledFrom(nodes).Draw(t, "after")
			before := rapid.SampledFrom(append(nodes, nil)).Draw(t, "before")
			for range rapid.IntRange(1, 4).Draw(t, "pods") {
				compareHint(t, pl, rapid.SampledFrom(lists).Draw(t, "list"), before, after)
			}
		}
	})
}

// TestPendingOfPartsOfAList: a list that begins in the same memory is another list.
func TestPendingOfPartsOfAList(t *testing.T) {
	pl, list := NewPlugin(Args{}), newPod(mustTolerations(t, "a:NoSchedule,b:NoSchedule")).Spec.Tolerations
	before, after := newNode("n", nil, true), newNode("n", mustTaints(t, "a:NoSchedule,b:NoSchedule"), false)
	for range 4 {
		compareHint(t, pl, list, before, after)
		compareHint(t, pl, list[:1], before, after)
	}
}

// manyLists makes lists of their own memory, of so many kinds.
func manyLists(n, kinds int) (lists [][]v1.Toleration) {
	for i := range n {
		lists = append(lists, []v1.Toleration{{Key: "a", Value: fmt.Sprint(i % kinds)}})
	}
	return lists
}

// TestPendingDecidesOnce: pods with the same words share an answer, nearly all are known
// after the first change, and what is kept is bounded.
func TestPendingDecidesOnce(t *testing.T) {
	pl := NewPlugin(Args{})
	lists := manyLists(mostPending/2, 3)
	before, after := newNode("n", mustTaints(t, "a=1:NoSchedule"), true), newNode("n", mustTaints(t, "a=1:NoSchedule"), false)
	for range 3 {
		for _, list := range lists[:mostPending/8] {
			compareHint(t, pl, list, before, after)
		}
	}
	known := 0
	for _, list := range lists[:mostPending/8] {
		if pl.pending.find(list) != nil {
			known++
		}
	}
	if known < mostPending/8*95/100 || len(pl.pending.lists) != 3 {
		t.Errorf("%d of %d lists are known, of %d kinds", known, mostPending/8, len(pl.pending.lists))
	}
	for range 3 {
		for _, list := range lists {
			compareHint(t, pl, list, before, after)
		}
	}
	if n := len(pl.pending.table.Load().entries); n != mostPending || pl.pending.used > mostPending/pendingShare {
		t.Errorf("%d entries, %d used", n, pl.pending.used)
	}
	if pl.pending.misses == 0 {
		t.Error("nothing was missed")
	}
	pl.pending.misses = pendingMisses - 1
	for _, list := range manyLists(20, 1) { // a few may find all their places taken
		compareHint(t, pl, list, before, after)
	}
	if pl.pending.used > 20 {
		t.Errorf("a full table is not begun again: %d", pl.pending.used)
	}
}

// TestPendingOfOneChange: a pod that is asked about one change after the other leaves
// nothing behind, and neither does a very long list.
func TestPendingOfOneChange(t *testing.T) {
	pl, list := NewPlugin(Args{}), manyLists(1, 1)[0]
	a, b := newNode("a", nil, false), newNode("b", nil, true)
	for range 10 {
		compareHint(t, pl, list, a, b)
		compareHint(t, pl, list, b, a)
	}
	if pl.pending.change.Load() != nil || pl.pending.used != 0 {
		t.Error("something is remembered")
	}
	long := make([]v1.Toleration, longestPending+1)
	for range 3 {
		compareHint(t, pl, long, b, a)
		compareHint(t, pl, nil, b, a)
	}
	if pl.pending.used != 0 {
		t.Error("a very long list or none is remembered")
	}
}

// TestPendingTogether: goroutines with changes and lists in common.
func TestPendingTogether(t *testing.T) {
	pl, lists := NewPlugin(Args{}), manyLists(2*fewestPending, 7)
	nodes := []*v1.Node{newNode("n", nil, true), newNode("n", nil, false), newNode("n", mustTaints(t, "a=1:NoExecute"), false)}
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for round := range 60 {
				before, after := nodes[(round+w%2)%3], nodes[(round+1)%3]
				for i := range lists {
					compareHint(t, pl, lists[(i+w*100)%len(lists)], before, after)
				}
			}
		})
	}
	group.Wait()
}

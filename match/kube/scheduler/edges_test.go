package scheduler

import (
	"context"
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// TestReasonsAreOwn: who writes to the reasons of a refusal changes no other one.
func TestReasonsAreOwn(t *testing.T) {
	pl, pod, node := NewPlugin(Args{}), newPod(nil), newNode("n", mustTaints(t, "a:NoSchedule"), false)
	for range 200 { // several pages
		s := pl.filterOne(pod, node)
		if got := s.Reasons(); !slices.Equal(got, []string{reasonTaints}) {
			t.Fatalf("reasons %q", got)
		}
		s.Reasons()[0] = "another"
	}
}

// TestNil: a node info that is nil is one without a node, and nothing is noted in a state
// that is nil.
func TestNil(t *testing.T) {
	ctx, pl, pod := context.Background(), NewPlugin(Args{}), newPod(nil)
	infos := append(make([]fwk.NodeInfo, 2), infosOf(fewOf(200, 200))...)
	for range 2 { // then some nodes are known
		result, status := pl.PreFilter(ctx, nil, newPod(nil), infos)
		if status != nil || result == nil || result.NodeNames.Len() != 1 {
			t.Errorf("PreFilter: %v, %v", result, status)
		}
		if s := pl.Filter(ctx, nil, pod, nil); s.Code() != fwk.Error {
			t.Errorf("Filter: %v", s)
		}
		if _, s := pl.Score(ctx, nil, pod, nil); s.Code() != fwk.Error {
			t.Errorf("Score: %v", s)
		}
		if s := pl.PreScore(ctx, nil, pod, infos); s != nil {
			t.Errorf("PreScore: %v", s)
		}
	}
	if result, s := pl.PostFilter(ctx, nil, pod, &nodeStatuses{}); result != nil || s.Code() != fwk.Unschedulable {
		t.Errorf("PostFilter: %v, %v", result, s)
	}
	state := newState()
	pl.PreFilter(ctx, state, newPod(nil), infos)
	s := &nodeStatuses{absent: fwk.NewStatus(fwk.UnschedulableAndUnresolvable, pl.leftOut), set: map[string]*fwk.Status{}}
	if pl.PostFilter(ctx, state, pod, s); s.absent.Message() != reasonTaints {
		t.Errorf("PostFilter of nil infos: %v", s.absent)
	}
}

// TestNarrowTwoOfOneName: a name cannot tell which of two nodes is meant, so that all are
// looked at until there is one again.
func TestNarrowTwoOfOneName(t *testing.T) {
	pl, nodes := NewPlugin(Args{}), fewOf(200, 200)
	twice := append(slices.Clone(nodes), newNode("node-0", mustTaints(t, "a:NoSchedule"), false))
	for _, test := range []struct {
		nodes []*v1.Node
		names int
	}{{nodes, 1}, {twice, 0}, {twice, 0}, {nodes, 1}} {
		if names := pl.preFilter(t, test.nodes, nil); names.Len() != test.names || test.names > 0 && !names.Has("node-0") {
			t.Errorf("%d nodes: names %v", len(test.nodes), names)
		}
	}
}

// TestFleetHoldsFewOld: of nodes that change, few old objects are retained.
func TestFleetHoldsFewOld(t *testing.T) {
	pl := NewPlugin(Args{})
	const n, rounds = 1000, 10
	for range rounds {
		pl.remember(newPod(nil), infosOf(fewOf(n, 2))) // new objects
		held := 0
		for i := range pl.fleet.Load().entries.nodes {
			if pl.fleet.Load().entries.nodes[i].Load() != nil {
				held++
			}
		}
		if held > n+n/4+64 {
			t.Fatalf("%d objects of %d nodes", held, n)
		}
	}
}

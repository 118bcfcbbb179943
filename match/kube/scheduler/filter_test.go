package scheduler

import (
	"context"
	"sync"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestF2FilterAndScore holds the plugin against package match. Against the in-tree
// plugins it is held in match/kube/upstream.
func TestF2FilterAndScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		tolerations := matchtest.Tolerations(taints).Draw(t, "tolerations")
		comparisons, cordoned := rapid.Bool().Draw(t, "comparisons"), rapid.Bool().Draw(t, "cordoned")
		pl, node, pod := withComparisons(comparisons), newNode("a", taints, cordoned), newPod(tolerations)
		rules := toleration.Rules{Comparisons: comparisons} // rule N4
		_, refused := match.FirstUntolerated(kube.AppendNodeTaints(nil, node), tolerations, taint.Hard, rules)
		if got := pl.filterOne(pod, node); got.IsSuccess() == refused {
			t.Fatalf("Filter = %v, want refused: %t", got, refused)
		}
		if got, status := pl.Score(context.Background(), nil, pod, nodeInfo{node: node}); got != match.CountUntolerated(taints, tolerations, taint.Soft, rules) || status != nil {
			t.Fatalf("Score = %d, %v, want %d", got, status, match.CountUntolerated(taints, tolerations, taint.Soft, rules))
		}
	})
}

func TestF3Messages(t *testing.T) {
	taints := mustTaints(t, "a=x:PreferNoSchedule,b:NoSchedule,c=y:NoExecute")
	for _, test := range []struct {
		args        Args
		tolerations string
		cordoned    bool
		want        string
	}{
		{Args{}, "", false, reasonTaints},
		{Args{}, "", true, reasonCordon},
		{Args{IgnoreCordon: true}, "", true, reasonTaints},
		{Args{NameTaints: true}, "", false, "node(s) had untolerated taint {b: }"},
		{Args{NameTaints: true}, "b", false, "node(s) had untolerated taint {c: y}"},
		{Args{NameTaints: true}, "b", true, reasonCordon},
		{Args{NameTaints: true, IgnoreCordon: true}, "b", true, "node(s) had untolerated taint {c: y}"},
	} {
		status := NewPlugin(test.args).filterOne(newPod(mustTolerations(t, test.tolerations)), newNode("n", taints, test.cordoned))
		if status.Code() != fwk.UnschedulableAndUnresolvable || status.Message() != test.want {
			t.Errorf("%+v: pod %q, cordoned %t: %v, %q, want %q", test.args, test.tolerations, test.cordoned, status.Code(), status.Message(), test.want)
		}
	}
}

// TestOwnStatuses: the framework writes the plugin's name into every status that it
// gets, from many goroutines, and others may add reasons.
func TestOwnStatuses(t *testing.T) {
	pl, pod, node := NewPlugin(Args{}), newPod(nil), newNode("n", mustTaints(t, "a:NoSchedule"), false)
	const workers, each = 4, 1000
	statuses := make([][]*fwk.Status, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for range each {
				s := pl.filterOne(pod, node)
				s.SetPlugin("another")
				s.AppendReason("and more")
				statuses[w] = append(statuses[w], s)
			}
		})
	}
	group.Wait()
	known := make(map[*fwk.Status]bool)
	for _, list := range statuses {
		for _, s := range list {
			known[s] = true
			if got, want := s.Message(), reasonTaints+", and more"; got != want {
				t.Fatalf("message %q, want %q", got, want)
			}
		}
	}
	if len(known) != workers*each {
		t.Errorf("%d refusals gave %d statuses", workers*each, len(known))
	}
	if s := pl.filterOne(pod, node); s.Plugin() != "" || len(s.Reasons()) != 1 {
		t.Errorf("a new status has plugin %q and reasons %q", s.Plugin(), s.Reasons())
	}
}

func TestNoNode(t *testing.T) {
	pl, pod := NewPlugin(Args{}), newPod(nil)
	if s := pl.filterOne(pod, nil); s.Code() != fwk.Error {
		t.Errorf("Filter without a node: %v", s)
	}
	if _, s := pl.Score(context.Background(), nil, pod, nodeInfo{}); s.Code() != fwk.Error {
		t.Errorf("Score without a node: %v", s)
	}
}

// TestDeferredResize: a pod that waits on its node to be resized is no business of
// the taints, but only where the feature gate says so.
func TestDeferredResize(t *testing.T) {
	node, pod := newNode("n", mustTaints(t, "a:NoSchedule"), true), newPod(nil)
	pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodReady}, {Type: v1.PodResizePending, Reason: v1.PodReasonDeferred}}
	pl := NewPlugin(Args{})
	if _, s := pl.PreFilter(context.Background(), nil, pod, nil); s != nil || pl.filterOne(pod, node).IsSuccess() {
		t.Errorf("gate off: PreFilter %v, and Filter lets pass: %t", s, pl.filterOne(pod, node).IsSuccess())
	}
	pl.deferred = true
	if _, s := pl.PreFilter(context.Background(), nil, pod, nil); !s.IsSkip() || !pl.filterOne(pod, node).IsSuccess() {
		t.Errorf("gate on: PreFilter %v, and Filter lets pass: %t", s, pl.filterOne(pod, node).IsSuccess())
	}
	pod.Status.Conditions[1].Reason = v1.PodReasonInfeasible
	if _, s := pl.PreFilter(context.Background(), nil, pod, nil); s != nil || pl.filterOne(pod, node).IsSuccess() {
		t.Errorf("infeasible: PreFilter %v, and Filter lets pass: %t", s, pl.filterOne(pod, node).IsSuccess())
	}
}

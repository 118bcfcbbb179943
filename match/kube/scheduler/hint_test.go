package scheduler

import (
	"context"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestEvents(t *testing.T) {
	events, err := NewPlugin(Args{}).EventsToRegister(context.Background())
	if err != nil || len(events) != 2 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	want := []fwk.ClusterEvent{
		{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeTaint},
		{Resource: ownPod(), ActionType: fwk.UpdatePodToleration},
	}
	for i, e := range events {
		if e.Event != want[i] || e.QueueingHintFn == nil {
			t.Errorf("event %d: %v, want %v", i, e.Event, want[i])
		}
	}
}

func TestF7NodeHint(t *testing.T) {
	pl := NewPlugin(Args{})
	pod := newPod(mustTolerations(t, "a:NoSchedule"))
	free, tolerated := newNode("n", nil, false), newNode("n", mustTaints(t, "a:NoSchedule,c:PreferNoSchedule"), false)
	tainted, cordoned := newNode("n", mustTaints(t, "b:NoSchedule"), false), newNode("n", nil, true)
	both := newNode("n", mustTaints(t, "b:NoSchedule"), true)
	for _, test := range []struct {
		name          string
		before, after any
		want          fwk.QueueingHint
	}{
		{"a new node that fits", nil, tolerated, fwk.Queue},
		{"a new node that does not", nil, tainted, fwk.QueueSkip},
		{"a new node that is cordoned", nil, cordoned, fwk.QueueSkip},
		{"the taint goes", tainted, free, fwk.Queue},
		{"a tolerated taint goes", tolerated, free, fwk.QueueSkip},
		{"a taint comes", free, tainted, fwk.QueueSkip},
		{"the cordon goes", cordoned, free, fwk.Queue},
		{"the cordon goes, a taint stays", both, tainted, fwk.QueueSkip},
		{"the taint goes, the cordon stays", both, cordoned, fwk.QueueSkip},
		{"both go", both, tolerated, fwk.Queue},
		{"the old node is nil", (*v1.Node)(nil), tolerated, fwk.Queue},
	} {
		if got, err := pl.nodeHint()(klog.Background(), pod, test.before, test.after); got != test.want || err != nil {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

func TestHintOfWhatIsNoNode(t *testing.T) {
	pl, pod, node := NewPlugin(Args{}), newPod(nil), newNode("n", nil, false)
	for _, objects := range [][2]any{{nil, nil}, {node, nil}, {pod, node}, {nil, pod}, {nil, (*v1.Node)(nil)}} {
		if hint, err := pl.nodeHint()(klog.Logger{}, pod, objects[0], objects[1]); hint != fwk.Queue || err == nil {
			t.Errorf("from %T to %T: %v, %v, want Queue and an error", objects[0], objects[1], hint, err)
		}
		if hint, err := pl.afterTolerationChange(klog.Logger{}, pod, node, node); hint != fwk.Queue || err == nil {
			t.Errorf("nodes for pods: %v, %v, want Queue and an error", hint, err)
		}
	}
}

func TestM6TolerationHint(t *testing.T) {
	for _, test := range []struct {
		before, after string
		comparisons   bool
		want          fwk.QueueingHint
	}{
		{"", "a", false, fwk.Queue},
		{"a", "a,b:NoExecute", false, fwk.Queue},
		{"a:NoExecute@300", "a:NoExecute@600", false, fwk.QueueSkip},
		{"a", "a,a==x:NoSchedule", false, fwk.QueueSkip},
		{"*", "*,a", false, fwk.QueueSkip},
		{"", "a:PreferNoSchedule", false, fwk.QueueSkip},
		{"a:PreferNoSchedule", "a:PreferNoSchedule,a", false, fwk.Queue},
		{"", "a?In x", false, fwk.Queue}, // in doubt
		{"a?In x", "a?In x", false, fwk.QueueSkip},
		{"", "a>5", false, fwk.QueueSkip},
		{"", "a>5", true, fwk.Queue},
		{"a>5", "a>5,a==6", false, fwk.Queue},
		{"a>5", "a>5,a==6", true, fwk.QueueSkip},
	} {
		before, after := newPod(mustTolerations(t, test.before)), newPod(mustTolerations(t, test.after))
		if got, err := withComparisons(test.comparisons).afterTolerationChange(klog.Logger{}, after, before, after); got != test.want || err != nil {
			t.Errorf("from %q to %q, comparisons %t: %v, %v, want %v", test.before, test.after, test.comparisons, got, err, test.want)
		}
	}
	if hint, err := withComparisons(true).afterTolerationChange(klog.Logger{}, newPod(nil), nil, newPod(nil)); hint != fwk.Queue || err != nil {
		t.Errorf("no old pod: %v, %v", hint, err)
	}
}

// TestHintNeverSleeps: a pod is not left asleep that a node refused before its
// tolerations changed, and takes now.
func TestHintNeverSleeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		before, after := matchtest.Tolerations(taints).Draw(t, "before"), matchtest.Tolerations(taints).Draw(t, "after")
		if rapid.Bool().Draw(t, "keep the old ones") {
			after = append(before[:len(before):len(before)], after...)
		}
		hint, err := withComparisons(true).afterTolerationChange(klog.Logger{}, newPod(after), newPod(before), newPod(after))
		if err != nil {
			t.Fatal(err)
		}
		if hint == fwk.QueueSkip && !takes(taints, before) && takes(taints, after) {
			t.Fatal("the pod stays asleep")
		}
	})
}

func takes(taints []taint.Taint, tolerations []toleration.Toleration) bool {
	_, refused := match.FirstUntolerated(taints, tolerations, taint.Hard, toleration.Rules{Comparisons: true})
	return !refused
}

// TestHintOfAnotherPod: what another pod tolerates wakes nobody.
func TestHintOfAnotherPod(t *testing.T) {
	pod, before, after := newPod(nil), newPod(nil), newPod(mustTolerations(t, "a"))
	before.UID, after.UID = "other", "other"
	if hint, err := NewPlugin(Args{}).afterTolerationChange(klog.Logger{}, pod, before, after); hint != fwk.QueueSkip || err != nil {
		t.Errorf("another pod: %v, %v", hint, err)
	}
}

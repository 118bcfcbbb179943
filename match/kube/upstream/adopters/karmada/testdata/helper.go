package helper

import (
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// toleroStay is what the taint manager makes of a cluster's taints: how long a resource
// stays, or -1 if that is forever.
func toleroStay(taints []v1.Taint, tolerations []v1.Toleration, now time.Time) time.Duration {
	tolerated, used := GetMatchingTolerationsBefore(taints, tolerations)
	if !tolerated {
		return 0
	}
	return GetMinTolerationTimeWithCurrentTimeBefore(taints, used, now)
}

// TestToleroDifference shows when resources leave a cluster, but pods would stay on a node.
func TestToleroDifference(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(seconds int) *metav1.Time {
		x := metav1.NewTime(start.Add(time.Duration(seconds) * time.Second))
		return &x
	}
	seconds := func(n int64) *int64 { return &n }
	a := v1.Taint{Key: "a", Effect: v1.TaintEffectNoExecute, TimeAdded: at(0)}
	b := v1.Taint{Key: "b", Effect: v1.TaintEffectNoExecute, TimeAdded: at(100)}
	for _, c := range []struct {
		name        string
		taints      []v1.Taint
		tolerations []v1.Toleration
		at          int
		want        time.Duration
	}{
		{"seconds count from timeAdded", []v1.Taint{a}, []v1.Toleration{{Key: "a", Operator: "Exists", TolerationSeconds: seconds(30)}}, 20, 10 * time.Second},
		{"a toleration of b counts for a, which another one tolerates forever", []v1.Taint{a, b},
			[]v1.Toleration{{Key: "a", Operator: "Exists"}, {Operator: "Exists", TolerationSeconds: seconds(10)}}, 101, 0},
		{"seconds overflow", []v1.Taint{a}, []v1.Toleration{{Key: "a", Operator: "Exists", TolerationSeconds: seconds(9223372037)}}, 1, 0},
	} {
		if got := toleroStay(c.taints, c.tolerations, at(c.at).Time); got != c.want {
			t.Errorf("%s: %s: it does not differ any more", c.name, got)
		}
	}
}

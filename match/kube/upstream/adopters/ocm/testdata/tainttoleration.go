package tainttoleration

import (
	"fmt"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	testingclock "k8s.io/utils/clock/testing"
	clusterapiv1 "open-cluster-management.io/api/cluster/v1"
	clusterapiv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
)

// toleroSelects asks whether a cluster that is new to the placement, or one that is not, is
// tolerated.
func toleroSelects(p *toleroPair, inDecision bool) bool {
	var cluster clusterapiv1.ManagedCluster
	for _, x := range p.taints {
		item := clusterapiv1.Taint{Key: x.Key, Value: x.Value, Effect: clusterapiv1.TaintEffect(x.Effect)}
		if x.TimeAdded != nil {
			item.TimeAdded = *x.TimeAdded
		}
		cluster.Spec.Taints = append(cluster.Spec.Taints, item)
	}
	var tolerations []clusterapiv1beta1.Toleration
	for _, x := range p.tolerations {
		tolerations = append(tolerations, clusterapiv1beta1.Toleration{
			Key: x.Key, Operator: clusterapiv1beta1.TolerationOperator(x.Operator), Value: x.Value,
			Effect: clusterapiv1.TaintEffect(x.Effect), TolerationSeconds: x.TolerationSeconds,
		})
	}
	ok, _, _ := isClusterTolerated(&cluster, tolerations, inDecision)
	return ok
}

// TestToleroDialect asks about all pairs of the vectors, with the effects of this project in
// the place of Kubernetes', and without seconds.
func TestToleroDialect(t *testing.T) {
	effects := map[v1.TaintEffect]v1.TaintEffect{"": "", "NoSchedule": "NoSelect", "NoExecute": "NoSelectIfNew", "PreferNoSchedule": "PreferNoSelect"}
	var pairs []toleroPair
	for _, p := range toleroVectors(t) {
		var pair toleroPair
		known := true // the API server refuses a cluster with any other effect
		for _, x := range p.taints {
			x.Effect = effects[x.Effect]
			known = known && x.Effect != ""
			pair.taints = append(pair.taints, x)
		}
		for _, x := range p.tolerations {
			effect, ok := effects[x.Effect]
			known = known && ok
			x.Effect, x.TolerationSeconds = effect, nil
			pair.tolerations = append(pair.tolerations, x)
		}
		if known {
			pairs = append(pairs, pair)
		}
	}
	agreed := toleroProfile(t, "ocm", 1, pairs, func(p *toleroPair) bool { return toleroSelects(p, false) })
	fmt.Printf("TOLERO dialect ocm: the answers on %d pairs are those of its profile\n", agreed)
}

// TestToleroDifference shows what the profile has no answer for: seconds count from
// timeAdded, and a toleration whose seconds are over counts for nothing, so that a later
// one may count.
func TestToleroDifference(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	old := TolerationClock
	defer func() { TolerationClock = old }()
	TolerationClock = testingclock.NewFakeClock(now)
	added := metav1.NewTime(now.Add(-20 * time.Second))
	seconds := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		name        string
		effect      v1.TaintEffect
		inDecision  bool
		tolerations []v1.Toleration
		want        bool
	}{
		{"chosen before", "NoSelectIfNew", true, nil, true},
		{"chosen before", "NoSelect", true, nil, false},
		{"10 seconds of 20 ago", "NoSelect", false, []v1.Toleration{{Key: "a", Operator: "Exists", TolerationSeconds: seconds(10)}}, false},
		{"30 seconds of 20 ago", "NoSelect", false, []v1.Toleration{{Key: "a", Operator: "Exists", TolerationSeconds: seconds(30)}}, true},
		{"the first has expired", "NoSelect", false, []v1.Toleration{
			{Key: "a", Operator: "Exists", TolerationSeconds: seconds(10)}, {Key: "a", Operator: "Exists"},
		}, true},
		{"seconds overflow", "NoSelect", false, []v1.Toleration{{Key: "a", Operator: "Exists", TolerationSeconds: seconds(9223372037)}}, false},
	} {
		p := toleroPair{[]v1.Taint{{Key: "a", Effect: c.effect, TimeAdded: &added}}, c.tolerations}
		if got := toleroSelects(&p, c.inDecision); got != c.want {
			t.Errorf("%s: %t: it does not differ any more", c.name, got)
		}
	}
}

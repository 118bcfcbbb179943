package kube_test

import (
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The form with a predicate is that of package match, and asks it about the same
// taints. Counting is counting what Filter returns (rule F4).
func TestPredicatesAgreeWithMatch(t *testing.T) {
	tolerations := everyToleration()
	for i, first := range everyTaint() {
		taints := []v1.Taint{first, {Key: "b", Value: "5", Effect: "NoExecute"}, {Key: "a", Effect: "NoSchedule"}, {Key: "c", Effect: "odd"}}
		ours := kube.AppendTaints(nil, taints)
		for j := range tolerations {
			list := []v1.Toleration{tolerations[j], tolerations[(i*7+j*3)%len(tolerations)]}
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				tolerations := kube.AppendTolerations(nil, list)
				for _, effects := range []taint.EffectSet{0, taint.Hard, taint.Soft, taint.AllEffects} {
					var asked, wantAsked []string
					index, found := kube.FirstUntoleratedFunc(taints, list, effects, func(x *v1.Taint) bool {
						asked = append(asked, x.Key)
						return x.Key != "b"
					}, rules)
					wantIndex, wantFound := match.FirstUntoleratedFunc(ours, tolerations, effects, func(x *taint.Taint) bool {
						wantAsked = append(wantAsked, x.Key)
						return x.Key != "b"
					}, rules)
					if index != wantIndex || found != wantFound || !slices.Equal(asked, wantAsked) {
						t.Fatalf("FirstUntoleratedFunc(%v, %v, %v, %v) = %d, %t, want %d, %t", taints, list, effects, rules, index, found, wantIndex, wantFound)
					}
					if got, want := kube.CountUntolerated(taints, list, effects, rules), match.CountUntolerated(ours, tolerations, effects, rules); got != want {
						t.Fatalf("CountUntolerated(%v, %v, %v, %v) = %d, want %d", taints, list, effects, rules, got, want)
					}
				}
			}
		}
	}
}

// A taint is tolerated forever if a pod on a node with this taint alone is never evicted
// and, if it evicts nobody, if it is tolerated at all (rules E1, E2, N4).
func TestE2ToleratesForever(t *testing.T) {
	minute, tolerations := int64(60), everyToleration()
	count := map[bool]int{}
	for i, x := range everyTaint() {
		ours := []taint.Taint{kube.Taint(&x)}
		for j := range tolerations {
			list := []v1.Toleration{tolerations[j], tolerations[(i*7+j*3)%len(tolerations)]}
			list[j%2].TolerationSeconds = &minute
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				tolerations := kube.AppendTolerations(nil, list)
				_, evicted := match.EvictionDelay(ours, tolerations, rules)
				want := match.Tolerates(tolerations, &ours[0], rules) && !evicted
				if got := kube.ToleratesForever(list, &x, rules); got != want {
					t.Fatalf("ToleratesForever(%v, %v, %v) = %t", list, x, rules, got)
				}
				count[want]++
			}
		}
	}
	if count[true] < 100 || count[false] < 100 {
		t.Errorf("answers: %v", count)
	}
}

package kube_test

import (
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Several lists answer as one list of all their tolerations in order does (rules F2, F3,
// E1 to E3, N4).
func TestTolerationListsAreOneList(t *testing.T) {
	seconds := []int64{-1, 0, 60, 300}
	tolerations := append(everyToleration(), v1.Toleration{Operator: "Exists"})
	for i := range tolerations {
		if i%5 < len(seconds) {
			tolerations[i].TolerationSeconds = &seconds[i%5]
		}
	}
	none := 0
	for i, first := range everyTaint() {
		taints := []v1.Taint{{Key: "a", Effect: "NoExecute"}, first, {Key: "b", Value: "5", Effect: "NoExecute"}, {Key: "a", Value: "x", Effect: "PreferNoSchedule"}}
		for j := range tolerations {
			lists := kube.TolerationLists{{tolerations[j]}, nil, {tolerations[(i*7+j*3)%len(tolerations)], tolerations[(i+j*5)%len(tolerations)]}}
			joined := slices.Concat(lists...)
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				for effects := taint.EffectSet(0); effects <= taint.AllEffects; effects++ {
					wantIndex, want := kube.FirstUntolerated(taints, joined, effects, rules)
					if index, found := lists.FirstUntolerated(taints, effects, rules); index != wantIndex || found != want {
						t.Fatalf("FirstUntolerated(%v, %v, %v, %v) = %d, %t, want %d, %t", taints, lists, effects, rules, index, found, wantIndex, want)
					}
				}
				want := kube.Decide(taints, joined, rules)
				if got := lists.Decide(taints, rules); got != want {
					t.Fatalf("Decide(%v, %v, %v) = %+v, want %+v", taints, lists, rules, got, want)
				}
				if kube.Decide(taints, lists[0], rules) != want && kube.Decide(taints, lists[2], rules) != want {
					none++
				}
			}
		}
	}
	if none < 100 {
		t.Errorf("no list alone gives the answer in %d cases only", none)
	}
	if _, found := (kube.TolerationLists)(nil).FirstUntolerated(everyTaint(), taint.Hard); !found {
		t.Error("no lists tolerate something")
	}
}

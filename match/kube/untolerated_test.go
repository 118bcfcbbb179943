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

// Every pair of a taint and a toleration from a small universe, with another of
// each beside them, for every set of effects: the answers are those of package
// match (rules F1 to F3, N4).
func TestUntoleratedAgreesWithMatch(t *testing.T) {
	tolerations := everyToleration()
	for i, first := range everyTaint() {
		taints := []v1.Taint{first, {Key: "b", Value: "5", Effect: "NoExecute"}, {Key: "a", Effect: "odd"}}
		ours := kube.AppendTaints(nil, taints)
		for j := range tolerations {
			list := []v1.Toleration{tolerations[j], tolerations[(i*7+j*3)%len(tolerations)]}
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				tolerations := kube.AppendTolerations(nil, list)
				for effects := taint.EffectSet(0); effects <= taint.AllEffects; effects++ {
					wantIndex, want := match.FirstUntolerated(ours, tolerations, effects, rules)
					index, found := kube.FirstUntolerated(taints, list, effects, rules)
					if index != wantIndex || found != want {
						t.Fatalf("FirstUntolerated(%v, %v, %v, %v) = %d, %t, want %d, %t", taints, list, effects, rules, index, found, wantIndex, want)
					}
					all := kube.Filter(nil, taints, list, effects, rules)
					if want := match.Filter(nil, ours, tolerations, effects, rules); !slices.Equal(kube.AppendTaints(nil, all), want) {
						t.Fatalf("Filter(%v, %v, %v, %v) = %v, want %v", taints, list, effects, rules, all, want)
					}
				}
			}
		}
	}
}

// The cordon comes first, unless the node has it (rule F7), as taint.WithCordon
// has it.
func TestNodeTaints(t *testing.T) {
	for _, x := range append(everyTaint(), v1.Taint{Key: taint.KeyUnschedulable, Effect: "NoSchedule"},
		v1.Taint{Key: taint.KeyUnschedulable, Value: "x", Effect: "NoSchedule"}, v1.Taint{Key: taint.KeyUnschedulable, Effect: "NoExecute"}) {
		for _, cordoned := range []bool{false, true} {
			for _, list := range [][]v1.Taint{nil, {x}, {{Key: "other"}, x}} {
				node := &v1.Node{Spec: v1.NodeSpec{Unschedulable: cordoned, Taints: list}}
				got := kube.NodeTaints([]v1.Taint{{Key: "before"}}, node)
				want := taint.WithCordon([]taint.Taint{{Key: "before"}}, kube.AppendTaints(nil, list), cordoned)
				if !slices.Equal(kube.AppendTaints(nil, got), want) {
					t.Errorf("NodeTaints(cordoned %t, %v) = %v, want %v", cordoned, list, got, want)
				}
				if got := kube.AppendNodeTaints([]taint.Taint{{Key: "before"}}, node); !slices.Equal(got, want) {
					t.Errorf("AppendNodeTaints(cordoned %t, %v) = %v, want %v", cordoned, list, got, want)
				}
			}
		}
	}
}

package kube_test

import (
	"fmt"
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Two lists of a small universe compiled as one, with keys that have the same hash
// beside them: the answers are those of package match for the lists joined (rules F1 to
// F3, N4), whatever was compiled before.
func TestMatcherAgreesWithMatch(t *testing.T) {
	var m kube.Matcher
	tolerations := append(everyToleration(),
		v1.Toleration{Operator: "Exists"}, v1.Toleration{Operator: "Exists", Effect: "odd"}, v1.Toleration{Operator: "Exists", Effect: "NoExecute"},
		v1.Toleration{Key: "xb", Operator: "Exists"}, v1.Toleration{Key: "yb", Value: "5"}, v1.Toleration{Value: "5"})
	for i, first := range everyTaint() {
		taints := []v1.Taint{first, {Key: "xb", Value: "5", Effect: "NoExecute"}, {Key: "yb", Value: "5", Effect: "odd"}, {Effect: "NoSchedule", Value: "5"}}
		ours := kube.AppendTaints(nil, taints)
		for j := range tolerations {
			lists := [][]v1.Toleration{{tolerations[j]}, {}, {tolerations[(i*7+j*3)%len(tolerations)], tolerations[(i+j*5)%len(tolerations)]}}
			joined := slices.Concat(lists...)
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				tolerations := kube.AppendTolerations(nil, joined)
				m.Compile(nil, rules)
				for _, list := range lists {
					m.Add(list)
				}
				for effects := taint.EffectSet(0); effects <= taint.AllEffects; effects++ {
					wantIndex, want := match.FirstUntolerated(ours, tolerations, effects, rules)
					if index, found := m.FirstUntolerated(taints, effects); index != wantIndex || found != want {
						t.Fatalf("FirstUntolerated(%v, %v, %v, %v) = %d, %t, want %d, %t", taints, joined, effects, rules, index, found, wantIndex, want)
					}
				}
				for k := range taints {
					if want := match.Tolerates(tolerations, &ours[k], rules); m.Tolerates(&taints[k]) != want {
						t.Fatalf("Tolerates(%v, %v, %v) = %t", taints[k], joined, rules, !want)
					}
				}
				for _, cordoned := range []bool{false, true} {
					node := &v1.Node{Spec: v1.NodeSpec{Taints: taints[:1], Unschedulable: cordoned}}
					_, refused := match.FirstUntolerated(kube.AppendNodeTaints(nil, node), tolerations, taint.Hard, rules)
					if m.Schedulable(node) == refused {
						t.Fatalf("Schedulable(%v, cordoned %t, %v, %v) = %t", taints[:1], cordoned, joined, rules, refused)
					}
				}
			}
		}
	}
}

func TestMatcherZero(t *testing.T) {
	var m kube.Matcher
	if !m.Schedulable(&v1.Node{}) || m.Schedulable(someNode) || m.Tolerates(&v1.Taint{}) {
		t.Error("the zero Matcher tolerates something")
	}
	m.Compile([]v1.Toleration{{Operator: "Exists"}})
	m.Compile(nil)
	if m.Schedulable(someNode) || m.Tolerates(&v1.Taint{}) {
		t.Error("no lists tolerate what the last one did")
	}
}

// A pod and the flavor of node that would be added for it have a list of tolerations each.
func ExampleMatcher() {
	pod := []v1.Toleration{{Key: "dedicated", Operator: v1.TolerationOpExists}}
	flavor := []v1.Toleration{{Key: "spot", Operator: v1.TolerationOpExists}}
	var m kube.Matcher
	m.Compile(pod)
	m.Add(flavor)
	for _, keys := range [][]string{{"dedicated", "spot"}, {"dedicated", "gpu"}} {
		var node v1.Node
		for _, key := range keys {
			node.Spec.Taints = append(node.Spec.Taints, v1.Taint{Key: key, Effect: v1.TaintEffectNoSchedule})
		}
		fmt.Println(keys, m.Schedulable(&node))
	}
	// Output:
	// [dedicated spot] true
	// [dedicated gpu] false
}

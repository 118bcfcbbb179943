package kube_test

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
)

// Every pair of a taint and a toleration from a small universe: the drop-ins
// give the answers of package match, which match/kube/upstream compares with
// Kubernetes (rules M1 to M6, N1 to N4).
func TestDropInsAgreeWithMatch(t *testing.T) {
	for _, v1Taint := range everyTaint() {
		x := kube.Taint(&v1Taint)
		for _, v1Toleration := range everyToleration() {
			list := []v1.Toleration{v1Toleration}
			for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
				want := match.Tolerates(kube.AppendTolerations(nil, list), &x, rules)
				if got := kube.ToleratesTaint(&v1Toleration, klog.Logger{}, &v1Taint, rules.Comparisons); got != want {
					t.Fatalf("ToleratesTaint(%v, %v, %t) = %t", v1Toleration, v1Taint, rules.Comparisons, got)
				}
				if got := kube.TolerationsTolerateTaint(klog.Logger{}, list, &v1Taint, rules.Comparisons); got != want {
					t.Fatalf("TolerationsTolerateTaint(%v, %v, %t) = %t", list, v1Taint, rules.Comparisons, got)
				}
				first, found := kube.FindMatchingUntoleratedTaint(klog.Logger{}, []v1.Taint{{Key: "other"}, v1Taint}, append(list, v1.Toleration{Key: "other"}), nil, rules.Comparisons)
				if found == want || found && first != v1Taint {
					t.Fatalf("FindMatchingUntoleratedTaint(%v, %v, %t) = %v, %t", v1Taint, list, rules.Comparisons, first, found)
				}
			}
		}
	}
}

func everyTaint() (all []v1.Taint) {
	for _, key := range []string{"a", "b", ""} {
		for _, value := range []string{"", "5", "x"} {
			for _, effect := range []v1.TaintEffect{"NoSchedule", "PreferNoSchedule", "NoExecute", ""} {
				all = append(all, v1.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return all
}

func everyToleration() (all []v1.Toleration) {
	for _, x := range everyTaint() {
		for _, operator := range []v1.TolerationOperator{"", "Equal", "Exists", "Lt", "Gt", "other"} {
			all = append(all, v1.Toleration{Key: x.Key, Operator: operator, Value: x.Value, Effect: x.Effect})
		}
	}
	return all
}

package before135_test

import (
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match/kube/before135"
)

// filter is the unexported type of a parameter upstream.
type filter func(*v1.Taint) bool

// The signatures of k8s.io/component-helpers v0.34, as programs use them.
var (
	_                                                                             = before135.ToleratesTaint
	_    func([]v1.Toleration, *v1.Taint) bool                                    = before135.TolerationsTolerateTaint
	_    func([]v1.Taint, []v1.Toleration, func(*v1.Taint) bool) (v1.Taint, bool) = before135.FindMatchingUntoleratedTaint
	_, _                                                                          = before135.FindMatchingUntoleratedTaint(nil, nil, filter(nil))
)

// reference is the method v1.Toleration had before Kubernetes 1.35: three equalities, and
// the two operators that there were (rules M1, M2, N1, N2).
func reference(t *v1.Toleration, x *v1.Taint) bool {
	if t.Effect != "" && t.Effect != x.Effect || t.Key != "" && t.Key != x.Key {
		return false
	}
	return t.Operator == v1.TolerationOpExists || (t.Operator == "" || t.Operator == v1.TolerationOpEqual) && t.Value == x.Value
}

// TestBefore135 compares all pairs of a small universe, in which some tolerations have the
// operators Gt and Lt.
func TestBefore135(t *testing.T) {
	var taints []v1.Taint
	var tolerations []v1.Toleration
	for _, key := range []string{"", "a", "b"} {
		for _, value := range []string{"", "5", "7"} {
			for _, effect := range []v1.TaintEffect{"", v1.TaintEffectNoSchedule, v1.TaintEffectPreferNoSchedule, v1.TaintEffectNoExecute} {
				taints = append(taints, v1.Taint{Key: key, Value: value, Effect: effect})
				for _, operator := range []v1.TolerationOperator{"", v1.TolerationOpEqual, v1.TolerationOpExists, "Gt", "Lt", "exists"} {
					tolerations = append(tolerations, v1.Toleration{Key: key, Operator: operator, Value: value, Effect: effect})
				}
			}
		}
	}
	hard := func(x *v1.Taint) bool { return x.Effect != v1.TaintEffectPreferNoSchedule }
	for i := range tolerations {
		for j := range taints {
			list, x := tolerations[i:i+1], &taints[j]
			want := reference(&list[0], x)
			if got := before135.ToleratesTaint(&list[0], x); got != want {
				t.Fatalf("%v and %v: %t", list[0], *x, got)
			}
			if got := before135.TolerationsTolerateTaint(list, x); got != want {
				t.Fatalf("%v and %v: %t in a list", list[0], *x, got)
			}
			if first, found := before135.FindMatchingUntoleratedTaint(taints[j:j+1], list, hard); found != (!want && hard(x)) || found && first != *x {
				t.Fatalf("%v and %v: %v, %t", list[0], *x, first, found)
			}
		}
	}
}

package pod_info

import (
	"testing"

	v1 "k8s.io/api/core/v1"
)

// TestToleroOrderDifference shows that two pods that tolerate the same taints have two
// signatures if their tolerations come in another order, or if one has a toleration twice.
func TestToleroOrderDifference(t *testing.T) {
	a, b := v1.Toleration{Key: "a", Operator: v1.TolerationOpExists}, v1.Toleration{Key: "b", Operator: v1.TolerationOpExists}
	var one, two, twice v1.Pod
	one.Spec.Tolerations = []v1.Toleration{a, b}
	two.Spec.Tolerations = []v1.Toleration{b, a}
	twice.Spec.Tolerations = []v1.Toleration{a, b, b}
	first := schedulingConstraintsSignature(&one, nil)
	if first != schedulingConstraintsSignature(one.DeepCopy(), nil) {
		t.Error("a copy has another signature")
	}
	if first == schedulingConstraintsSignature(&two, nil) || first == schedulingConstraintsSignature(&twice, nil) {
		t.Error("it does not differ any more")
	}
}

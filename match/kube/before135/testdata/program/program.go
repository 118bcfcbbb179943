// Package program is moved to the helpers of Kubernetes 1.35 by go fix; see TestGoFix.
package program

import (
	v1 "k8s.io/api/core/v1"

	v1helper "github.com/tolero-dev/tolero/match/kube/before135"
)

func hard(x *v1.Taint) bool { return x.Effect != v1.TaintEffectPreferNoSchedule }

func fits(node *v1.Node, pod *v1.Pod) bool {
	_, found := v1helper.FindMatchingUntoleratedTaint(node.Spec.Taints, pod.Spec.Tolerations, hard)
	return !found
}

func tolerates(pod *v1.Pod, x *v1.Taint) bool {
	for i := range pod.Spec.Tolerations {
		if v1helper.ToleratesTaint(&pod.Spec.Tolerations[i], x) {
			return true
		}
	}
	return v1helper.TolerationsTolerateTaint(pod.Spec.Tolerations, x)
}

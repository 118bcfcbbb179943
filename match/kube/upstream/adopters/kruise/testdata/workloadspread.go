package workloadspread

import (
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/openkruise/kruise/apis/apps/v1alpha1"
)

// TestToleroTurns asks whether the pod of a pair belongs to a subset that has the second half
// of its tolerations, before and after.
func TestToleroTurns(t *testing.T) {
	ask := func(matches func(*v1.Pod, *v1.Node, *v1alpha1.WorkloadSpreadSubset) (bool, error)) func(*toleroPair) bool {
		return func(p *toleroPair) bool {
			half := len(p.tolerations) / 2
			pod := &v1.Pod{Spec: v1.PodSpec{Tolerations: p.tolerations[:half:half]}}
			node := &v1.Node{Spec: v1.NodeSpec{Taints: p.taints}}
			ok, err := matches(pod, node, &v1alpha1.WorkloadSpreadSubset{Tolerations: p.tolerations[half:]})
			if err != nil {
				t.Fatal(err)
			}
			return ok
		}
	}
	toleroTurns(t, "matchesSubsetRequiredAndToleration", ask(matchesSubsetRequiredAndTolerationBefore), ask(matchesSubsetRequiredAndToleration))
}

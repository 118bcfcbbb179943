package daemonset

import (
	"testing"

	v1 "k8s.io/api/core/v1"
)

// TestToleroTurns asks whether a daemon's pod fits a node, for each pair, before and after.
func TestToleroTurns(t *testing.T) {
	ask := func(fits func(*v1.Pod, *v1.Node, []v1.Taint) (bool, bool, bool)) func(*toleroPair) bool {
		return func(p *toleroPair) bool {
			_, _, ok := fits(&v1.Pod{Spec: v1.PodSpec{Tolerations: p.tolerations}}, &v1.Node{}, p.taints)
			return ok
		}
	}
	toleroTurns(t, "Predicates", ask(PredicatesBefore), ask(Predicates))
}

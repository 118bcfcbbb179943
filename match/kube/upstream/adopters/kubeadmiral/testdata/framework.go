package framework

import (
	"testing"

	v1 "k8s.io/api/core/v1"
)

// TestToleroTurns asks the scheduler's question about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	hard := func(x *v1.Taint) bool {
		return x.Effect == v1.TaintEffectNoSchedule || x.Effect == v1.TaintEffectNoExecute
	}
	toleroTurns(t, "FindMatchingUntoleratedTaint",
		func(p *toleroPair) v1.Taint {
			x, _ := FindMatchingUntoleratedTaintBefore(p.taints, p.tolerations, hard)
			return x
		},
		func(p *toleroPair) v1.Taint {
			x, _ := FindMatchingUntoleratedTaint(p.taints, p.tolerations, hard)
			return x
		})
}

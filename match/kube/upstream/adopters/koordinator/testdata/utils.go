package utils

import (
	"testing"

	v1 "k8s.io/api/core/v1"
)

// TestToleroTurns asks the strategies' question about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	hard := func(x *v1.Taint) bool { return x.Effect == v1.TaintEffectNoSchedule }
	toleroTurns(t, "TolerationsTolerateTaintsWithFilter",
		func(p *toleroPair) bool {
			return TolerationsTolerateTaintsWithFilterBefore(p.tolerations, p.taints, hard)
		},
		func(p *toleroPair) bool {
			return TolerationsTolerateTaintsWithFilter(p.tolerations, p.taints, hard)
		})
}

// TestToleroDialect asks the vectors what the descheduler asks about a node.
func TestToleroDialect(t *testing.T) {
	toleroDialect(t, "koordinator", 1, func(p *toleroPair) bool {
		return TolerationsTolerateTaintsWithFilterBefore(p.tolerations, p.taints, func(x *v1.Taint) bool {
			return x.Effect == v1.TaintEffectNoSchedule || x.Effect == v1.TaintEffectNoExecute
		})
	})
}

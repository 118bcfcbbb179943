package utils

import (
	"context"
	"testing"

	v1 "k8s.io/api/core/v1"
)

// TestToleroTurns asks the strategies' question about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	ctx := context.Background()
	hard := func(x *v1.Taint) bool { return x.Effect == v1.TaintEffectNoSchedule }
	toleroTurns(t, "TolerationsTolerateTaintsWithFilter",
		func(p *toleroPair) bool {
			return TolerationsTolerateTaintsWithFilterBefore(ctx, p.tolerations, p.taints, hard)
		},
		func(p *toleroPair) bool {
			return TolerationsTolerateTaintsWithFilter(ctx, p.tolerations, p.taints, hard)
		})
}

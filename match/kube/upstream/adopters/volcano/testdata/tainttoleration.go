package tainttoleration

import (
	"context"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// TestToleroTurns asks the plugin that Volcano calls for each pod and node. Its answer is
// a status, or nil.
func TestToleroTurns(t *testing.T) {
	plugin, info, ctx := new(TaintToleration), framework.NewNodeInfo(), context.Background()
	var node v1.Node
	var pod v1.Pod
	info.SetNode(&node)
	set := func(p *toleroPair) {
		node.Spec.Taints, pod.Spec.Tolerations = p.taints, p.tolerations
	}
	toleroTurns(t, "TaintToleration.Filter",
		func(p *toleroPair) string {
			set(p)
			return plugin.FilterBefore(ctx, nil, &pod, info).Message()
		},
		func(p *toleroPair) string {
			set(p)
			return plugin.Filter(ctx, nil, &pod, info).Message()
		})
}

// TestToleroDialect asks the vectors as Volcano does: the feature is off.
func TestToleroDialect(t *testing.T) {
	toleroDialect(t, "volcano", func(p *toleroPair) bool {
		info := framework.NewNodeInfo()
		info.SetNode(&v1.Node{Spec: v1.NodeSpec{Taints: p.taints}})
		pod := &v1.Pod{Spec: v1.PodSpec{Tolerations: p.tolerations}}
		return new(TaintToleration).FilterBefore(context.Background(), nil, pod, info).IsSuccess()
	})
}

package plugins

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
)

// toleroPlugin returns the filter for taints that KAI sets up.
func toleroPlugin(t *testing.T) *tainttoleration.TaintToleration {
	client := fake.NewSimpleClientset()
	all := InitializeInternalPlugins(client, informers.NewSharedInformerFactory(client, 0), cache.NewEmptySnapshot().NodeInfos())
	plugin, ok := all.TaintToleration.(*tainttoleration.TaintToleration)
	if !ok {
		t.Fatalf("%T", all.TaintToleration)
	}
	return plugin
}

// toleroAsk asks a filter about a pair. The answer is the text of the refusal.
func toleroAsk(filter func(*v1.Pod, fwk.NodeInfo) *fwk.Status) func(*toleroPair) string {
	pod, node, info := &v1.Pod{}, &v1.Node{}, framework.NewNodeInfo()
	info.SetNode(node)
	return func(p *toleroPair) string {
		pod.Spec.Tolerations, node.Spec.Taints = p.tolerations, p.taints
		return filter(pod, info).Message()
	}
}

// TestToleroTurns asks the filter that KAI asks about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	plugin := toleroPlugin(t)
	toleroTurns(t, "TaintToleration.Filter",
		toleroAsk(func(pod *v1.Pod, node fwk.NodeInfo) *fwk.Status { return plugin.FilterBefore(nil, nil, pod, node) }),
		toleroAsk(func(pod *v1.Pod, node fwk.NodeInfo) *fwk.Status { return plugin.Filter(nil, nil, pod, node) }))
}

// TestToleroDialect asks the vectors.
func TestToleroDialect(t *testing.T) {
	plugin := toleroPlugin(t)
	ask := toleroAsk(func(pod *v1.Pod, node fwk.NodeInfo) *fwk.Status { return plugin.FilterBefore(nil, nil, pod, node) })
	toleroDialect(t, "kai", 1, func(p *toleroPair) bool { return ask(p) == "" })
}

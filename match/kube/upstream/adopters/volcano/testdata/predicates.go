package predicates

import (
	"testing"

	apiv1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	k8sfake "k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	k8sframework "k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"

	"volcano.sh/volcano/pkg/scheduler/plugins/util/k8s"
)

// toleroPlugin returns the filter for taints that Volcano's plugin sets up.
func toleroPlugin(t *testing.T) *tainttoleration.TaintToleration {
	pp := New(nil).(*PredicatesPlugin)
	pp.enabledPredicates.taintTolerationEnable = true
	client := k8sfake.NewSimpleClientset()
	pp.Handle = k8s.NewFramework(map[string]fwk.NodeInfo{}, k8s.WithClientSet(client), k8s.WithInformerFactory(informers.NewSharedInformerFactory(client, 0)))
	pp.InitPlugin()
	plugin, ok := pp.FilterPlugins[tainttoleration.Name].(*tainttoleration.TaintToleration)
	if !ok {
		t.Fatalf("%T", pp.FilterPlugins[tainttoleration.Name])
	}
	return plugin
}

// toleroAsk asks a filter about a pair. The answer is the text of the refusal.
func toleroAsk(filter func(*apiv1.Pod, fwk.NodeInfo) *fwk.Status) func(*toleroPair) string {
	pod, node, info := &apiv1.Pod{}, &apiv1.Node{}, k8sframework.NewNodeInfo()
	info.SetNode(node)
	return func(p *toleroPair) string {
		pod.Spec.Tolerations, node.Spec.Taints = p.tolerations, p.taints
		return filter(pod, info).Message()
	}
}

// TestToleroTurns asks the filter that Volcano asks about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	plugin := toleroPlugin(t)
	toleroTurns(t, "TaintToleration.Filter",
		toleroAsk(func(pod *apiv1.Pod, node fwk.NodeInfo) *fwk.Status { return plugin.FilterBefore(nil, nil, pod, node) }),
		toleroAsk(func(pod *apiv1.Pod, node fwk.NodeInfo) *fwk.Status { return plugin.Filter(nil, nil, pod, node) }))
}

// TestToleroDialect asks the vectors.
func TestToleroDialect(t *testing.T) {
	plugin := toleroPlugin(t)
	ask := toleroAsk(func(pod *apiv1.Pod, node fwk.NodeInfo) *fwk.Status { return plugin.FilterBefore(nil, nil, pod, node) })
	toleroDialect(t, "volcano", 1, func(p *toleroPair) bool { return ask(p) == "" })
}

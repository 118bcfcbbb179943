package predicates

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"

	"github.com/apache/yunikorn-k8shim/pkg/plugin/support"
)

// toleroManager is what YuniKorn asks.
func toleroManager() *predicateManagerImpl {
	clients := clientSet()
	return NewPredicateManager(support.NewFrameworkHandle(lister(), informerFactory(clients), clients)).(*predicateManagerImpl)
}

// toleroPlugin returns the filter for taints that YuniKorn sets up, for reserving a node
// and for allocating it.
func toleroPlugin(t *testing.T) *tainttoleration.TaintToleration {
	manager := toleroManager()
	for _, filters := range []*[]framework.FilterPlugin{manager.reservationFilters, manager.allocationFilters} {
		if toleroFind(*filters) == nil {
			t.Fatal("no plugin TaintToleration")
		}
	}
	return toleroFind(*manager.allocationFilters)
}

func toleroFind(filters []framework.FilterPlugin) *tainttoleration.TaintToleration {
	for _, filter := range filters {
		if plugin, ok := filter.(*tainttoleration.TaintToleration); ok {
			return plugin
		}
	}
	return nil
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

// TestToleroTurns asks the filter that YuniKorn asks about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	plugin := toleroPlugin(t)
	toleroTurns(t, "TaintToleration.Filter",
		toleroAsk(func(pod *v1.Pod, node fwk.NodeInfo) *fwk.Status {
			return plugin.FilterBefore(t.Context(), nil, pod, node)
		}),
		toleroAsk(func(pod *v1.Pod, node fwk.NodeInfo) *fwk.Status { return plugin.Filter(t.Context(), nil, pod, node) }))
}

// TestToleroDialect asks the vectors.
func TestToleroDialect(t *testing.T) {
	plugin := toleroPlugin(t)
	ask := toleroAsk(func(pod *v1.Pod, node fwk.NodeInfo) *fwk.Status {
		return plugin.FilterBefore(t.Context(), nil, pod, node)
	})
	toleroDialect(t, "yunikorn", 1, func(p *toleroPair) bool { return ask(p) == "" })
}

package scheduler

import (
	"context"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// PreFilter skips the plugin for a pod whose resize is deferred, as the in-tree
// plugins do. With [Args.Narrow] it also returns the names of the nodes that Filter
// would let pass, if they are few; the scheduler then looks at no others. It
// reports the others with the message "node(s) didn't satisfy plugin(s)
// [ToleroTaintToleration]", whatever their taints.
//
// The answers are those for the nodes that it is given, not for a state of the
// cluster that is older or newer. To bring the index up to date takes time
// proportional to the number of nodes, as much as comparing a pointer for each.
func (pl *Plugin) PreFilter(_ context.Context, _ fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	switch {
	case pl.settled(pod):
		return nil, fwk.NewStatus(fwk.Skip)
	case pl.narrow == nil:
		return nil, nil
	}
	return pl.narrow.result(nodes, pod.Spec.Tolerations), nil
}

// PreFilterExtensions returns nil: pods that come and go do not change taints.
func (pl *Plugin) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

// narrowShare is how many nodes there must be for each that fits, for PreFilter to
// name those. See BenchmarkNarrow in match/kube/upstream.
const narrowShare = 8

// narrower keeps an index in step with the nodes of the scheduler's snapshot.
type narrower struct {
	comparisons bool
	cordons     bool

	mu          sync.Mutex // guards what follows, for profiles that schedule concurrently
	index       *index.Index
	seen        []*v1.Node // the nodes of the last cycle, in its order
	fit         index.Fit
	taints      []taint.Taint           // a buffer
	tolerations []toleration.Toleration // a buffer
}

func newNarrower(comparisons, cordons bool) *narrower {
	return &narrower{comparisons: comparisons, cordons: cordons, index: index.New(toleration.Rules{Comparisons: comparisons})}
}

// result returns the nodes that fit, or nil if they are not few.
func (n *narrower) result(nodes []fwk.NodeInfo, tolerations []v1.Toleration) *fwk.PreFilterResult {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.follow(nodes)
	n.tolerations = kube.AppendTolerations(n.tolerations[:0], tolerations)
	if !n.comparisons {
		n.tolerations = toleration.Rules{}.Active(n.tolerations[:0], n.tolerations)
	}
	snapshot := n.index.Snapshot()
	snapshot.FitList(&n.fit, n.tolerations)
	if n.fit.Len()*narrowShare > len(nodes) {
		return nil
	}
	names := make(sets.Set[string], n.fit.Len())
	for id := range n.fit.Nodes() {
		name, _ := snapshot.Name(id)
		names.Insert(name)
	}
	return &fwk.PreFilterResult{NodeNames: names}
}

// follow brings the index up to date. Objects are never changed in place, so a node
// that is the same object has the same taints.
func (n *narrower) follow(nodes []fwk.NodeInfo) {
	for i, info := range nodes {
		node := info.Node()
		if i < len(n.seen) && n.seen[i] == node {
			continue
		}
		n.set(node)
		if i < len(n.seen) {
			n.seen[i] = node
		} else {
			n.seen = append(n.seen, node)
		}
	}
	clear(n.seen[len(nodes):])
	n.seen = n.seen[:len(nodes)]
	if n.index.Len() > len(nodes) { // some are gone
		n.forget()
	}
}

func (n *narrower) set(node *v1.Node) {
	switch {
	case node == nil: // Filter will say so
		return
	case n.cordons:
		n.taints = kube.AppendNodeTaints(n.taints[:0], node)
	default:
		n.taints = kube.AppendTaints(n.taints[:0], node.Spec.Taints)
	}
	n.index.Set(node.Name, n.taints)
}

// forget makes the index anew from the nodes that there are.
func (n *narrower) forget() {
	n.index = index.New(toleration.Rules{Comparisons: n.comparisons})
	for _, node := range n.seen {
		n.set(node)
	}
}

package scheduler

import (
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// narrower keeps an index in step with the nodes of the scheduler's snapshot.
type narrower struct {
	rules   toleration.Rules
	cordons bool

	mu      sync.Mutex // guards what follows
	index   *index.Index
	order   []*v1.Node           // the nodes of the last time, in its order
	nodes   map[string]*followed // the same by name
	round   uint64               // of keeping them in step
	changes int                  // how often a node was set or deleted
	twice   bool                 // two nodes have one name, which cannot name one of them
	fit     index.Fit
	pod     *v1.Pod // the last one
	calls   uint64  // how often in a row it came

	taints      []taint.Taint           // a buffer
	tolerations []toleration.Toleration // a buffer
}

// followed is a node that the index has.
type followed struct {
	node  *v1.Node
	round uint64 // in which it was seen last
}

func newNarrower(rules toleration.Rules, cordons bool) *narrower {
	return &narrower{rules: rules, cordons: cordons, index: index.New(rules), nodes: make(map[string]*followed)}
}

// names returns the names of the nodes that fit, or nil if they are not few. If none
// fits, it names one that does not: then other plugins run as ever, and Filter gives
// the reason. It also returns nil if another goroutine is about it.
func (n *narrower) names(pod *v1.Pod, nodes []fwk.NodeInfo) sets.Set[string] {
	if !n.mu.TryLock() {
		return nil
	}
	defer n.mu.Unlock()
	if n.repeated(pod) {
		return nil
	}
	if n.follow(nodes); n.twice {
		return nil
	}
	n.tolerations = kube.AppendTolerations(n.tolerations[:0], pod.Spec.Tolerations)
	snapshot := n.index.Snapshot()
	snapshot.FitList(&n.fit, n.tolerations)
	if n.fit.Len()*narrowShare > len(nodes) {
		return nil
	}
	names := make(sets.Set[string], max(1, n.fit.Len()))
	for id := range n.fit.Nodes() {
		name, _ := snapshot.Name(id)
		names.Insert(name)
	}
	for i := 0; len(names) == 0 && i < len(n.order); i++ {
		if n.order[i] != nil {
			names.Insert(n.order[i].Name)
		}
	}
	if len(names) == 0 { // no node at all
		return nil
	}
	return names
}

// repeated reports whether a pod came in a row so often that it is passed over: of a
// program that calls PreFilter for each pair of pod and node, only the first call, the
// second, the fourth and so on look at all nodes.
func (n *narrower) repeated(pod *v1.Pod) bool {
	if n.pod != pod {
		n.pod, n.calls = pod, 0
	}
	n.calls++
	return n.calls&(n.calls-1) != 0
}

// follow brings the index up to date. Objects are never changed in place, so a node
// that is the same object has the same taints.
func (n *narrower) follow(nodes []fwk.NodeInfo) {
	moved := len(nodes) != len(n.order)
	for i, info := range nodes {
		node := nodeOf(info)
		if i >= len(n.order) {
			n.order = append(n.order, node)
			continue
		}
		last := n.order[i]
		if last == node {
			continue
		}
		n.order[i] = node
		if last != nil && node != nil && last.Name == node.Name {
			n.see(node)
		} else {
			moved = true
		}
	}
	if moved {
		clear(n.order[len(nodes):])
		n.order = n.order[:len(nodes)]
		n.reorder()
	}
}

// reorder looks for all nodes by name, because some came or went or changed places:
// a list in the order of zones shifts with each node, and one made from a map has no
// order. Only the nodes that are new objects are set, and those that are gone deleted.
func (n *narrower) reorder() {
	n.round++
	n.twice = false
	present := 0
	for _, node := range n.order {
		if node == nil { // Filter will say so
			continue
		}
		if f := n.see(node); f.round != n.round {
			f.round = n.round
			present++
		} else {
			n.twice = true
		}
	}
	if present == len(n.nodes) {
		return
	}
	for name, f := range n.nodes {
		if f.round != n.round {
			delete(n.nodes, name)
			n.index.Delete(name)
			n.changes++
		}
	}
}

// see returns the node of that name after setting it if it is another object.
func (n *narrower) see(node *v1.Node) *followed {
	f := n.nodes[node.Name]
	if f == nil {
		f = new(followed)
		n.nodes[node.Name] = f
	}
	if f.node != node {
		f.node = node
		n.set(node)
	}
	return f
}

func (n *narrower) set(node *v1.Node) {
	if n.cordons {
		n.taints = kube.AppendNodeTaints(n.taints[:0], node)
	} else {
		n.taints = kube.AppendTaints(n.taints[:0], node.Spec.Taints)
	}
	n.index.Set(node.Name, n.taints)
	n.changes++
}

package scheduler

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/taint"
)

// PreFilter skips the plugin for a pod whose resize is deferred, as the in-tree
// plugins do, and gets ready for Filter. Where few of many nodes take the pod, it also
// returns their names, and the scheduler asks no filter about the others, unless
// [Args.Narrow] is false. [Plugin.PostFilter] says why the others were left out.
//
// The answers are those for the nodes that it is given, not for a state of the cluster
// that is older or newer. A pod that many nodes take costs a look at a few of them.
// Otherwise the time is proportional to the number of nodes, as much as comparing a
// pointer for each, and to the number of changes since the last such pod.
func (pl *Plugin) PreFilter(ctx context.Context, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	if pl.settled(pod) {
		return nil, fwk.NewStatus(fwk.Skip)
	}
	pl.prepare(ctx, pod, len(nodes))
	if pl.narrow == nil || len(nodes) < narrowNodes || elsewhere(state, pod) || pl.manyFit(pod, nodes) {
		return nil, nil
	}
	names := pl.narrow.names(pod, nodes)
	if names == nil {
		return nil, nil
	}
	if state != nil {
		state.Write(pl.stateKey, &narrowed{nodes: nodes, names: names})
	}
	return &fwk.PreFilterResult{NodeNames: names}, nil
}

// PreFilterExtensions returns nil: pods that come and go do not change taints.
func (pl *Plugin) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

const (
	// narrowNodes is from how many nodes on PreFilter may name those that fit. With
	// fewer, the scheduler looks at all of them for every pod.
	narrowNodes = 100
	// narrowShare is how many nodes there must be for each that fits. To name a node
	// takes the scheduler as long as to ask about two that refuse, and it stops when it
	// has found enough. See BenchmarkNarrow in match/kube/upstream.
	narrowShare = 8
	// narrowSample is how many nodes are asked before the index is.
	narrowSample = 64
)

// elsewhere reports whether something else names the nodes of a pod, so that there is
// little to gain, or whether nobody would hear why the others were left out.
func elsewhere(state fwk.CycleState, pod *v1.Pod) bool {
	if group, ok := state.(interface{ IsPodGroupSchedulingCycle() bool }); ok && group.IsPodGroupSchedulingCycle() {
		return true // and PostFilter does not run; frameworks before 0.37 have no groups
	}
	return pod.Spec.NodeName != "" || namesNodes(pod.Spec.Affinity)
}

// namesNodes reports whether an affinity chooses nodes by name, as those of DaemonSets
// do.
func namesNodes(a *v1.Affinity) bool {
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return false
	}
	terms := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	for i := range terms {
		if len(terms[i].MatchFields) > 0 {
			return true
		}
	}
	return false
}

// manyFit asks a sample of the nodes, evenly spread, and reports whether more than one
// in narrowShare fits.
func (pl *Plugin) manyFit(pod *v1.Pod, nodes []fwk.NodeInfo) bool {
	q, fits := pl.ask(pod), 0
	for i := range narrowSample {
		node := nodeOf(nodes[i*len(nodes)/narrowSample])
		if node == nil || !pl.fits(q, pod, node) {
			continue
		}
		if fits++; fits > narrowSample/narrowShare {
			return true
		}
	}
	return false
}

// fits reports whether a node takes a pod. q may be nil.
func (pl *Plugin) fits(q *question, pod *v1.Pod, node *v1.Node) bool {
	if q != nil {
		if k := q.find(node); k != nil {
			_, refused := q.set.FirstUntolerated(k.hard(), taint.Hard)
			return !refused && (!k.cordoned || !pl.cordons || q.cordon)
		}
	}
	return pl.refusing(node, pod.Spec.Tolerations) == nil
}

// narrowed is what PreFilter notes for PostFilter.
type narrowed struct {
	nodes []fwk.NodeInfo // all
	names sets.Set[string]
}

// Clone returns n itself, which does not change.
func (n *narrowed) Clone() fwk.StateData { return n }

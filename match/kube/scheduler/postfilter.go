package scheduler

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// statuses is what the scheduler hands to PostFilter, as far as it can be corrected.
type statuses interface {
	AbsentNodesStatus() *fwk.Status
	SetAbsentNodesStatus(status *fwk.Status)
	Set(nodeName string, status *fwk.Status)
}

// PostFilter makes the scheduler say why the nodes that [Plugin.PreFilter] left out
// refuse the pod: in place of "node(s) didn't satisfy plugin(s)" they get the status
// that Filter has for them. It changes no other status, makes no room for the pod, and
// always returns Unschedulable, so that the next plugin runs. It should come before
// those that preempt. A scheduler whose statuses cannot be changed keeps its own words.
//
// Nothing but these words tells that no other plugin has left out nodes too: the status has
// no plugin, and what the others returned is not to be had. A scheduler with other words
// keeps them.
//
// The time is that of Filter for each node, once for a pod that was narrowed and found
// no node.
func (pl *Plugin) PostFilter(ctx context.Context, state fwk.CycleState, pod *v1.Pod, reader fwk.NodeToStatusReader) (*fwk.PostFilterResult, *fwk.Status) {
	if s, ok := reader.(statuses); ok && state != nil {
		pl.explain(ctx, state, pod, s)
	}
	return nil, fwk.NewStatus(fwk.Unschedulable)
}

// explain corrects the statuses of the nodes that were left out. Most have one reason,
// which becomes the common one, and only the others are set by themselves.
func (pl *Plugin) explain(ctx context.Context, state fwk.CycleState, pod *v1.Pod, s statuses) {
	data, err := state.Read(pl.stateKey)
	if err != nil {
		return
	}
	absent := s.AbsentNodesStatus()
	if absent == nil || absent.Message() != pl.leftOut {
		return // another plugin has left out nodes too, or PreFilter failed
	}
	n := data.(*narrowed)
	for _, info := range n.nodes {
		node := nodeOf(info)
		if node == nil || n.names.Has(node.Name) {
			continue
		}
		if status := pl.filter(ctx, pod, node); !status.IsSuccess() && status.Message() != reasonTaints {
			status.SetPlugin(pl.name)
			s.Set(node.Name, status)
		}
	}
	common := fwk.NewStatus(fwk.UnschedulableAndUnresolvable, reasonTaints)
	common.SetPlugin(pl.name)
	s.SetAbsentNodesStatus(common)
}

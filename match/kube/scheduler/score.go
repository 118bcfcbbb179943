package scheduler

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/match"
)

// PreScore skips scoring if the pod tolerates all PreferNoSchedule taints of all
// nodes, as it often does, because there are none: every node would get the same score.
// Otherwise, and for a node info without a node, it leaves the scoring to Score.
func (pl *Plugin) PreScore(ctx context.Context, _ fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) *fwk.Status {
	pl.prepare(ctx, pod, len(nodes))
	q := pl.ask(pod)
	for _, info := range nodes {
		node := info.Node()
		if node == nil {
			return nil
		}
		if q != nil && q.plain(node) {
			continue
		}
		if pl.count(q, pod, node) > 0 {
			return nil
		}
	}
	return fwk.NewStatus(fwk.Skip)
}

// Score returns how many PreferNoSchedule taints of the node the pod does not
// tolerate (rule F4). It does not allocate for a node that was met before.
func (pl *Plugin) Score(_ context.Context, _ fwk.CycleState, pod *v1.Pod, info fwk.NodeInfo) (int64, *fwk.Status) {
	node := info.Node()
	if node == nil {
		return 0, fwk.AsStatus(errNoNode)
	}
	q := pl.ask(pod)
	if q != nil {
		if entry, found := q.first(node); found { // what count finds too, without a call
			if q.fleet.entries.plain[entry] {
				return 0, nil
			}
			if k := q.fleet.entries.taints[entry]; k.version <= q.version {
				return q.count(k), nil
			}
		}
	}
	return pl.count(q, pod, node), nil
}

// count returns the score of a node. q may be nil.
func (pl *Plugin) count(q *question, pod *v1.Pod, node *v1.Node) (count int64) {
	if q != nil {
		if k := q.find(node); k != nil {
			return q.count(k)
		}
	}
	for i := range node.Spec.Taints {
		if x := &node.Spec.Taints[i]; x.Effect == v1.TaintEffectPreferNoSchedule && !pl.tolerates(pod.Spec.Tolerations, x) {
			count++
		}
	}
	return count
}

// ScoreExtensions returns the plugin itself, for NormalizeScore.
func (pl *Plugin) ScoreExtensions() fwk.ScoreExtensions { return pl }

// NormalizeScore turns the counts of [Plugin.Score] into scores from 0 to 100, in
// place: 100 - 100*count/max, and 100 for all when max is zero (rule F4).
func (pl *Plugin) NormalizeScore(_ context.Context, _ fwk.CycleState, _ *v1.Pod, scores fwk.NodeScoreList) *fwk.Status {
	var most int64
	for i := range scores {
		most = max(most, scores[i].Score)
	}
	for i := range scores {
		switch count := scores[i].Score; {
		case count == 0 || most == 0:
			scores[i].Score = match.MaxNodeScore
		case count == most: // as it often is; to divide takes longer than the rest
			scores[i].Score = 0
		default:
			scores[i].Score = match.MaxNodeScore - match.MaxNodeScore*count/most
		}
	}
	return nil
}

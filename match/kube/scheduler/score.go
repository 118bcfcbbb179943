package scheduler

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// PreScore skips scoring if the pod tolerates all PreferNoSchedule taints of all
// nodes, as it often does, because there are none: every node would get the same score.
// Otherwise, and for a node info without a node, it leaves the scoring to Score.
func (pl *Plugin) PreScore(ctx context.Context, _ fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) *fwk.Status {
	pl.prepare(ctx, pod, len(nodes))
	q := pl.ask(pod)
	for _, info := range nodes {
		node := nodeOf(info)
		if node == nil {
			return nil
		}
		count, known := uint8(0), false
		if q != nil {
			count, known = q.score(node)
		}
		if known && count > 0 || !known && pl.count(q, pod, node) > 0 {
			return nil
		}
	}
	return fwk.NewStatus(fwk.Skip)
}

// Score returns how many PreferNoSchedule taints of the node the pod does not
// tolerate (rule F4). It does not allocate for a node that was met before.
func (pl *Plugin) Score(_ context.Context, _ fwk.CycleState, pod *v1.Pod, info fwk.NodeInfo) (int64, *fwk.Status) {
	node := nodeOf(info)
	if q := pl.latest.Load(); node != nil && q.about(pod) {
		if count, known := q.score(node); known {
			return int64(count), nil
		}
	}
	return pl.score(pod, node)
}

// score is Score for a pod that is not the latest, or a node whose count is not known.
func (pl *Plugin) score(pod *v1.Pod, node *v1.Node) (int64, *fwk.Status) {
	if node == nil {
		return 0, fwk.AsStatus(errNoNode)
	}
	return pl.count(pl.ask(pod), pod, node), nil
}

// count returns the score of a node. q may be nil.
func (pl *Plugin) count(q *question, pod *v1.Pod, node *v1.Node) (count int64) {
	if q != nil {
		if k := q.find(node); k != nil {
			return q.untolerated(k.soft())
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
	most := highest(scores)
	var small [16]int64 // the scores of small counts: to divide takes longer than the rest
	for count := range min(most, int64(len(small))-1) + 1 {
		small[count] = normalized(count, most)
	}
	for i := range scores {
		if count := scores[i].Score; uint64(count) < uint64(len(small)) {
			scores[i].Score = small[count]
		} else {
			scores[i].Score = normalized(count, most)
		}
	}
	return nil
}

// highest returns the highest score, or 0 if none is higher. It keeps two of them, because
// a comparison waits for the one before it.
func highest(scores fwk.NodeScoreList) int64 {
	var a, b int64
	for i := 1; i < len(scores); i += 2 {
		a, b = max(a, scores[i-1].Score), max(b, scores[i].Score)
	}
	if n := len(scores); n%2 == 1 {
		a = max(a, scores[n-1].Score)
	}
	return max(a, b)
}

// maxScore is the framework's highest score. Its name there is MaxScore since
// Kubernetes 1.37, and MaxNodeScore before.
const maxScore = 100

// normalized returns the score of a node with that count if most is the highest.
func normalized(count, most int64) int64 {
	if most == 0 {
		return maxScore
	}
	return maxScore - maxScore*count/most
}

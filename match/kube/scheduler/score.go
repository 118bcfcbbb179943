package scheduler

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/match"
)

// PreScore has nothing to prepare: Score reads the pod itself, which takes less
// time than to find in the cycle's state what was prepared. It is there so that the
// plugin can be enabled wherever the in-tree one is.
func (pl *Plugin) PreScore(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) *fwk.Status {
	return nil
}

// Score returns how many PreferNoSchedule taints of the node the pod does not
// tolerate (rule F4). It does not allocate.
func (pl *Plugin) Score(_ context.Context, _ fwk.CycleState, pod *v1.Pod, info fwk.NodeInfo) (int64, *fwk.Status) {
	node := info.Node()
	if node == nil {
		return 0, fwk.AsStatus(errNoNode)
	}
	tolerations, trimmed := pod.Spec.Tolerations, false
	var count int64
	for i := range node.Spec.Taints {
		t := &node.Spec.Taints[i]
		if t.Effect != v1.TaintEffectPreferNoSchedule {
			continue
		}
		if !trimmed { // most nodes have no such taint
			tolerations, trimmed = trim(tolerations), true
		}
		if !pl.tolerates(tolerations, t) {
			count++
		}
	}
	return count, nil
}

// trim returns the tolerations without those at either end that cannot tolerate a
// PreferNoSchedule taint. Often none is left.
func trim(tolerations []v1.Toleration) []v1.Toleration {
	for len(tolerations) > 0 && !soft(&tolerations[0]) {
		tolerations = tolerations[1:]
	}
	for len(tolerations) > 0 && !soft(&tolerations[len(tolerations)-1]) {
		tolerations = tolerations[:len(tolerations)-1]
	}
	return tolerations
}

func soft(t *v1.Toleration) bool {
	return t.Effect == "" || t.Effect == v1.TaintEffectPreferNoSchedule
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
		if count := scores[i].Score; most > 0 && count != 0 {
			scores[i].Score = match.MaxNodeScore - match.MaxNodeScore*count/most
		} else {
			scores[i].Score = match.MaxNodeScore
		}
	}
	return nil
}

package match

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// MaxNodeScore is the score of the best node after normalisation.
const MaxNodeScore = 100

// Score returns how many PreferNoSchedule taints the tolerations leave
// untolerated; duplicates count (rule F4). Fewer is better. It is the number
// that kube-scheduler's TaintToleration plugin gives a node, to be turned into
// a score by [NormalizeScores] once all candidate nodes have theirs.
func Score(taints []taint.Taint, tolerations []toleration.Toleration) int64 {
	var count int64
	for i := range taints {
		if taints[i].Effect == taint.PreferNoSchedule && !Tolerates(tolerations, &taints[i]) {
			count++
		}
	}
	return count
}

// NormalizeScores turns the counts that [Score] gave the candidate nodes into
// scores from 0 to 100, in place, as kube-scheduler does: 100 - 100*count/max
// in integer arithmetic, and 100 for all when max is zero (rule F4). More is
// better. Counts must not be negative; those that Score returns never are.
func NormalizeScores(counts []int64) {
	if len(counts) == 0 {
		return
	}
	most := slices.Max(counts)
	for i, count := range counts {
		counts[i] = MaxNodeScore
		if most > 0 {
			counts[i] -= MaxNodeScore * count / most
		}
	}
}

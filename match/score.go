package match

import "slices"

// maxScore is the score of the best node after normalization.
const maxScore = 100

// NormalizeScores turns the counts of untolerated PreferNoSchedule taints (see
// [CountUntolerated]) of all candidate nodes into scores from 0 to 100, in
// place, as kube-scheduler does: 100 - 100*count/max in integer arithmetic, and
// 100 for all if max is zero (rule F4). Fewer taints give a higher score.
//
// Counts must be from 0 to 2^63/100, as those of CountUntolerated always are;
// others give scores without meaning. An empty list has nothing to normalize.
func NormalizeScores(counts []int64) {
	if len(counts) == 0 {
		return
	}
	most := slices.Max(counts)
	for i, count := range counts {
		counts[i] = maxScore
		if most > 0 {
			counts[i] -= maxScore * count / most
		}
	}
}

package kube

import (
	"time"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Decide is [match.Decide] on v1 lists: what the taints mean to a pod with these
// tolerations, for the scheduler and, if it runs there, for the eviction
// controller (rules F2, E1 to E3). The indexes in the verdict are those of
// taints. To count the cordon, pass the list of [NodeTaints], and name the indexes by
// that list.
func Decide(taints []v1.Taint, tolerations []v1.Toleration, rules ...toleration.Rules) match.Verdict {
	var v match.Verdict
	if i, hard := FirstUntolerated(taints, tolerations, taint.Hard, rules...); hard {
		v.Scheduling, v.SchedulingTaint = match.Unschedulable, i
	} else if i, soft := FirstUntolerated(taints, tolerations, taint.Soft, rules...); soft {
		v.Scheduling, v.SchedulingTaint = match.Avoid, i
	}
	switch after, i, evicted := soonest(taints, tolerations, counted(rules)); {
	case evicted && after == 0:
		v.Eviction, v.EvictionTaint = match.EvictNow, i
	case evicted:
		v.Eviction, v.EvictionTaint, v.After = match.EvictAfter, i, after
	}
	return v
}

// EvictionDelay is [match.EvictionDelay] on v1 lists: whether the taints evict a
// pod with these tolerations, and after how long from when they are noticed; zero
// is at once (rules E1 to E3). If not evicted, the pod may stay forever. In all
// else it is like [Decide].
func EvictionDelay(taints []v1.Taint, tolerations []v1.Toleration, rules ...toleration.Rules) (after time.Duration, evicted bool) {
	after, _, evicted = soonest(taints, tolerations, counted(rules))
	return after, evicted
}

// soonest returns what EvictionDelay does, and the index of the taint that decides.
func soonest(taints []v1.Taint, tolerations []v1.Toleration, rules toleration.Rules) (after time.Duration, index int, evicted bool) {
	for i := range taints {
		x := &taints[i]
		if x.Effect != v1.TaintEffectNoExecute { // E1: only NoExecute counts
			continue
		}
		t := firstTolerating(tolerations, x, rules)
		if t == nil { // E1: an untolerated one evicts now
			return 0, i, true
		}
		if t.TolerationSeconds == nil { // E2: no seconds is forever
			continue
		}
		if left := delay(x, t); !evicted || left < after { // E2: the least over the taints
			after, index, evicted = left, i, true
		}
	}
	return after, index, evicted
}

// delay leaves the arithmetic of limited seconds to package match (rules E2, E3). The
// toleration counts.
func delay(x *v1.Taint, t *v1.Toleration) time.Duration {
	taints, tolerations := [1]taint.Taint{Taint(x)}, [1]toleration.Toleration{Toleration(t)}
	left, _ := match.EvictionDelay(taints[:], tolerations[:], toleration.Rules{Comparisons: true})
	return left
}

package command

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// Left returns how long a pod may still run that its node's taints evict, and whether that is
// counted from when the taint was put on the node until now, the time of the input. If one of
// the two is not known, it is the whole time, from when the taint was noticed (rule E4).
func Left(v match.Verdict, taints []taint.Taint, now time.Time) (left time.Duration, counted bool) {
	if v.Eviction != match.EvictAfter {
		return 0, true
	}
	added := taints[v.EvictionTaint].TimeAdded
	if added == nil || now.IsZero() || added.Time.IsZero() {
		return v.After, false
	}
	return max(0, v.After-now.Sub(added.Time)), true
}

// When says when a pod is evicted, as [Left] has it.
func When(left time.Duration, counted bool) string {
	switch {
	case left == 0:
		return "now"
	case counted:
		return "in " + Duration(left.Round(time.Second))
	}
	return "after " + Duration(left) + " with the taint"
}

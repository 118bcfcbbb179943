package command

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// Left returns how long a pod may still run that its node's taints evict, and whether that is
// counted from when the taint was put on the node until now, the time of the input: it is
// negative if the pod is late. If one of the two is not known, or the taint is of a clock that
// is wrong, it is the whole time, from when the taint was noticed (rule E4).
func Left(v match.Verdict, taints []taint.Taint, now time.Time) (left time.Duration, counted bool) {
	added := taints[v.EvictionTaint].TimeAdded
	if added == nil || now.IsZero() || added.Time.IsZero() || added.Time.After(now) {
		return v.After, v.Eviction != match.EvictAfter
	}
	return v.After - now.Sub(added.Time), true
}

// Moment is how a time of the input is written.
const Moment = "2006-01-02 15:04:05 UTC"

// When says when a pod is evicted, as [Left] has it. It is on its way for some seconds.
func When(left time.Duration, counted bool) string {
	switch left = left.Round(time.Second); {
	case left < -10*time.Second:
		return "due " + Duration(-left) + " ago"
	case left <= 0:
		return "now"
	case counted:
		return "in " + Duration(left)
	}
	return "after " + Duration(left) + " with the taint"
}

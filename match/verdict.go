package match

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Scheduling says what a node's taints mean to a pod that is not placed yet
// (rule F2). The values are ordered from best to worst. The zero value is
// [Schedulable], the answer for a node without taints.
type Scheduling uint8

// The scheduler's answers.
const (
	Schedulable   Scheduling = iota // nothing is left untolerated
	Avoid                           // only PreferNoSchedule taints are left
	Unschedulable                   // a NoSchedule or NoExecute taint is left
)

// String returns "schedulable", "avoid" or "unschedulable".
func (s Scheduling) String() string {
	switch s {
	case Schedulable:
		return "schedulable"
	case Avoid:
		return "avoid"
	case Unschedulable:
		return "unschedulable"
	}
	return fmt.Sprintf("Scheduling(%d)", uint8(s))
}

// Eviction says what a node's taints mean to a pod that runs there (rules E1,
// E2). The values are ordered from best to worst. The zero value is [Stay], the
// answer for a node without taints.
type Eviction uint8

// The eviction controller's answers.
const (
	Stay       Eviction = iota // the pod may stay
	LeaveAfter                 // it has to leave after a while
	LeaveNow                   // it has to leave at once
)

// String returns "stay", "leave after" or "leave now".
func (e Eviction) String() string {
	switch e {
	case Stay:
		return "stay"
	case LeaveAfter:
		return "leave after"
	case LeaveNow:
		return "leave now"
	}
	return fmt.Sprintf("Eviction(%d)", uint8(e))
}

// Verdict is all that a node's taints mean to a pod.
//
// The zero Verdict is that of a node without taints: schedulable, stay. A
// Verdict is plain data, comparable with ==, and retains nothing.
type Verdict struct {
	Scheduling Scheduling
	Eviction   Eviction
	// After is the time that the pod has left, counted from when the taints
	// are noticed (rule E4). It is zero unless Eviction is LeaveAfter.
	After time.Duration
}

// String returns the two answers, such as "unschedulable, leave after 5m0s".
func (v Verdict) String() string {
	text := v.Scheduling.String() + ", " + v.Eviction.String()
	if v.Eviction == LeaveAfter {
		text += " " + v.After.String()
	}
	return text
}

// Decide returns what taints mean to a pod with the given tolerations: for the
// scheduler by rule F2, and for a pod that already runs there by rules E1 to E3
// under Kubernetes' policy, [FirstMatch]. The two are independent: a pod that
// could not be scheduled may still be allowed to stay (rule F5).
func Decide(taints []taint.Taint, tolerations []toleration.Toleration) Verdict {
	var v Verdict
	if _, hard := FirstUntolerated(taints, tolerations, taint.Hard); hard {
		v.Scheduling = Unschedulable
	} else if _, soft := FirstUntolerated(taints, tolerations, taint.Soft); soft {
		v.Scheduling = Avoid
	}
	after, evicted := EvictionDelay(taints, tolerations)
	switch {
	case evicted && after == 0:
		v.Eviction = LeaveNow
	case evicted:
		v.Eviction, v.After = LeaveAfter, after
	}
	return v
}

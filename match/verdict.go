package match

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Scheduling says what a node's taints mean to a pod that is to be scheduled
// (rule F2). The values are ordered from best to worst. The zero value is
// [Schedulable], the answer for a node without taints. A Scheduling is a small
// integer, free to copy and to share.
type Scheduling uint8

// The scheduler's answers.
const (
	Schedulable   Scheduling = iota // no untolerated taint
	Avoid                           // PreferNoSchedule taints are the only untolerated ones
	Unschedulable                   // an untolerated NoSchedule or NoExecute taint
)

// String returns "schedulable", "avoid" or "unschedulable", and for any other
// value its number, such as "Scheduling(9)".
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
// answer for a node without taints. An Eviction is a small integer, free to
// copy and to share.
type Eviction uint8

// The eviction controller's answers.
const (
	Stay       Eviction = iota // the pod may stay
	EvictAfter                 // it is evicted after a while
	EvictNow                   // it is evicted at once
)

// String returns "stay", "evict after" or "evict now", and for any other value
// its number, such as "Eviction(9)".
func (e Eviction) String() string {
	switch e {
	case Stay:
		return "stay"
	case EvictAfter:
		return "evict after"
	case EvictNow:
		return "evict now"
	}
	return fmt.Sprintf("Eviction(%d)", uint8(e))
}

// Verdict is all that a node's taints mean to a pod: the answer for one that is
// to be scheduled, the answer for one that already runs there, and for each the
// taint that decided.
//
// The zero Verdict is that of a node without taints: schedulable, stay. A
// Verdict is plain data, comparable with ==, free to copy and to share, and
// retains nothing.
type Verdict struct {
	Scheduling Scheduling
	Eviction   Eviction
	// SchedulingTaint is the index of the taint that decided Scheduling, in the given
	// list, the first of which may be the cordon (see [taint.WithCordon]): the first
	// untolerated NoSchedule or NoExecute taint if the pod is unschedulable, the first
	// untolerated PreferNoSchedule taint if the node is to be avoided (rule F3). It is
	// zero if the pod is schedulable.
	SchedulingTaint int
	// EvictionTaint is the index of the taint that decided Eviction: the first
	// untolerated NoExecute taint; if all are tolerated, the first of those with
	// the least time. It is zero if the pod may stay.
	EvictionTaint int
	// After is how long the pod may still run, counted from when the taints are
	// noticed (rule E4). It is zero unless Eviction is EvictAfter.
	After time.Duration
}

// Decide returns what taints mean to a pod with the given tolerations: for the
// scheduler by rule F2, and for a pod that already runs there by rules E1 to E3
// under Kubernetes' policy, [FirstMatch]. The two are independent: a pod that
// could not be scheduled may still be allowed to stay (rule F5).
func Decide(taints []taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) Verdict {
	return FirstMatch.Decide(taints, tolerations, time.Time{}, rules...)
}

// Decide is the function [Decide] under the policy p: Eviction and After are
// what [EvictionPolicy.Delay] returns at now.
func (p EvictionPolicy) Decide(taints []taint.Taint, tolerations []toleration.Toleration, now time.Time, rules ...toleration.Rules) Verdict {
	var v Verdict
	if i, hard := FirstUntolerated(taints, tolerations, taint.Hard, rules...); hard {
		v.Scheduling, v.SchedulingTaint = Unschedulable, i
	} else if i, soft := FirstUntolerated(taints, tolerations, taint.Soft, rules...); soft {
		v.Scheduling, v.SchedulingTaint = Avoid, i
	}
	after, i, evicted := p.soonest(taints, tolerations, now, rules)
	switch {
	case evicted && after == 0:
		v.Eviction, v.EvictionTaint = EvictNow, i
	case evicted:
		v.Eviction, v.EvictionTaint, v.After = EvictAfter, i, after
	}
	return v
}

// String returns the two answers, such as "unschedulable, evict after 5m0s".
// [Verdict.Sentence] names the taints too.
func (v Verdict) String() string {
	text := v.Scheduling.String() + ", " + v.Eviction.String()
	if v.Eviction == EvictAfter {
		text += " " + v.After.String()
	}
	return text
}

// Sentence returns the two answers and the taints that decided them, for logs
// and for people, such as
//
//	not schedulable: key2=value2:NoSchedule is not tolerated; may stay
//	schedulable; evicted after 5m0s because of node.kubernetes.io/unreachable:NoExecute
//
// taints is the list that the verdict was made for. A taint that another list
// does not have is named by its index. Do not parse the text.
func (v Verdict) Sentence(taints []taint.Taint) string {
	return v.scheduling(taints) + "; " + v.eviction(taints)
}

func (v Verdict) scheduling(taints []taint.Taint) string {
	switch v.Scheduling {
	case Avoid:
		return "schedulable but avoided: " + named(taints, v.SchedulingTaint) + " is not tolerated"
	case Unschedulable:
		return "not schedulable: " + named(taints, v.SchedulingTaint) + " is not tolerated"
	}
	return v.Scheduling.String()
}

func (v Verdict) eviction(taints []taint.Taint) string {
	switch v.Eviction {
	case Stay:
		return "may stay"
	case EvictAfter:
		return "evicted after " + v.After.String() + " because of " + named(taints, v.EvictionTaint)
	case EvictNow:
		return "evicted at once because of " + named(taints, v.EvictionTaint)
	}
	return v.Eviction.String()
}

// named returns the text of the taint with the given index.
func named(taints []taint.Taint, index int) string {
	if index < 0 || index >= len(taints) {
		return fmt.Sprintf("taint %d", index)
	}
	return taints[index].String()
}

package canonical

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func init() {
	kinds["deviceTolerates"] = deviceTolerates
	kinds["deviceAllocatable"] = deviceAllocatable
	kinds["deviceTaints"] = deviceTaints
	kinds["deviceTaintRuleUpdate"] = ruleUpdate
	kinds["validateDeviceTaintRule"] = func(in *Input) Result {
		if in.Rule == nil {
			return faulty(nil)
		}
		return faulty(in.Rule.Spec.Validate())
	}
	kinds["deviceTaintRulePreview"] = preview
}

func deviceTolerates(in *Input) Result {
	t, x := new(toleration.Toleration), new(taint.Taint)
	if in.DeviceToleration != nil {
		t = in.DeviceToleration
	}
	if in.DeviceTaint != nil {
		x = in.DeviceTaint
	}
	ok := device.Tolerates([]toleration.Toleration{*t}, x)
	reason := "effect, key and operator match"
	if !ok {
		reason = "effect, key or operator does not match"
	}
	return Result{Answer: ok, Reason: reason}
}

// deviceAllocatable is whether a device may be allocated to a request.
func deviceAllocatable(in *Input) Result {
	i, ok := device.FirstUntolerated(in.DeviceTaints, in.DeviceTolerations)
	if ok {
		return Result{Answer: false, Reason: fmt.Sprintf("%s is not tolerated", in.DeviceTaints[i])}
	}
	return Result{Answer: true, Reason: "every NoSchedule and NoExecute taint is tolerated"}
}

// deviceTaints is the taints that each device of a slice has: its own and, after them,
// those of rules in the order of their names.
func deviceTaints(in *Input) Result {
	rules := new(device.RuleSet)
	for i := range in.DeviceTaintRules {
		rules.Set(in.DeviceTaintRules[i].Metadata.Name, &in.DeviceTaintRules[i].Spec)
	}
	lists := [][]taint.Taint{}
	if in.ResourceSlice != nil {
		slice := &in.ResourceSlice.Spec
		for _, d := range slice.Devices {
			lists = append(lists, rules.AppendEffective([]taint.Taint{}, d.Taints, slice.ID(d.Name)))
		}
	}
	return Result{Answer: lists, Reason: "the taints of the slice and those of the rules whose selectors select the device"}
}

// ruleUpdate is the timeAdded that the API server stores for a rule.
func ruleUpdate(in *Input) Result {
	if in.Rule == nil || in.OldRule == nil || in.Now == nil {
		return Result{Answer: nil, Reason: "no rule"}
	}
	rule := in.Rule.Spec.Clone()
	rule.PrepareUpdate(&in.OldRule.Spec, in.Now.Time)
	reason := "the time is kept"
	if given := in.Rule.Spec.Taint.TimeAdded; given == nil || !given.Equal(rule.Taint.TimeAdded.Time) {
		reason = "the time is now: none was given, or the effect changed and the time did not"
	}
	return Result{Answer: rule.Taint.TimeAdded, Reason: reason}
}

// Preview is what a rule with the effect None would do.
type Preview struct {
	Published int `json:"published"`
	Allocated int `json:"allocated"`
	Pods      int `json:"pods"`
}

// preview is the numbers of a rule after the events.
func preview(in *Input) Result {
	if in.Rule == nil {
		return Result{Answer: Preview{}, Reason: "no rule"}
	}
	q := queue{new(evict.Queue[string])}
	for i := range in.Events {
		q.play(&in.Events[i], func(time.Time, []evict.Decision[string]) {})
	}
	_, impact := q.Preview(nil, in.Rule.Metadata.Name, &in.Rule.Spec, after(in.Until))
	return Result{Answer: Preview{impact.Published, impact.Allocated, impact.Pods}, Reason: "what the selector selects"}
}

// queue plays events to a queue of evictions.
type queue struct{ *evict.Queue[string] }

// advance lets time pass, from one eviction to the next.
func (q queue) advance(now time.Time, tell func(time.Time, []evict.Decision[string])) {
	for due, ok := q.Next(); ok && !due.After(now); due, ok = q.Next() {
		tell(due, q.Advance(nil, due))
	}
	tell(now, q.Advance(nil, now))
}

func (q queue) play(e *Event, tell func(time.Time, []evict.Decision[string])) {
	now := after(e.At)
	q.advance(now, tell)
	switch {
	case e.Slice != nil:
		tell(now, q.SetSlice(nil, now, e.Slice.Metadata.Name, &e.Slice.Spec))
	case e.DeleteSlice != "":
		tell(now, q.DeleteSlice(nil, now, e.DeleteSlice))
	case e.Rule != nil:
		tell(now, q.SetRule(nil, now, e.Rule.Metadata.Name, &e.Rule.Spec))
	case e.DeleteRule != "":
		tell(now, q.DeleteRule(nil, now, e.DeleteRule))
	case e.DeletePod != "":
		tell(now, q.DeletePod(nil, now, e.DeletePod))
	case e.Use != nil:
		claims, reserved := []string{e.Use.Pod}, []string{e.Use.Pod}
		if e.Use.NotInSpec {
			claims = nil
		}
		if e.Use.NotReserved {
			reserved = nil
		}
		tell(now, q.SetPod(nil, now, e.Use.Pod, !e.Use.Unplaced, claims))
		tell(now, q.SetClaim(nil, now, e.Use.Pod, e.Use.Devices, reserved))
	}
}

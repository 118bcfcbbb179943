package match

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TolerationLists are several lists that count as one, such as those of a pod and of the
// flavor of node that is to be added for it, without a joined copy:
//
//	v := match.TolerationLists{pod.Tolerations, flavor.Tolerations}.Decide(node.Taints)
//
// Their order matters as that of tolerations in one list does (rule E2). Lists may be nil.
// The zero TolerationLists has none and tolerates nothing. A copy shares the lists; methods
// only read them, retain nothing, and may be called concurrently.
type TolerationLists [][]toleration.Toleration

// FirstUntolerated returns what the function [FirstUntolerated] does for the lists joined
// in their order.
func (l TolerationLists) FirstUntolerated(taints []taint.Taint, effects taint.EffectSet, rules ...toleration.Rules) (index int, ok bool) {
	for i := range taints {
		if effects.Has(taints[i].Effect) && l.tolerating(&taints[i], rules) == nil {
			return i, true
		}
	}
	return 0, false
}

// Decide returns what the function [Decide] does for the lists joined in their order.
//
// One list decides each taint, so the verdict is the worst of those of the taints alone,
// and of equal ones that of the first.
func (l TolerationLists) Decide(taints []taint.Taint, rules ...toleration.Rules) Verdict {
	var v Verdict
	for i := range taints {
		one := Decide(taints[i:i+1], l.tolerating(&taints[i], rules), rules...)
		if one.Scheduling > v.Scheduling { // F2
			v.Scheduling, v.SchedulingTaint = one.Scheduling, i
		}
		if one.Eviction > v.Eviction || one.Eviction == v.Eviction && one.After < v.After { // E1, E2
			v.Eviction, v.EvictionTaint, v.After = one.Eviction, i, one.After
		}
	}
	if i, evicted := l.FirstUntolerated(taints, taint.Evicting, rules...); evicted { // E1: before one with zero seconds
		v.EvictionTaint = i
	}
	return v
}

// tolerating returns the first list that tolerates x, and nil if none does.
func (l TolerationLists) tolerating(x *taint.Taint, rules []toleration.Rules) []toleration.Toleration {
	for _, list := range l {
		if Tolerates(list, x, rules...) {
			return list
		}
	}
	return nil
}

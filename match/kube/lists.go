package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TolerationLists is [match.TolerationLists] on v1 lists: several lists that count as one,
// in their order, such as those of a pod and of the flavor of node that is to be added for
// it, without a joined copy:
//
//	_, found := kube.TolerationLists{pod.Spec.Tolerations, flavor.Tolerations}.FirstUntolerated(node.Spec.Taints, taint.Hard)
//
// Lists may be nil. The zero TolerationLists has none and tolerates nothing. A copy shares the
// lists; methods only read them, retain nothing, and may be called concurrently. For many nodes
// [Matcher] takes several lists too.
type TolerationLists [][]v1.Toleration

// FirstUntolerated returns what the function [FirstUntolerated] does for the lists joined
// in their order.
func (l TolerationLists) FirstUntolerated(taints []v1.Taint, effects taint.EffectSet, rules ...toleration.Rules) (index int, found bool) {
	for i := range taints {
		if x := &taints[i]; effects.Has(taint.Effect(x.Effect)) && l.tolerating(x, counted(rules)) == nil {
			return i, true
		}
	}
	return 0, false
}

// Decide returns what the function [Decide] does for the lists joined in their order.
func (l TolerationLists) Decide(taints []v1.Taint, rules ...toleration.Rules) match.Verdict {
	var v match.Verdict
	for i := range taints { // as match.TolerationLists.Decide
		one := Decide(taints[i:i+1], l.tolerating(&taints[i], counted(rules)), rules...)
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
func (l TolerationLists) tolerating(x *v1.Taint, rules toleration.Rules) []v1.Toleration {
	for _, list := range l {
		if firstTolerating(list, x, rules) != nil {
			return list
		}
	}
	return nil
}

package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Filter appends to dst the taints that have one of the given effects and that
// no toleration of the list tolerates, in the order of the node, and returns the
// extended slice (rule F1).
//
// dst keeps what it holds. It may be nil, and it may be taints[:0], which filters
// in place; it must not overlap taints in any other way. The result shares
// TimeAdded with taints.
func Filter(dst, taints []v1.Taint, tolerations []v1.Toleration, effects taint.EffectSet, rules ...toleration.Rules) []v1.Taint {
	for {
		i, found := FirstUntolerated(taints, tolerations, effects, rules...)
		if !found {
			return dst
		}
		dst, taints = append(dst, taints[i]), taints[i+1:]
	}
}

// FirstUntolerated returns the index of the first taint, in the order of the
// node, that has one of the given effects and that no toleration of the list
// tolerates, and whether there is one (rules F2, F3); without one the index is
// zero. With [taint.Hard] it answers for the scheduler: found means that the pod
// may not be placed.
func FirstUntolerated(taints []v1.Taint, tolerations []v1.Toleration, effects taint.EffectSet, rules ...toleration.Rules) (index int, found bool) {
	if len(taints) > 0 { // most nodes have none, and cost no call because this is inlined
		index, found = firstUntolerated(taints, tolerations, effects, counted(rules))
	}
	return
}

func firstUntolerated(taints []v1.Taint, tolerations []v1.Toleration, effects taint.EffectSet, rules toleration.Rules) (index int, found bool) {
taints:
	for i := range taints {
		x := &taints[i]
		if !effects.Has(taint.Effect(x.Effect)) {
			continue
		}
		for j := range tolerations { // not firstTolerating, because a call costs a tenth of the time
			if t := &tolerations[j]; sameLengths(t, x) && tolerated(t, x, rules) {
				continue taints
			}
		}
		return i, true
	}
	return 0, false
}

// CountUntolerated returns how many of the taints have one of the given effects and are
// tolerated by no toleration of the list; duplicates count. With [taint.Soft] it is
// kube-scheduler's raw score of the node, where more is worse (rule F4). Otherwise it
// is like [FirstUntolerated].
func CountUntolerated(taints []v1.Taint, tolerations []v1.Toleration, effects taint.EffectSet, rules ...toleration.Rules) (count int64) {
	for {
		i, found := FirstUntolerated(taints, tolerations, effects, rules...)
		if !found {
			return count
		}
		count, taints = count+1, taints[i+1:]
	}
}

// counted returns the rules that count: the first, and those of a default cluster if
// there are none.
func counted(rules []toleration.Rules) (first toleration.Rules) {
	if len(rules) > 0 {
		first = rules[0]
	}
	return first
}

// firstTolerating returns the first toleration of the list that tolerates x, or nil.
func firstTolerating(tolerations []v1.Toleration, x *v1.Taint, rules toleration.Rules) *v1.Toleration {
	for i := range tolerations {
		if t := &tolerations[i]; sameLengths(t, x) && tolerated(t, x, rules) {
			return t
		}
	}
	return nil
}

// sameLengths is the first test of key and effect (rule M1). Lengths are at hand,
// whereas to compare strings takes a call, which is what costs most here (see
// BenchmarkFirstUntolerated in upstream/kube): most pairs end with this test.
func sameLengths(t *v1.Toleration, x *v1.Taint) bool {
	return (t.Key == "" || len(t.Key) == len(x.Key)) && (t.Effect == "" || len(t.Effect) == len(x.Effect))
}

// tolerated reports whether t tolerates x (rules M1, M2, N1 to N4).
func tolerated(t *v1.Toleration, x *v1.Taint, rules toleration.Rules) bool {
	if t.Key != "" && t.Key != x.Key || t.Effect != "" && t.Effect != x.Effect {
		return false
	}
	return rules.Holds(toleration.Operator(t.Operator), x.Value, t.Value) // inlined
}

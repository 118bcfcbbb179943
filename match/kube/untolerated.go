package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Filter appends to dst the taints that have one of the given effects and that
// no toleration of the list tolerates, in the order of the node, and returns the
// extended slice (rule F1). The zero rules are those of a default cluster, where
// Gt and Lt match nothing (rule N4).
//
// dst keeps what it holds. It may be nil, and it may be taints[:0], which filters
// in place; it must not overlap taints in any other way. The result shares
// TimeAdded with taints. Filter does not allocate if dst has room.
func Filter(dst, taints []v1.Taint, tolerations []v1.Toleration, effects taint.EffectSet, rules toleration.Rules) []v1.Taint {
	for i := range taints {
		if effects.Has(taint.Effect(taints[i].Effect)) && firstTolerating(tolerations, &taints[i], rules) == nil {
			dst = append(dst, taints[i])
		}
	}
	return dst
}

// FirstUntolerated returns the index of the first taint, in the order of the
// node, that has one of the given effects and that no toleration of the list
// tolerates, and whether there is one (rules F2, F3); without one the index is
// zero. With [taint.Hard] it answers for the scheduler: found means that the pod
// may not be placed. The zero rules are those of a default cluster, where Gt and
// Lt match nothing (rule N4).
//
// Empty lists are allowed. It does not allocate, and takes time proportional to
// the product of the lengths.
func FirstUntolerated(taints []v1.Taint, tolerations []v1.Toleration, effects taint.EffectSet, rules toleration.Rules) (index int, found bool) {
	for i := range taints {
		if effects.Has(taint.Effect(taints[i].Effect)) && firstTolerating(tolerations, &taints[i], rules) == nil {
			return i, true
		}
	}
	return 0, false
}

// firstTolerating returns the first toleration of the list that tolerates x, or nil.
// It decides the operators that nearly all tolerations have (rules M1, M2) and leaves
// the others, Gt and Lt among them, to the canonical code. It is one loop, with no
// call for those operators, because calls are what costs most: see BenchmarkP1.
func firstTolerating(tolerations []v1.Toleration, x *v1.Taint, rules toleration.Rules) *v1.Toleration {
	for i := range tolerations {
		t := &tolerations[i]
		if t.Key != "" && t.Key != x.Key || t.Effect != "" && t.Effect != x.Effect {
			continue
		}
		tolerated := false
		switch t.Operator {
		case "", v1.TolerationOpEqual:
			tolerated = t.Value == x.Value
		case v1.TolerationOpExists:
			tolerated = true
		default:
			converted := Taint(x)
			tolerated = tolerates(t, &converted, rules.Comparisons)
		}
		if tolerated {
			return t
		}
	}
	return nil
}

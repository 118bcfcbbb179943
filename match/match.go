package match

import (
	"errors"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Tolerates reports whether some toleration of the list tolerates x (rules M1
// to M6, N1 to N4). An empty list tolerates nothing. x must not be nil.
func Tolerates(tolerations []toleration.Toleration, x *taint.Taint, rules ...toleration.Rules) bool {
	for i := range tolerations {
		if tolerations[i].Tolerates(x, rules...) {
			return true
		}
	}
	return false
}

// FirstTolerating returns the index of the first toleration of the list that
// tolerates x, and whether there is one; without one the index is zero. For a
// NoExecute taint this is the toleration whose seconds count (rule E2). x must
// not be nil.
func FirstTolerating(tolerations []toleration.Toleration, x *taint.Taint, rules ...toleration.Rules) (index int, ok bool) {
	for i := range tolerations {
		if tolerations[i].Tolerates(x, rules...) {
			return i, true
		}
	}
	return 0, false
}

// Filter appends to dst the taints that have one of the given effects and that
// no toleration of the list tolerates, in the order of the node, and returns
// the extended slice (rule F1). With [taint.AllEffects] these are all
// untolerated taints; with no effects, none.
//
// dst keeps what it holds. It may be nil, and it may be taints[:0], which
// filters in place; it must not overlap taints in any other way. The result
// shares TimeAdded with taints.
func Filter(dst, taints []taint.Taint, tolerations []toleration.Toleration, effects taint.EffectSet, rules ...toleration.Rules) []taint.Taint {
	for i := range taints {
		if effects.Has(taints[i].Effect) && !Tolerates(tolerations, &taints[i], rules...) {
			dst = append(dst, taints[i])
		}
	}
	return dst
}

// FirstUntolerated returns the index of the first taint, in the order of the
// node, that has one of the given effects and that no toleration of the list
// tolerates, and whether there is one (rules F2, F3); without one the index is
// zero. With [taint.Hard] it answers for the scheduler: ok means that the pod
// may not be placed.
func FirstUntolerated(taints []taint.Taint, tolerations []toleration.Toleration, effects taint.EffectSet, rules ...toleration.Rules) (index int, ok bool) {
	for i := range taints {
		if effects.Has(taints[i].Effect) && !Tolerates(tolerations, &taints[i], rules...) {
			return i, true
		}
	}
	return 0, false
}

// Check returns nil if the tolerations tolerate every taint that has one of the
// given effects, and else an error that names each taint that they do not, in the
// order of the node (rule F1): "not tolerated: gpu:NoSchedule, spot=yes:NoExecute".
// It retains nothing.
func Check(taints []taint.Taint, tolerations []toleration.Toleration, effects taint.EffectSet, rules ...toleration.Rules) error {
	var untolerated []string
	for i := range taints {
		if x := &taints[i]; effects.Has(x.Effect) && !Tolerates(tolerations, x, rules...) {
			untolerated = append(untolerated, x.String())
		}
	}
	if untolerated == nil {
		return nil
	}
	return errors.New("not tolerated: " + strings.Join(untolerated, ", "))
}

// CountUntolerated returns how many taints have one of the given effects and
// are tolerated by no toleration of the list; duplicates count. With
// [taint.Soft] it is the number by which kube-scheduler's TaintToleration
// plugin ranks a node, and more is worse (rule F4): once every candidate node
// has its number, [NormalizeScores] turns them into scores.
func CountUntolerated(taints []taint.Taint, tolerations []toleration.Toleration, effects taint.EffectSet, rules ...toleration.Rules) int64 {
	var count int64
	for i := range taints {
		if effects.Has(taints[i].Effect) && !Tolerates(tolerations, &taints[i], rules...) {
			count++
		}
	}
	return count
}

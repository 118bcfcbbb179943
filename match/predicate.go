package match

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// FilterFunc is [Filter] for programs that leave some taints out, such as those
// that a node sheds while it starts: only taints for which keep returns true
// are considered. A nil keep considers all.
//
// keep is called at most once for each taint, in the order of the node, with a
// pointer into taints that it must neither write through nor retain.
func FilterFunc(dst, taints []taint.Taint, tolerations []toleration.Toleration, effects taint.EffectSet, keep func(*taint.Taint) bool, rules ...toleration.Rules) []taint.Taint {
	for i := range taints {
		if considered(&taints[i], effects, keep) && !Tolerates(tolerations, &taints[i], rules...) {
			dst = append(dst, taints[i])
		}
	}
	return dst
}

// FirstUntoleratedFunc is [FirstUntolerated] for programs that leave some
// taints out: see [FilterFunc] for keep. Kubernetes' own helper,
// FindMatchingUntoleratedTaint, is the same with a predicate and
// [taint.AllEffects].
func FirstUntoleratedFunc(taints []taint.Taint, tolerations []toleration.Toleration, effects taint.EffectSet, keep func(*taint.Taint) bool, rules ...toleration.Rules) (index int, ok bool) {
	for i := range taints {
		if considered(&taints[i], effects, keep) && !Tolerates(tolerations, &taints[i], rules...) {
			return i, true
		}
	}
	return 0, false
}

func considered(t *taint.Taint, effects taint.EffectSet, keep func(*taint.Taint) bool) bool {
	return effects.Has(t.Effect) && (keep == nil || keep(t))
}

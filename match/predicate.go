package match

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// FirstUntoleratedFunc is [FirstUntolerated] for programs that leave some taints
// out, such as those that a node sheds while it starts: it considers only taints
// for which keep returns true, and all if keep is nil. Kubernetes' own helper,
// FindMatchingUntoleratedTaint, is the same with [taint.AllEffects].
//
// keep is called at most once for each taint, in the order of the node, with a
// pointer into taints that it must neither write through nor retain.
func FirstUntoleratedFunc(taints []taint.Taint, tolerations []toleration.Toleration, effects taint.EffectSet, keep func(*taint.Taint) bool, rules ...toleration.Rules) (index int, ok bool) {
	for i := range taints {
		t := &taints[i]
		if effects.Has(t.Effect) && (keep == nil || keep(t)) && !Tolerates(tolerations, t, rules...) {
			return i, true
		}
	}
	return 0, false
}

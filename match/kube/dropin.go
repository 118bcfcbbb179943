package kube

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/toleration"
)

// ToleratesTaint reports whether t tolerates x (rules M1 to M6, N1 to N4). It
// has the parameters of the method expression (*v1.Toleration).ToleratesTaint.
// It ignores the logger.
func ToleratesTaint(t *v1.Toleration, _ klog.Logger, x *v1.Taint, enableComparisonOperators bool) bool {
	return tolerated(t, x, toleration.Rules{Comparisons: enableComparisonOperators})
}

// TolerationsTolerateTaint reports whether some toleration of the list
// tolerates x. With enableComparisonOperators false, tolerations with the
// operators Lt and Gt match nothing (rule N4). It ignores the logger.
func TolerationsTolerateTaint(_ klog.Logger, tolerations []v1.Toleration, x *v1.Taint, enableComparisonOperators bool) bool {
	return firstTolerating(tolerations, x, toleration.Rules{Comparisons: enableComparisonOperators}) != nil
}

// FindMatchingUntoleratedTaint returns the first of the taints, in the order of
// the node, that passes inclusionFilter and that no toleration of the list
// tolerates, and whether there is one (rules F1 to F3); if not, the taint is
// the zero one. A nil filter passes every taint. With enableComparisonOperators
// false, tolerations with the operators Lt and Gt match nothing (rule N4).
//
// The returned taint is a copy that shares TimeAdded with the list. The filter
// is called for the taints one after the other, each at most once, and not for
// those after the one that is returned. It must not write to what it is given,
// which is the list's own item. FindMatchingUntoleratedTaint does not allocate
// unless the filter does, and ignores the logger.
func FindMatchingUntoleratedTaint(_ klog.Logger, taints []v1.Taint, tolerations []v1.Toleration,
	inclusionFilter func(*v1.Taint) bool, enableComparisonOperators bool) (v1.Taint, bool) {
	rules := toleration.Rules{Comparisons: enableComparisonOperators}
	for i := range taints {
		if inclusionFilter != nil && !inclusionFilter(&taints[i]) {
			continue
		}
		if firstTolerating(tolerations, &taints[i], rules) == nil {
			return taints[i], true
		}
	}
	return v1.Taint{}, false
}

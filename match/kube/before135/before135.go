// Package before135 has the helpers of package kube with the signatures that
// k8s.io/component-helpers/scheduling/corev1 had before Kubernetes 1.35, without a logger
// and without the state of the feature gate TaintTolerationComparisonOperators, which
// those releases do not have. A program on one of them moves over by changing an import:
//
//	v1helper "github.com/tolero-dev/tolero/match/kube/before135"
//
// The answers are those of the helpers of these releases: tolerations with the operators
// Lt and Gt, which they do not know, match nothing. Everything else is as in package kube.
//
// When the program goes on to Kubernetes 1.35, go fix replaces the calls by those of
// package kube.
package before135

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match/kube"
)

// ToleratesTaint is [kube.ToleratesTaint] with the parameters of the method expression
// (*v1.Toleration).ToleratesTaint: t.ToleratesTaint(&x) becomes ToleratesTaint(&t, &x).
//
//go:fix inline
func ToleratesTaint(t *v1.Toleration, x *v1.Taint) bool {
	return kube.ToleratesTaint(t, klog.Logger{}, x, false)
}

// TolerationsTolerateTaint is [kube.TolerationsTolerateTaint].
//
//go:fix inline
func TolerationsTolerateTaint(tolerations []v1.Toleration, x *v1.Taint) bool {
	return kube.TolerationsTolerateTaint(klog.Logger{}, tolerations, x, false)
}

// FindMatchingUntoleratedTaint is [kube.FindMatchingUntoleratedTaint].
//
//go:fix inline
func FindMatchingUntoleratedTaint(taints []v1.Taint, tolerations []v1.Toleration, inclusionFilter func(*v1.Taint) bool) (v1.Taint, bool) {
	return kube.FindMatchingUntoleratedTaint(klog.Logger{}, taints, tolerations, inclusionFilter, false)
}

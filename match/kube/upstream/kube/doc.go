// Package kube holds packages match and match/kube against the modules that
// programs import: k8s.io/api, k8s.io/apimachinery and k8s.io/component-helpers.
// Its tests run both on the same inputs and compare the answers. It has no code of
// its own. It is here, and not in match/kube, so that those who import match/kube
// need none of this.
//
//	F1-F4      match.Filter, FirstUntolerated       component-helpers/scheduling/corev1
//	M1-M6, N   match/kube, match.Tolerates          v1.Toleration.ToleratesTaint
//	V1         the checks of names and values       apimachinery/pkg/util/validation
//	           JSON of taints and tolerations       k8s.io/api, byte by byte
package kube

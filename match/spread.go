package match

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// NodeTaintsPolicy is the field nodeTaintsPolicy of a topology spread constraint: a string
// with the names of the Kubernetes API. The zero policy is Kubernetes' default, and
// means the same as [IgnoreTaints]. So does every unknown name.
type NodeTaintsPolicy string

// The policies.
const (
	IgnoreTaints NodeTaintsPolicy = "Ignore" // count nodes whatever their taints
	HonorTaints  NodeTaintsPolicy = "Honor"  // count nodes whose hard taints the pod tolerates
)

// Counts reports whether a node with these taints counts for a constraint with this
// policy, of a pod with these tolerations (rule R2). Taints means spec.taints: a cordon
// alone does not matter. It does not allocate.
func (p NodeTaintsPolicy) Counts(taints []taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) bool {
	if p != HonorTaints {
		return true
	}
	_, refused := FirstUntolerated(taints, tolerations, taint.Hard, rules...)
	return !refused
}

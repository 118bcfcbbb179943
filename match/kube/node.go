package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/taint"
)

// NodeTaints appends to dst the taints that a node has for a scheduler, and
// returns the extended slice: node.Spec.Taints, and before them
// node.kubernetes.io/unschedulable:NoSchedule if the node is cordoned and does
// not have that taint with an empty value yet (rule F7; see [taint.WithCordon]).
// dst must not overlap node.Spec.Taints. The result shares TimeAdded with the
// node. NodeTaints does not allocate if dst has room.
func NodeTaints(dst []v1.Taint, node *v1.Node) []v1.Taint {
	if lacksCordon(node) {
		dst = append(dst, v1.Taint{Key: taint.KeyUnschedulable, Effect: v1.TaintEffectNoSchedule})
	}
	return append(dst, node.Spec.Taints...)
}

// AppendNodeTaints is [NodeTaints] converted by [AppendTaints]: what package
// match and the index take for a node.
func AppendNodeTaints(dst []taint.Taint, node *v1.Node) []taint.Taint {
	dst = taint.WithCordon(dst, nil, lacksCordon(node))
	return AppendTaints(dst, node.Spec.Taints)
}

// lacksCordon reports whether a node is cordoned and does not have the taint for it.
func lacksCordon(node *v1.Node) bool {
	if !node.Spec.Unschedulable {
		return false
	}
	for i := range node.Spec.Taints {
		x := &node.Spec.Taints[i]
		if x.Key == taint.KeyUnschedulable && x.Effect == v1.TaintEffectNoSchedule && x.Value == "" {
			return false
		}
	}
	return true
}

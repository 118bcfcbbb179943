package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// NodeTaints appends to dst the taints that a node has for a scheduler, and
// returns the extended slice: node.Spec.Taints, and before them
// node.kubernetes.io/unschedulable:NoSchedule if the node is cordoned and does
// not have that taint with an empty value yet (rule F7; see [taint.WithCordon]).
// dst must not overlap node.Spec.Taints. The result shares TimeAdded with the
// node. Its indexes are one greater than those of node.Spec.Taints if the taint was added.
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

// LifecycleNode returns what the controller of package taint/lifecycle has to know of a
// node: its zone, its conditions, the heartbeat of its Ready condition, and those of its
// taints that the controller manages. It retains the strings of the node's labels. The
// node's lease is an object of its own: see [lifecycle.Controller.SetLease].
func LifecycleNode(node *v1.Node) lifecycle.Node {
	n := lifecycle.Node{
		Zone:          lifecycle.ZoneKey(node.Labels),
		Unschedulable: node.Spec.Unschedulable,
		Created:       node.CreationTimestamp.Time,
	}
	_, n.Excluded = node.Labels[lifecycle.LabelExcludeDisruption]
	for i := range node.Status.Conditions {
		c := &node.Status.Conditions[i]
		n.Conditions.Set(string(c.Type), string(c.Status))
		if c.Type == v1.NodeReady {
			n.Heartbeat = c.LastHeartbeatTime.Time
		}
	}
	var buffer [16]taint.Taint
	n.Taints = lifecycle.Of(AppendTaints(buffer[:0], node.Spec.Taints))
	return n
}

package informer

import (
	"slices"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// AppendTaints appends the taints by which a node is scheduled to dst and returns
// the extended slice: those that it has, in their order, and behind them that of
// the cordon if it is cordoned and does not have it yet (rule F7). The result
// shares strings and instants with the node. It does not allocate if dst has room.
func AppendTaints(dst []taint.Taint, node *v1.Node) []taint.Taint {
	start := len(dst)
	dst = kube.AppendTaints(dst, node.Spec.Taints)
	if node.Spec.Unschedulable && !slices.ContainsFunc(dst[start:], isCordon) {
		dst = append(dst, taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule})
	}
	return dst
}

// isCordon reports whether t is the taint of a cordon, which has no value.
func isCordon(t taint.Taint) bool {
	return t.Key == taint.KeyUnschedulable && t.Effect == taint.NoSchedule && t.Value == ""
}

package match

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// KubeletAdmits reports whether the kubelet of a node with the given taints
// starts a pod that was bound to the node, by the scheduler or by
// spec.nodeName: every NoExecute taint must be tolerated, while NoSchedule does
// not matter here (rule F6). The kubelet always admits static pods, which it
// reads from its own configuration.
func KubeletAdmits(taints []taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) bool {
	_, evicting := FirstUntolerated(taints, tolerations, taint.Evicting, rules...)
	return !evicting
}

// DaemonSetPlacement returns what a node's taints mean to a DaemonSet whose
// pods have the given tolerations: whether the node should run a pod of it, and
// whether a pod that already runs there should continue to (rule F8). The
// tolerations must include those that the DaemonSet controller adds (rule A2).
func DaemonSetPlacement(taints []taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) (run, keep bool) {
	_, hard := FirstUntolerated(taints, tolerations, taint.Hard, rules...)
	_, evicting := FirstUntolerated(taints, tolerations, taint.Evicting, rules...)
	return !hard, !evicting
}

// Cordoned reports whether the cordon of a node, spec.unschedulable, keeps a
// pod with the given tolerations from being scheduled there. It does unless
// they tolerate the taint node.kubernetes.io/unschedulable:NoSchedule with an
// empty value, whether or not the node has that taint (rule F7).
func Cordoned(tolerations []toleration.Toleration) bool {
	return !Tolerates(tolerations, &unschedulable)
}

// unschedulable is only read.
var unschedulable = taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule}

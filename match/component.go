package match

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// KubeletAdmits reports whether the kubelet of a node with the given taints
// lets a pod start that was bound to the node, by the scheduler or by
// spec.nodeName: no NoExecute taint may be left untolerated, while NoSchedule
// does not matter here. Static pods, which the kubelet reads from its own
// configuration, are always admitted (rule F6).
func KubeletAdmits(taints []taint.Taint, tolerations []toleration.Toleration, static bool) bool {
	if static {
		return true
	}
	_, evicting := FirstUntolerated(taints, tolerations, taint.Evicting)
	return !evicting
}

// DaemonSetPlacement returns what the DaemonSet controller makes of a node's
// taints for a DaemonSet whose pods have the given tolerations: whether the
// node should run a pod of it, and whether a pod that already runs there should
// go on (rule F8). The tolerations are those of the pods as the controller
// makes them, with its own additions (rule A2).
func DaemonSetPlacement(taints []taint.Taint, tolerations []toleration.Toleration) (run, keep bool) {
	_, hard := FirstUntolerated(taints, tolerations, taint.Hard)
	_, evicting := FirstUntolerated(taints, tolerations, taint.Evicting)
	return !hard, !evicting
}

// Cordoned reports whether the cordon of a node, spec.unschedulable, keeps a
// pod with the given tolerations from being scheduled there. It does unless
// they tolerate the taint node.kubernetes.io/unschedulable:NoSchedule with an
// empty value, whether or not the node carries that taint (rule F7).
func Cordoned(tolerations []toleration.Toleration) bool {
	return !Tolerates(tolerations, &unschedulable)
}

// unschedulable is only read.
var unschedulable = taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule}

package admit

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// ControlPlane is kubeadm as it marks a node of the control plane (rule R5). The zero
// ControlPlane is kubeadm's default. A copy shares the list.
type ControlPlane struct {
	// Taints are those of the kubeadm configuration. Nil is its default,
	// node-role.kubernetes.io/control-plane:NoSchedule; an empty list is none.
	Taints []taint.Taint
}

// Append appends to dst the taints that the node has then, and returns the extended
// slice: those of c first, and then those of taints that are not among them in every
// field. kubeadm does this once, and does not restore a taint that is removed later.
//
// Equal times are equal, wherever they are stored; kubeadm
// compares pointers, but its configuration has no times. It takes expected linear time.
func (c ControlPlane) Append(dst, taints []taint.Taint) []taint.Taint {
	marks := c.Taints
	if marks == nil {
		marks = controlPlane
	}
	type identity struct {
		taint taint.Taint // without TimeAdded
		added time.Time
	}
	present := make(map[identity]bool)
	for i, t := range slices.Concat(marks, taints) {
		id := identity{taint: t}
		if id.taint.TimeAdded = nil; !t.TimeAdded.IsZero() {
			id.added = t.TimeAdded.Round(0).UTC() // equal instants are equal values
		}
		if i < len(marks) || !present[id] {
			dst = append(dst, t)
		}
		present[id] = true
	}
	return dst
}

// controlPlane is only read.
var controlPlane = []taint.Taint{{Key: taint.KeyControlPlane, Effect: taint.NoSchedule}}

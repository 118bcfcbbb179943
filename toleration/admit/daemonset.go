package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// DaemonSet says what kind of pods a DaemonSet has, as far as the tolerations go
// that the DaemonSet controller adds to them. The zero DaemonSet is one of
// ordinary pods. It is a plain value.
type DaemonSet struct {
	// HostNetwork is set if the pods use the network of the node, and so do
	// not wait for the network of the pods.
	HostNetwork bool
	// OutOfDisk adds the toleration of node.kubernetes.io/out-of-disk that
	// controllers before Kubernetes 1.13 gave to critical pods, for those who
	// simulate one. No supported release does so.
	OutOfDisk bool
}

// Append appends tolerations to dst with those that the controller adds or
// updates, and returns the extended slice: not-ready and unreachable with
// NoExecute, without a limit of time, then disk-pressure, memory-pressure,
// pid-pressure and unschedulable with NoSchedule, with the network of the host
// network-unavailable too, and at last out-of-disk if asked for (rule A2).
//
// dst must not overlap tolerations.
func (d DaemonSet) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	added := []toleration.Toleration{
		exists(taint.KeyNotReady, taint.NoExecute),
		exists(taint.KeyUnreachable, taint.NoExecute),
		exists(taint.KeyDiskPressure, taint.NoSchedule),
		exists(taint.KeyMemoryPressure, taint.NoSchedule),
		exists(taint.KeyPIDPressure, taint.NoSchedule),
		exists(taint.KeyUnschedulable, taint.NoSchedule),
	}
	if d.HostNetwork {
		added = append(added, exists(taint.KeyNetworkUnavailable, taint.NoSchedule))
	}
	if d.OutOfDisk {
		added = append(added, exists(taint.KeyOutOfDisk, taint.NoSchedule))
	}
	return upsertAll(dst, tolerations, added)
}

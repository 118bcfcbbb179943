package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// DaemonSet is the DaemonSet controller as a source of tolerations: it describes
// the pods of a DaemonSet. The zero DaemonSet has ordinary pods. It is a plain
// value, free to copy and to share.
type DaemonSet struct {
	// HostNetwork says that the pods use the network of the node, so that they
	// need not wait for the pod network.
	HostNetwork bool
	// OutOfDisk adds the toleration for node.kubernetes.io/out-of-disk that
	// controllers before Kubernetes 1.13 gave to critical pods. No supported
	// release does.
	OutOfDisk bool
}

// Append adds or updates the tolerations of the controller (rule A2); see
// [Part]. They are, without a time limit and in this order: not-ready and
// unreachable with NoExecute; disk-pressure, memory-pressure, pid-pressure and
// unschedulable with NoSchedule; network-unavailable with NoSchedule for pods on
// the host network; and out-of-disk with NoSchedule if asked for.
//
// A toleration that is in the list already keeps its place and loses its
// seconds. What repeats one of these is kept, and loses its seconds too.
func (d DaemonSet) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	added := make([]toleration.Toleration, 0, fewAdditions)
	added = append(added,
		exists(taint.KeyNotReady, taint.NoExecute),
		exists(taint.KeyUnreachable, taint.NoExecute),
		exists(taint.KeyDiskPressure, taint.NoSchedule),
		exists(taint.KeyMemoryPressure, taint.NoSchedule),
		exists(taint.KeyPIDPressure, taint.NoSchedule),
		exists(taint.KeyUnschedulable, taint.NoSchedule),
	)
	if d.HostNetwork {
		added = append(added, exists(taint.KeyNetworkUnavailable, taint.NoSchedule))
	}
	if d.OutOfDisk {
		added = append(added, exists("node.kubernetes.io/out-of-disk", taint.NoSchedule))
	}
	return upsert(dst, tolerations, added)
}

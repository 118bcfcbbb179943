package lifecycle

import "github.com/tolero-dev/tolero/taint"

// CloudShutdown appends to dst what the cloud node life-cycle controller makes of the
// taints of a node whose Ready condition has this status, and returns the extended slice
// (rule R5). A Ready node loses node.cloudprovider.kubernetes.io/shutdown:NoSchedule,
// whatever its value. One that is not Ready gets it if the provider says that the instance
// is shut down, and keeps it if not. ([Absent] is not Ready.)
//
// dst may be taints[:0]; it must not overlap taints in any other way. A node whose
// instance does not exist any more is deleted, which is not a question of taints.
func CloudShutdown(dst, taints []taint.Taint, ready Status, shutdown bool) []taint.Taint {
	switch {
	case ready == True:
		dst, _ = taint.Remove(dst, taints, cloudShutdown)
	case shutdown:
		dst, _ = taint.Upsert(dst, taints, cloudShutdown)
	default:
		dst = append(dst, taints...)
	}
	return dst
}

// cloudShutdown is only read.
var cloudShutdown = taint.Taint{Key: taint.KeyCloudProviderShutdown, Effect: taint.NoSchedule}

// CloudInitialized appends to dst what the cloud node controller leaves of the taints of a
// node that it has initialized: all except those with the key
// node.cloudprovider.kubernetes.io/uninitialized, whatever their values and effects (rule
// R5). waited reports whether there was one; without one the controller passes over the
// node. dst is as in [CloudShutdown].
func CloudInitialized(dst, taints []taint.Taint) (list []taint.Taint, waited bool) {
	return taint.RemoveKey(dst, taints, taint.KeyCloudProviderUninitialized)
}

package admit

import "github.com/tolero-dev/tolero/taint"

// NewNode says how a node registers with the API server, where that decides its
// taints.
// The zero NewNode has no external cloud provider. It is a plain value, free to
// copy and to share.
type NewNode struct {
	// ExternalCloudProvider says that the kubelet runs with
	// --cloud-provider=external, so that the node waits for a cloud controller.
	ExternalCloudProvider bool
}

// Append appends to dst the taints that a node has when it is created, and
// returns the extended slice (rule A7). They are, in this order: the given taints,
// which are those of the kubelet's --register-with-taints, as [taint.ParseList]
// reads them; node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule, with
// an external cloud provider, even if it is there already; and
// node.kubernetes.io/not-ready:NoSchedule, which the API server adds unless it is
// there already, with any value. The node controller removes that one when the
// node is ready.
//
// dst may be taints[:0]; it must not overlap taints in any other way.
func (n NewNode) Append(dst, taints []taint.Taint) []taint.Taint {
	start := len(dst)
	dst = append(dst, taints...)
	if n.ExternalCloudProvider {
		dst = append(dst, taint.Taint{Key: taint.KeyCloudProviderUninitialized, Value: "true", Effect: taint.NoSchedule})
	}
	notReady := taint.Taint{Key: taint.KeyNotReady, Effect: taint.NoSchedule}
	if _, found := taint.Find(dst[start:], &notReady); !found {
		dst = append(dst, notReady)
	}
	return dst
}

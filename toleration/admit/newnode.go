package admit

import "github.com/tolero-dev/tolero/taint"

// NewNode is how a node registers with the API server, as far as its taints go.
// The zero NewNode is one without special settings. A copy shares the list,
// which nothing in this package writes to.
type NewNode struct {
	// RegisterWith is the kubelet's --register-with-taints, as
	// [taint.ParseList] reads it.
	RegisterWith []taint.Taint
	// ExternalCloudProvider is set if the kubelet runs with
	// --cloud-provider=external: the node waits for a cloud controller then.
	ExternalCloudProvider bool
}

// Append appends to dst the taints that the node has when it is created, and
// returns the extended slice: those of the kubelet's configuration, with an
// external cloud provider node.cloudprovider.kubernetes.io/uninitialized=true
// with NoSchedule, and then node.kubernetes.io/not-ready with NoSchedule, which
// the API server adds unless it is among them (rule A7). The node controller
// takes that one off when the node is ready. dst must not overlap RegisterWith.
func (n NewNode) Append(dst []taint.Taint) []taint.Taint {
	start := len(dst)
	dst = append(dst, n.RegisterWith...)
	if n.ExternalCloudProvider {
		dst = append(dst, taint.Taint{Key: taint.KeyCloudProviderUninitialized, Value: "true", Effect: taint.NoSchedule})
	}
	notReady := taint.Taint{Key: taint.KeyNotReady, Effect: taint.NoSchedule}
	if !taint.Exists(dst[start:], &notReady) {
		dst = append(dst, notReady)
	}
	return dst
}

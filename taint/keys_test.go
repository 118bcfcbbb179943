package taint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

// Other components compare these keys letter by letter (rules C1, A1, A2, A7).
func TestKeys(t *testing.T) {
	tests := []struct{ got, want string }{
		{taint.KeyNotReady, "node.kubernetes.io/not-ready"},
		{taint.KeyUnreachable, "node.kubernetes.io/unreachable"},
		{taint.KeyUnschedulable, "node.kubernetes.io/unschedulable"},
		{taint.KeyMemoryPressure, "node.kubernetes.io/memory-pressure"},
		{taint.KeyDiskPressure, "node.kubernetes.io/disk-pressure"},
		{taint.KeyPIDPressure, "node.kubernetes.io/pid-pressure"},
		{taint.KeyNetworkUnavailable, "node.kubernetes.io/network-unavailable"},
		{taint.KeyOutOfService, "node.kubernetes.io/out-of-service"},
		{taint.KeyCloudProviderUninitialized, "node.cloudprovider.kubernetes.io/uninitialized"},
		{taint.KeyCloudProviderShutdown, "node.cloudprovider.kubernetes.io/shutdown"},
		{taint.KeyControlPlane, "node-role.kubernetes.io/control-plane"},
		{taint.KeyToBeDeleted, "ToBeDeletedByClusterAutoscaler"},
		{taint.KeyDeletionCandidate, "DeletionCandidateOfClusterAutoscaler"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
		if err := taint.CheckKey(tt.got); err != nil {
			t.Errorf("%q: %v", tt.got, err)
		}
	}
}

package taint

// Keys of the taints that Kubernetes itself puts on nodes.
const (
	// KeyNotReady is on a node whose Ready condition is False. It comes with
	// NoSchedule, and with NoExecute at the rate of the zone (rules C1, C2).
	KeyNotReady = "node.kubernetes.io/not-ready"
	// KeyUnreachable is on a node whose Ready condition is Unknown. It comes
	// with NoSchedule, and with NoExecute at the rate of the zone (C1, C2).
	KeyUnreachable = "node.kubernetes.io/unreachable"
	// KeyUnschedulable is on a node that is cordoned, with NoSchedule (F7).
	KeyUnschedulable = "node.kubernetes.io/unschedulable"
	// KeyMemoryPressure is on a node that is short of memory, with NoSchedule.
	KeyMemoryPressure = "node.kubernetes.io/memory-pressure"
	// KeyDiskPressure is on a node that is short of disk, with NoSchedule.
	KeyDiskPressure = "node.kubernetes.io/disk-pressure"
	// KeyPIDPressure is on a node that is short of process IDs, with NoSchedule.
	KeyPIDPressure = "node.kubernetes.io/pid-pressure"
	// KeyNetworkUnavailable is on a node whose network is not set up, with
	// NoSchedule.
	KeyNetworkUnavailable = "node.kubernetes.io/network-unavailable"
	// KeyOutOfService is put by an operator on a node that is known to be shut
	// down, so that its pods are deleted by force and its volumes detached.
	KeyOutOfService = "node.kubernetes.io/out-of-service"
	// KeyCloudProviderUninitialized is on a node that its cloud provider has
	// not initialized yet, with the value "true" and NoSchedule (A7).
	KeyCloudProviderUninitialized = "node.cloudprovider.kubernetes.io/uninitialized"
	// KeyCloudProviderShutdown is on a node that its cloud provider reports as
	// shut down, with NoSchedule.
	KeyCloudProviderShutdown = "node.cloudprovider.kubernetes.io/shutdown"
	// KeyControlPlane is on the nodes of the control plane, with NoSchedule.
	KeyControlPlane = "node-role.kubernetes.io/control-plane"
)

// Keys of the taints that Cluster Autoscaler puts on nodes. It writes a Unix time as
// the value of both.
const (
	// KeyToBeDeleted marks a node that Cluster Autoscaler is draining.
	KeyToBeDeleted = "ToBeDeletedByClusterAutoscaler"
	// KeyDeletionCandidate marks a node that Cluster Autoscaler may remove.
	KeyDeletionCandidate = "DeletionCandidateOfClusterAutoscaler"
)

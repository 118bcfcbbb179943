package taint

// OutOfService reports whether a node with these taints is declared to be shut down, by
// the key node.kubernetes.io/out-of-service with any value and effect (rule R3). Volumes
// that no pod of the node needs any more are then detached without checking whether
// they are mounted. If the node is not Ready, pods that are being deleted are deleted by
// force. It does not allocate.
func OutOfService(taints []Taint) bool { return KeyExists(taints, KeyOutOfService) }

// Balanced reports whether a node with these taints takes part in load balancing: not if
// it has the key ToBeDeletedByClusterAutoscaler, with any value and effect (rule R4). Then
// kube-proxy's health check fails and the cloud's service controller leaves the node out
// of its load balancers. It does not allocate.
func Balanced(taints []Taint) bool { return !KeyExists(taints, KeyToBeDeleted) }

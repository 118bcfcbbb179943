// Package taint holds the taints of Kubernetes nodes as plain values.
//
// A taint is a key, a value and an [Effect] on a node; it repels every pod that
// does not tolerate it. What a taint does to a pod depends on its effect:
//
//	NoSchedule        the scheduler does not place the pod on the node
//	PreferNoSchedule  the scheduler places it elsewhere where it can
//	NoExecute         as NoSchedule, and a pod that runs there is evicted
//
// The package reads and writes taints (JSON as the API server does, the
// key=value:Effect text of kubectl and kubelet), validates them, edits a node's
// list of them, and applies kubectl's change specs. Whether a toleration
// tolerates a taint is the business of package toleration, and what follows
// from it for a pod and a node that of package match.
//
// # Identity and order
//
// On a node a taint is identified by key and effect ([Taint.Matches]): two
// taints that differ in value only cannot stand side by side (rule V1). The
// order of a node's list carries meaning, because schedulers report the first
// untolerated taint (rule F3); every operation here says what it does to it.
//
// # Invalid taints
//
// A Taint may hold any strings at all. Matching never validates, exactly as in
// Kubernetes, so the list operations accept invalid taints too; [Validate]
// tells what the API server would refuse.
//
// # Concurrency and memory
//
// All types are plain data without hidden state and all functions are pure:
// concurrent calls are safe as long as nobody writes to the arguments. Nothing
// given to a function is retained by the package; where a result shares memory
// with an argument, its documentation says so.
//
// Rule numbers (M1, K3, V1, ...) refer to match/SEMANTICS.md. Reference
// behaviour is that of Kubernetes 1.37: k8s.io/api, k8s.io/kubectl and the
// validation of the API server.
package taint

// Package taint holds the taints of Kubernetes nodes as plain values.
//
// A taint is a key, a value and an [Effect] on a node; it repels every pod that
// does not tolerate it. What a taint does to a pod depends on its effect:
//
//	NoSchedule        the scheduler does not place the pod on the node
//	PreferNoSchedule  the scheduler prefers other nodes
//	NoExecute         as NoSchedule, and a pod that runs there is evicted
//
// Package toleration decides whether a toleration tolerates a taint, and package
// match what that means for a pod and a node. This package reads, writes, checks
// and edits taints:
//
//	t, err := taint.Parse("dedicated=gpu:NoSchedule") // what a user wrote, validated
//	err = taint.Validate(node.Taints)                 // what the API server would say
//	list, changed := taint.Upsert(nil, node.Taints, t)
//	list, removed := taint.Remove(nil, list, t)
//	list = taint.WithCordon(nil, list, node.Unschedulable)
//
//	change, err := taint.ParseChange("dedicated=gpu:NoSchedule", "maintenance-")
//	list, err = change.Apply(nil, node.Taints, false) // what kubectl taint does
//
// # Lists
//
// On a node a taint is identified by key and effect ([Taint.Matches]); on one
// node no two may share both (rule V1). [Find], [Remove], [Upsert], [Difference] and
// [Merge] go by this identity. [Equal] compares whole taints, in order. Package
// toleration has Remove, Upsert, Equal and Clone for its lists.
//
// The order of a node's list matters, because schedulers report the first
// untolerated taint (rule F3). Every function that builds a list states its order.
//
// Functions that build a list append it to dst and return the extended slice;
// pass nil for a new one, or where the documentation says so list[:0] to edit in
// place. A nil list is an empty list. They take expected linear time at most. What
// appends does not allocate if dst has room, unless it says so.
//
// # Text
//
// [Parse] reads kubectl's key=value:Effect and validates it. [Taint.String] has a
// text for every taint, valid or not. JSON is that of the Kubernetes API, in which the
// case of names counts; [ParseListJSON] is strict.
//
// Methods of Taint have value receivers, except UnmarshalJSON. Taints that go into a list or
// out of it are passed by value, and taints that are looked up by pointer.
//
// # Invalid taints
//
// A Taint may hold any strings at all, of any length. Matching never validates,
// exactly as in Kubernetes, so the list functions accept invalid taints too;
// [Validate] reports what the API server would refuse. No string makes a function
// panic, except the Must functions. A nil pointer is a programming error and
// panics, except where a function says otherwise. A nil TimeAdded means that no
// time is known, and JSON leaves it out. [Time.IsZero] accepts a nil pointer; the
// other methods of Time do not.
//
// # Concurrency and memory
//
// All types are plain data without hidden state and all functions are pure:
// concurrent calls are safe as long as nobody writes to the arguments. Nothing
// given to a function is retained by the package; where a result shares memory
// with an argument, its documentation says so.
//
// Rule numbers (M1, K3, V1, ...) refer to match/SEMANTICS.md. Reference
// behavior is that of Kubernetes 1.37: k8s.io/api, k8s.io/kubectl and the
// validation of the API server.
package taint

// Package scheduler is a plugin for kube-scheduler that decides by taints and
// tolerations as the in-tree plugins TaintToleration and NodeUnschedulable do, in
// less time. It needs k8s.io/kube-scheduler/framework and not k8s.io/kubernetes, so
// that every scheduler that is built on the framework can use it.
//
//	extension point   what it does                                       rules
//	PreFilter         skips pods with a deferred resize; may narrow      F2, F7
//	Filter            refuses nodes with an untolerated hard taint       F2, F3, F7
//	PostFilter        says why nodes that were left out refuse
//	PreScore          skips scoring where all scores would be equal
//	Score, Normalize  prefers nodes with fewer untolerated soft taints   F4
//	EnqueueExtensions wakes a refused pod when its answer has changed
//	SignPod           the set of taints that the tolerations tolerate
//
// # Why it is fast
//
// The plugin remembers the node objects that it was asked about, with their taints
// interned, and compiles the tolerations of a pod that is asked about many nodes to bits
// over these. Where few nodes take the pod, PreFilter finds them in an index.
//
// # The same answers
//
// The tests in match/kube/upstream run this plugin and those of k8s.io/kubernetes
// on the same pods and nodes: codes, messages and scores are equal for every input,
// valid or not, with the gate TaintTolerationComparisonOperators on and off. It
// differs on purpose in these points only:
//
//   - One plugin does the work of two, and is the one that an event names.
//   - A pod is woken less often: not by the end of a cordon on a node that still
//     refuses it, and not by a new toleration that adds nothing. Whenever a pod's
//     answer changes from refused to accepted, it is woken.
//   - Pods that tolerate the same taints get the same signature.
//   - PreScore skips scoring where every node would get 100.
//   - A node info without a node gives an error, where the in-tree plugins panic.
//   - Values that Gt and Lt cannot compare are not logged.
//
// README.md shows how to build a scheduler with the plugin and how to enable it.
// Rule numbers refer to match/SEMANTICS.md.
package scheduler

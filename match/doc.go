// Package match answers what a node's taints mean to a pod: may the pod be
// scheduled there, is it evicted if it runs there, when, and because of which
// taint. The answers are those of Kubernetes for every input, valid or not.
//
// # One pod and one node
//
// [Decide] answers everything at once, and the [Verdict] prints as a sentence:
//
//	v := match.Decide(node.Taints, pod.Tolerations)
//	if v.Scheduling == match.Unschedulable {
//		log.Print(v.Sentence(node.Taints))
//		// not schedulable: key2=value2:NoSchedule is not tolerated; may stay
//	}
//
// Each part of the answer has a function of its own, which does less work:
//
//	may the pod be placed?         FirstUntolerated(taints, tolerations, taint.Hard)
//	which taints are in its way?   Filter(nil, taints, tolerations, taint.Hard)
//	how bad is the node?           CountUntolerated(taints, tolerations, taint.Soft)
//	must the pod go, and when?     EvictionDelay(taints, tolerations)
//	is this one taint tolerated?   Tolerates(tolerations, &taints[0])
//
// To leave taints out, by key, by prefix or by any other rule, pass a predicate
// to [FirstUntoleratedFunc]. Where a pod's tolerations are in several lists, such as its own
// and those of its pool, [TolerationLists] answers without joining them.
//
// # How the answer comes about
//
//	node's taints ── drop what some toleration tolerates ──> untolerated taints
//
//	untolerated         scheduler     pod that runs there
//	NoSchedule          refuses       stays
//	PreferNoSchedule    avoids        stays
//	NoExecute           refuses       is evicted at once
//	none                accepts       is evicted after the least of the
//	                                  tolerations' seconds for its NoExecute
//	                                  taints, if any are limited
//
// Kubernetes takes the seconds of the first toleration of the list that matches
// a taint, so the order of a pod's tolerations matters. [EvictionPolicy] has
// this and two other ways.
//
// # Other components
//
// The table describes the scheduler and the eviction controller.
// [KubeletAdmits] and [DaemonSetPlacement] answer for two components that place
// pods without the scheduler, and [Cordoned] for spec.unschedulable.
//
// # Gt and Lt
//
// A default cluster ignores tolerations with the operators Gt and Lt, and so do
// these calls. For a cluster with the feature gate TaintTolerationComparisonOperators
// on, pass its [toleration.Rules] last (rules N4, N5):
//
//	rules := toleration.Rules{Comparisons: true}
//	v := match.Decide(node.Taints, pod.Tolerations, rules)
//
// Every question about taints and tolerations takes rules in this way, except [Cordoned]:
// the taint that it asks about has no value to compare.
//
// # When to use something else
//
// For a handful of nodes, or of distinct taint lists, the plain loops of this
// package are fastest and need no setup. For one pod against hundreds of distinct
// taint lists use package compile/index, for evictions over time package match/evict,
// and for types of k8s.io/api the module match/kube. README.md has the figures.
//
// This package is the executable specification of the module: one rule a line,
// in plain loops. Package match/matchtest compares every faster implementation
// with it, and module match/kube/upstream compares it with Kubernetes.
// Rule numbers (F1, E2, ...) refer to SEMANTICS.md in this directory.
//
// # What every function does with its input
//
// Nothing here validates. A nil list is an empty one: a node without taints, a
// pod without tolerations. Duplicates, unknown effects and operators, empty keys
// and malformed values get the answer that Kubernetes gives. A nil
// pointer is a programming error and panics, except where a function says
// otherwise or never looks at it; so is a zero now under [SinceAdded].
//
// The time is proportional to the number of taints, plus the number of those with
// the effects in question times the number of tolerations. So 10,000 of both take
// long, but the answer is right. Functions allocate only to extend a slice that
// they append to, and to make a string.
//
// All functions are pure: they write to no argument except dst, retain nothing,
// and may be called concurrently as long as nobody writes to their arguments.
package match

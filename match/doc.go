// Package match gives the canonical answers about a node's taints and a pod's
// tolerations: which taints are left untolerated, whether the pod may be
// scheduled there, and whether and when it has to leave.
//
// It is the executable specification of this module: one rule of SEMANTICS.md a
// line, plain loops over plain slices, and the measure that every faster
// implementation is compared with. It is itself compared with Kubernetes, input
// by input, in the nested module match/kube.
//
// # From taints to a verdict
//
//	node's taints ── Filter: drop what some toleration tolerates ──> those left
//
//	left           scheduler     running pod
//	NoSchedule         refuses       stays
//	PreferNoSchedule   avoids        stays
//	NoExecute          refuses       leaves now
//	none               schedules     leaves after the least of the tolerations'
//	                                 seconds for its NoExecute taints, if any
//
// [Filter] gives those left, [FirstUntolerated] the first of them,
// [Decide] both answers at once as a [Verdict], [Score] the count that the
// scheduler ranks nodes by, and [EvictionDelay] the time until the pod has to
// leave. [KubeletAdmits] and [DaemonSetPlacement] are the views of the two
// components that do not go through the scheduler.
//
// # Gt and Lt
//
// Tolerations with the operators Gt and Lt count, as with the feature gate
// TaintTolerationComparisonOperators on. Where the gate is off, pass the list
// through [toleration.Rules.Active] first (rule N4).
//
// # Bad input
//
// Nothing here validates and nothing panics: nil and empty lists, unknown
// effects and operators, and duplicates get the answer that Kubernetes gives.
//
// # Concurrency and memory
//
// All functions are pure and none allocates, but for the growth of a slice
// that it appends to. Concurrent calls are safe as long as nobody writes to the
// arguments, and nothing is retained. Where not said otherwise, the time is
// proportional to the number of taints times that of tolerations.
//
// Rule numbers (F1, E2, ...) refer to SEMANTICS.md beside this file.
package match

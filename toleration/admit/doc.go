// Package admit says which tolerations a pod gets without asking, and which
// taints a node starts with: the decisions of Kubernetes' admission plugins, of
// the DaemonSet controller and of the kubelet, as functions of plain values.
//
//	who                                  what                              rule
//	DefaultTolerationSeconds             not-ready and unreachable, 300 s  A1
//	DaemonSet controller                 six or seven tolerations          A2
//	PodTolerationRestriction             memory-pressure, by QoS class     A3
//	ExtendedResourceToleration           one for each extended resource    A4
//	PodTolerationRestriction             defaults, merge, whitelist        A5
//	kubelet, TaintNodesByCondition       the taints of a new node          A7
//
// The functions append to a destination and can be put one behind the other.
// What the DaemonSet controller adds is in a pod from the start. Then the API
// server runs DefaultTolerationSeconds, PodTolerationRestriction and
// ExtendedResourceToleration, in this order, of which only the first is enabled
// by default.
//
// # Bad input
//
// Nothing here validates and nothing panics: tolerations, names and quantities
// may be any at all, and get what Kubernetes gives them.
//
// # Concurrency and memory
//
// All types are plain data without hidden state and all functions are pure:
// concurrent calls are safe as long as nobody writes to the arguments. Nothing
// given to a function is retained by the package. Results share the strings and
// seconds of the arguments.
//
// Rule numbers (A1, A5, ...) refer to match/SEMANTICS.md. Reference behaviour is
// that of Kubernetes 1.37, compared call by call in match/kube/upstream.
package admit

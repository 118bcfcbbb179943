// Package admit says which tolerations a pod gets without asking, and which
// taints a node starts with: what Kubernetes' admission plugins, its DaemonSet
// controller and the kubelet add, as functions of plain values.
//
// # Parts
//
// Each source of tolerations is a [Part]: a struct with the settings of that
// source. The zero value of each does what Kubernetes does by default, or
// nothing. All have one method,
//
//	Append(dst, tolerations []toleration.Toleration) []toleration.Toleration
//
// which appends to dst the given tolerations with those that the part adds, and
// returns the extended slice.
//
//	part               source                               adds                              rule
//	DefaultSeconds     plugin DefaultTolerationSeconds      not-ready, unreachable: 300 s     A1
//	DaemonSet          DaemonSet controller                 six tolerations, or seven         A2
//	Restriction        plugin PodTolerationRestriction      memory-pressure, by QoS class     A3
//	                                                        a namespace's defaults, merged    A5
//	ExtendedResources  plugin ExtendedResourceToleration    one for each extended resource    A4
//	StaticPod          kubelet                              every NoExecute taint             A8
//	RuntimeClass       plugin RuntimeClass                  those of the class, merged        R7
//
// So the tolerations of an ordinary pod in a cluster with Kubernetes' defaults
// are
//
//	admit.DefaultSeconds{}.Append(nil, written)
//
// and a [Chain] applies several parts, one after the other. The DaemonSet
// controller and the kubelet add theirs when they make the pod. Then the API
// server runs DefaultTolerationSeconds, PodTolerationRestriction and
// ExtendedResourceToleration, in this order. Only the first of the three is
// enabled by default.
//
// Besides the parts, [PodResources] finds the QoS class and the extended
// resources of a pod, [Restriction.Check] asks the whitelist, [Pressure] says what the
// kubelet admits when the node is short of resources (R1), [NewNode] gives the taints of a
// node that registers (A7), and [ControlPlane] those that kubeadm gives one (R5).
//
// # Upstream's own answers
//
// The test by which PodTolerationRestriction finds redundant and allowed
// tolerations errs in several ways. [UpstreamIsSuperset] and [UpstreamMerge]
// copy it, errors included, and [Restriction] uses them unless Exact is
// set. The right answers are [toleration.Meaning.Allows] and
// [toleration.Minimize].
//
// # Bad input
//
// Nothing here validates, and nothing panics. Tolerations, names and quantities
// may be invalid, empty, repeated or very many, and get what Kubernetes gives
// them. A nil list is an empty one, except where [Restriction] says otherwise.
// A nil pointer is a programming error and panics, except where a function says
// otherwise.
//
// # Concurrency and memory
//
// All types are plain data without hidden state, and all functions are pure:
// concurrent calls are safe as long as nobody writes to the arguments. The
// package retains nothing that it is given. Results share strings and seconds
// with the given tolerations.
//
// Rule numbers (A1, A5, ...) refer to match/SEMANTICS.md. Reference behavior is
// that of Kubernetes 1.37, compared call by call in match/kube/upstream.
package admit

// Package kube joins this module to the types of k8s.io/api: it converts taints
// and tolerations both ways, and answers questions about them under the names
// and signatures of k8s.io/component-helpers/scheduling/corev1, so that a
// program moves over by changing an import.
//
// A module that does not use Kubernetes yet chooses its version first, because this one
// requires the lowest that works: go get k8s.io/api@v0.37.2.
//
//	v1.Taint       ── Taint, AppendTaints ──>            taint.Taint
//	               <── V1Taint, AppendV1Taints ──
//	v1.Toleration  ── Toleration, AppendTolerations ──>  toleration.Toleration
//	               <── V1Toleration, AppendV1Tolerations ──
//
// It is a Go module of its own, so that programs that use only the main module
// do not depend on Kubernetes.
//
// # The same answers
//
// [TolerationsTolerateTaint], [FindMatchingUntoleratedTaint] and
// [ToleratesTaint] give the answers of k8s.io/component-helpers v0.37.2 for
// every input, valid or not, with the feature gate
// TaintTolerationComparisonOperators on or off. The tests in upstream/kube hold
// that against the upstream code, both for these functions and for package
// match. They are apart so that this module requires no more than it links, in
// the lowest versions that it works with: k8s.io/api v0.24.0.
//
// They differ from upstream in what they do besides:
//
//   - Nothing is logged. Upstream logs an error for each value that Lt or Gt
//     cannot compare; here the logger is there for the signature only, and may
//     be the zero klog.Logger.
//   - Nothing is allocated. Upstream copies the taints that pass the filter.
//   - The filter of FindMatchingUntoleratedTaint is given the items of the list
//     itself and is not called for those after the answer.
//
// # Without a logger and a filter
//
// [FirstUntolerated], [CountUntolerated] and [Filter] take a set of effects.
// [FirstUntoleratedFunc] leaves out taints. [TolerationLists] takes several lists as one. [NodeTaints] and [AppendNodeTaints] add the cordon.
//
// [Decide] gives the whole verdict and [EvictionDelay] the time; [ToleratesForever] is
// about one taint. [UpsertTaint], [UpsertToleration] and
// their siblings edit and compare lists as packages taint and toleration do;
// [TolerationMeaning] compares what lists mean.
//
// As in package match, all of them answer for a default cluster, which ignores tolerations
// with Gt and Lt (rule N4). For another, pass its rules last:
//
//	rules := toleration.Rules{Comparisons: true}
//	i, found := kube.FirstUntolerated(node.Spec.Taints, pod.Spec.Tolerations, taint.Hard, rules)
//
// # Many nodes
//
// A [Matcher] is one pod, or several lists as one, compiled for many nodes. [Load] makes
// a fleet index (package compile/index) of nodes, and [Fit] asks it.
//
// # Objects for other packages
//
// [LifecycleNode] is for package taint/lifecycle, [PodResources] for toleration/admit,
// and [SetNode] and [SetPod] are for the queue of match/evict.
//
// # Sharing
//
// A conversion copies the words of a taint or toleration, not what they point
// to: the result shares its strings and the instant or the seconds with the
// original. Sharing the instant under another type is possible because
// taint.Time and metav1.Time have the same layout. Nothing in this module ever
// writes to an instant or to seconds; who does so elsewhere changes both sides,
// as with a copy of a v1.Taint. Use DeepCopy first where that matters.
//
// # Concurrency and memory
//
// All functions are pure: concurrent calls are safe as long as nobody writes to
// the arguments, and nothing is retained. The time for two lists is
// proportional to the product of their lengths. Functions allocate only to extend a
// slice that they append to, except where they say so. Empty lists are allowed. To ask about the same lists
// again and again, convert them once and use package match or compile.
//
// Rule numbers (M1, N4, ...) refer to match/SEMANTICS.md.
package kube

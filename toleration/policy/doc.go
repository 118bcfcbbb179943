// Package policy says whether the tolerations of a pod are within what its owner
// may tolerate, and names a taint if they are not.
//
//	cluster, err := policy.New(policy.Spec{Denied: controlPlane})
//	ml, err := policy.New(policy.Spec{Allowed: gpus})
//	policies := policy.Policies{Cluster: cluster, Namespaces: map[string]*policy.Policy{"ml": ml}}
//	if err := policies.Check(pod.Namespace, pod.Tolerations); err != nil { ... }
//
// A [Policy] is two lists of tolerations, of the taints
// that may be tolerated, and those that may not. What counts is which taints a pod's
// list tolerates, not how it is written: several tolerations that are allowed can
// together allow a wider one, and "*" is denied if anything is denied. The seconds of an
// allowed toleration are the longest that a pod may ask for.
//
// Everything here is about whole lists. Kubernetes' own plugin,
// PodTolerationRestriction, compares tolerations one by one; it is Restriction in
// package admit.
//
// Admission adds tolerations to most pods (package admit). Either check what the
// author wrote, before that, or allow what is added.
//
// # Input and concurrency
//
// [New] and Check return an error for a list that is not valid, because such a list has no
// meaning ([toleration.NewMeaning]); nothing else validates. Nothing panics, except methods
// of nil pointers; those of a nil *Policy do not. Lists may be nil, with duplicates and long.
// Functions take n log n steps in the length of the policy and the list. They retain strings
// only. All may be called concurrently.
//
// Rule numbers (N4, A5, ...) refer to match/SEMANTICS.md.
package policy

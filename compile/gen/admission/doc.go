// Package admission compiles toleration policies into admission policies that the API server
// itself enforces: objects with CEL expressions, as YAML.
//
//	p := admission.Policy{
//		Name:       "tolerations-ml",
//		Namespaces: admission.Namespaces{Labels: map[string]string{"team": "ml"}},
//		Spec:       policy.Spec{Allowed: admit.DefaultSeconds{}.Append(nil, gpus)},
//	}
//	yaml, err := p.Validating() // for kubectl apply -f -
//
// [Policy.Validating] makes a ValidatingAdmissionPolicy and its binding, of
// admissionregistration.k8s.io/v1 and thus Kubernetes 1.30. It admits a pod exactly if
// [policy.Policy.Check] returns nil for the tolerations in question (for Gt and Lt, see below). The same goes for the
// templates of ReplicationControllers, Deployments, DaemonSets, StatefulSets, ReplicaSets,
// Jobs and CronJobs. Tests in match/kube/upstream/policy run the expressions as the API server does,
// and compare. [Policy.Kyverno] frames the same expressions for Kyverno.
//
// [Defaults.Mutating] makes a MutatingAdmissionPolicy, which adds tolerations to new pods and
// shortens the time for which they stay on a node that is lost.
//
// # What is judged
//
// Validating policies see a pod after other admission has added tolerations to it. So allow
// what your cluster adds: in most clusters that is what [admit.DefaultSeconds] adds. What the
// DaemonSet controller adds to its own pods ([admit.DaemonSet]) is never refused.
//
// Put kube-system into Namespaces.Except, because its pods tolerate much, and so every namespace with
// static pods: their mirrors tolerate all NoExecute taints (rule A8). Without Namespaces a policy is for
// all namespaces.
//
// An update is judged by the tolerations that the object did not have before. So a policy
// does not get in the way of objects that are older than it: they can be labelled, scaled and
// deleted, and tolerations can be removed.
//
// Tolerations that are not valid need no judgement, because the API server refuses them before
// it asks policies. The expressions fail closed: what costs too much or cannot be
// evaluated is refused (failurePolicy Fail).
//
// # Cost
//
// The API server spends 1,000,000 units on an expression and 10,000,000 on a policy. With 16 tolerations
// allowed and 16 denied that have nothing in common, a new pod with one toleration costs 252 units, with 16
// 3,637 and with 100 21,669; estimated are at most 165,041. Rules that people write by hand for one or two keys
// cost 600 to 800 for 100 tolerations (TestPolicyCost of match/kube/upstream/policy).
//
// # Gt and Lt
//
// An API server with the feature gate off refuses these operators in new pods. In a pod that
// has one already it lets an update add more, which match nothing for as long as the gate is off
// (rule N5). Without Rules.Comparisons, such operators in a policy are an error, and policies judge such a toleration as if it had the
// operator Exists: nothing slips through when the gate is turned on. With Rules.Comparisons
// they judge it exactly.
//
// # Input and concurrency
//
// Types are plain data. Nothing is retained, nothing panics, and all may be called
// concurrently. The same input gives the same bytes. What cannot be said is an error, and
// never a weaker policy; match/SEMANTICS.md has a table of what no such policy can say.
//
// Rule numbers refer to match/SEMANTICS.md.
package admission

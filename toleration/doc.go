// Package toleration holds the tolerations of Kubernetes pods as plain values
// and says which taints one of them tolerates.
//
// A toleration has a key, an [Operator] with a value, an effect and, for
// NoExecute, the seconds that the pod may stay. It tolerates a taint when three
// tests pass, effect, key and operator (rules M1 to M5):
//
//	effect    empty, or equal to the taint's
//	key       empty, or equal to the taint's
//	operator  Equal or ""   the values are equal
//	          Exists        always; the toleration's value is ignored
//	          Gt, Lt        the taint's value is a greater, or lesser, integer
//	          any other     never
//
// Two consequences are easy to get wrong. An empty key with Exists matches
// every key and value, but the effect still has to match: it tolerates every
// taint only if the effect is empty too. And an empty effect matches every
// effect, unknown ones included.
//
// [Toleration.Tolerates] is the answer for one taint and one toleration; lists
// are the business of package match. Matching never validates, exactly as in
// Kubernetes; [Rules.Validate] tells what the API server would refuse.
//
// # Gt and Lt
//
// The operators Gt and Lt are behind the feature gate
// TaintTolerationComparisonOperators, which is off by default; to a cluster with
// the gate off, a toleration with one of them is as good as absent (rule N4).
// [Rules] says which kind of cluster is meant: it validates, and its Active
// method returns the tolerations that count. [Toleration.Tolerates] and package
// match evaluate whatever they are given.
//
// # Concurrency and memory
//
// All types are plain data without hidden state and all functions are pure:
// concurrent calls are safe as long as nobody writes to the arguments. Nothing
// given to a function is retained by the package; where a result shares memory
// with an argument, its documentation says so.
//
// Rule numbers (M1, N2, V2, ...) refer to match/SEMANTICS.md. Reference
// behaviour is that of Kubernetes 1.37: k8s.io/api and the validation of the
// API server.
package toleration

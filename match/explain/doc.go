// Package explain says why a pod and a node do not go together, and what would
// help.
//
//	q := explain.Query{Taints: node.Taints, Tolerations: pod.Tolerations}
//	fmt.Println(q.Explain())
//	// not schedulable: dedicated=gpu:NoSchedule is not tolerated; may stay
//	//   dedicated=gpu:NoSchedule is not tolerated; nearest is tolerations[0], dedicated==cpu:NoSchedule: its value is "cpu"
//
//	fmt.Println(q.Add(explain.ToSchedule))     // add dedicated==gpu:NoSchedule
//	fmt.Println(q.Correct(explain.ToSchedule)) // change tolerations[0], dedicated==cpu:NoSchedule, to dedicated==gpu:NoSchedule
//	fmt.Println(q.Edit(explain.ToSchedule))    // change tolerations[0], dedicated==cpu:NoSchedule, to dedicated:NoSchedule
//
// An [Explanation] has the verdict of package match, and a [Reason] for each taint:
// the toleration that tolerates it or, if none does, the nearest one and what is
// different about it. Its [Eviction] names the toleration whose seconds count, and
// what another order of the list would give.
//
// There are three kinds of [Repair]. [Query.Add] has the least that can be added to a
// pod's tolerations, and is allowed on pods that exist. [Query.Correct] and [Query.Edit]
// are for those who write manifests: Correct changes the fewest fields and keeps
// every key that is not misspelled; Edit only widens tolerations, so that nothing that they
// tolerate is lost. Each repair reaches a
// [Goal]: that the pod can be scheduled, that it can stay, or both.
//
// Answers are values, text (String) and JSON. The text is for people and may change;
// the JSON is for programs. To keep the values of taints from people who may not
// see them, set HideValues of the [Query].
//
// The tolerations that count are those of a default cluster, which ignores Gt and
// Lt, unless the rules of the query say otherwise.
//
// # Input and concurrency
//
// Nothing here validates, and nothing panics except methods of a nil *Query. Lists
// may be nil, invalid, with duplicates and long. Every function takes n log n steps and one for
// each pair of a taint and a toleration that have the same key or of which the toleration has none;
// a valid list of taints has a key three times at most. Tolerations that differ in their seconds
// alone count as one. Only the search for misspelled keys is cut off, after 10,000 pairs of keys; field
// Truncated of the answer says so. No function writes to the lists or retains anything,
// so all may be called concurrently. The results share strings, seconds and times with
// the lists.
//
// Matching is that of packages match and toleration, and the answers agree with
// [match.Decide] for all lists. Rule numbers (N4, E2, ...) refer to
// match/SEMANTICS.md.
//
// The page of examples/tolero shows explanations and repairs; there is a picture in
// examples/internal/page/testdata/pictures/cell.png.
package explain

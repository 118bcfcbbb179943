// Package compile turns a pod's toleration list into a [Matcher] that answers
// the questions of package match faster, for pods that are compared with many
// nodes. The answers are the same, input by input; the tests compare them.
//
// # The program
//
// [New] sorts the tolerations by key into groups. What a group tolerates is held
// as sets of effects, so that many tolerations become one test:
//
//	list                         group      every value    these values
//	gpu:NoSchedule           ┐
//	gpu:NoExecute            ┘   gpu        NoSchedule|NoExecute
//	dedicated=ml:NoSchedule  ┐
//	dedicated=web            ┘   dedicated                  ml NoSchedule, web any
//	*:PreferNoSchedule           any key    PreferNoSchedule
//
// What another group makes redundant is left out, and what can match no taint
// too. A taint is answered by the effects of the group for any key, then by the
// group of its key, which an engine finds: a scan over few keys or a hash table
// over many. [Matcher.String] prints the program and the engine.
//
// Only the eviction delay depends on the order of the list (rule E2), so the
// tolerations for NoExecute are kept in order beside the groups.
//
// # Concurrency and memory
//
// A Matcher is immutable: it may be shared and used concurrently. It keeps a copy
// of the list that it was made from, whose strings and seconds it shares. Its
// methods do not allocate, but for the growth of a slice that they append to and
// for String.
//
// Rule numbers refer to match/SEMANTICS.md.
package compile

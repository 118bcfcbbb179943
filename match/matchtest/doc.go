// Package matchtest is the proof kit for matchers: [Run] tests anything that
// claims to answer like package match, and [Fuzz] fuzzes it.
//
//	func newMatcher(tolerations []toleration.Toleration) matchtest.Matcher {
//		m := mymatcher.New(tolerations)
//		return matchtest.Matcher{Tolerates: m.Tolerates, FirstUntolerated: m.First}
//	}
//
//	func TestMatcher(t *testing.T) { matchtest.Run(t, newMatcher) }
//	func FuzzMatcher(f *testing.F) { matchtest.Fuzz(f, newMatcher) }
//
// Run asks the matcher and package match the same questions and reports every
// difference. A filter is asked to append to nothing, after something, with and
// without room, and to filter in place. No question may change the taints. A
// predicate must be called at most once for each taint of the node, in order.
// The inputs come from four places:
//
//   - universes: every combination of a handful of keys, operators, values,
//     effects and seconds, including empty and invalid ones, for single taints
//     and for short lists (see [Universe]);
//   - generators: random lists in which most tolerations are a taint of the
//     node with one field changed (see [Taints] and [Tolerations]);
//   - laws: what must hold whatever the answers are, such as that an added
//     toleration never makes a tolerated taint untolerated;
//   - the corpus: every real toleration list against every real taint list.
//
// As in package match, tolerations with Gt and Lt match nothing unless Run and Fuzz
// are given [toleration.Rules] with Comparisons: test a matcher for both kinds of
// clusters twice.
//
// # Who checks package match
//
// Package match itself is compared with [Spec], a second reading of the rules
// that is written as differently as possible and shares no code with it, and in
// the nested module match/kube with Kubernetes.
package matchtest

// Package matchtest is the proof kit for matchers: whatever claims to answer
// like package match is run against it with [Run].
//
//	func TestMatcher(t *testing.T) {
//		matchtest.Run(t, func(tolerations []toleration.Toleration) matchtest.Matcher {
//			m := mymatcher.New(tolerations)
//			return matchtest.Matcher{Tolerates: m.Tolerates, Filter: m.Filter}
//		})
//	}
//
// Run asks the matcher the same questions as package match and reports every
// difference. The inputs come from four places:
//
//   - universes: every combination of a handful of keys, operators, values,
//     effects and seconds, empty and invalid ones included, for single taints
//     and for short lists (see [Universe]);
//   - generators: random lists in which most tolerations are a taint of the
//     node with one field changed (see [Taints] and [Tolerations]);
//   - laws: what must hold whatever the answers are, such as that an added
//     toleration never makes a tolerated taint untolerated;
//   - the corpus: every real toleration list against every real taint list.
//
// # Who checks package match
//
// Package match itself is compared with [Spec], a second reading of the rules
// that is written as differently as possible and shares no code with it, and in
// the nested module match/kube with Kubernetes.
package matchtest

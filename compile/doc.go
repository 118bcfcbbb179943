// Package compile interns the taints of a fleet and turns a pod's toleration list into a
// bitset over them, so that a program with a node cache of its own asks whether a node's
// taints are tolerated in about a nanosecond a taint.
//
//	var v compile.Vocabulary
//	node.taints = v.Append(nil, taints)   // when a node comes or changes; v.Release gives back
//
//	var m compile.Matcher                 // reused for the next pod
//	m.Compile(&v, tolerations)
//	i, refused := m.FirstUntolerated(node.taints, taint.Hard)
//
//	set := m.Set()                        // for a loop over thousands of nodes
//	i, refused = set.FirstUntolerated(node.taints, taint.Hard)
//
// The answers are those of package match, input by input; the tests compare them. Ask
// package match where a pod meets few nodes: to compile a list takes as long as asking
// match about some 7 to 40 of them, by the length of the list (figure P2).
//
// # Terms
//
//   - A key is the key of a taint in use, and a pair a key with a value.
//   - A position is a small number for a key or a pair. It is used again when the last
//     taint with it is released.
//   - A [TaintID] is a taint: the position of its key, that of its pair, and its effect.
//   - A stamp is a number that the taints in use have while they are the same: no other
//     content of any vocabulary gets it again.
//
// # Layout
//
//	Vocabulary                                      Matcher
//	  keys   1 gpu                ──────────────►     byKey   1 NoSchedule
//	         2 dedicated                                      2 -
//	           │ pairs of a key are linked: those
//	           │ with hard taints, and the others
//	           ▼
//	  pairs  1 gpu ""             ──────────────►     byPair  1 -
//	         2 dedicated "ml"                                 2 NoSchedule|NoExecute
//	         3 dedicated "web"                                3 -
//	                                                  anyKey    PreferNoSchedule
//	  TaintID, 64 bits
//	  ┌────────┬──────────┬─────────┐
//	  │ key 28 │ pair 32  │ effect 4│  tolerated if anyKey, byKey[key] or byPair[pair]
//	  └────────┴──────────┴─────────┘  has the effect
//
// A Matcher has a byte for each key and each pair: the set of effects that are tolerated
// with it. To compile a list is to look up its keys and values and to set bits, so that
// equal and redundant tolerations merge. Of Gt and Lt only the widest bounds of a key are
// kept, and compared. A [TaintSet] is the same as one table, in which what holds for a
// key and for an integer is noted with each pair.
//
// Only the seconds of an eviction depend on the order of the list (rule E2). So those
// tolerations that are the first to match something are kept in order beside the bits.
//
// A pair of a vocabulary takes some 80 bytes with its place in the hash table, and a key
// 50. All of this is in vectors of chunks that are copied on write, so that
// [Vocabulary.Fork] takes constant time.
//
// # When the vocabulary changes
//
// Each time that a taint comes into use or goes, its vocabulary gets a new stamp; a fork
// has that of its original until one of them changes. A Matcher knows the stamp that it
// was compiled for. Under another stamp it compares strings: still right, but slower until
// it is compiled again. A TaintSet does not notice.
//
// # Limits and hostile input
//
// There may be 2^28 different keys in use, 2^32 pairs, and 2^32 uses of a taint. Hashes are
// seeded and taken of whole strings, so nobody can choose keys or values that make it
// slow. Taints with unknown effects, which Kubernetes refuses, have pairs of their own, and
// package match answers for them.
//
// Rule numbers refer to match/SEMANTICS.md. Built with the tag tolero_invariants, a
// Vocabulary checks itself when something is released.
package compile

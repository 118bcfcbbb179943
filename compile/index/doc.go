// Package index answers for a pod and a whole fleet at once: on which nodes may a
// pod with these tolerations be scheduled, how do the others refuse it, and where
// would it have to leave. And the other way round: whom does a change of a node's
// taints concern.
//
// A pod's answer depends only on the taints that a node has, and a fleet of
// 100,000 nodes has tens or hundreds of different taint lists. So the cost of a
// pod grows with the taint lists that it may fit, not with the nodes.
//
//	Index ─ Load, Set, Delete ─ one writer
//	  │ Snapshot: constant time, immutable
//	  ▼
//	Snapshot ─ Fit(tolerations), Sweep(all pods) ─ any number of readers
//	  │                                  │
//	  ▼                                  ▼
//	Fit ─ Len, Has, Nodes, Words,      Diff ─ which nodes moved from which
//	      Scores, Delay, Reasons         │    class to which between two snapshots
//	                                     ▼
//	Pods ─ equal lists are a class ─ Change ─ which pod classes fit now,
//	                                          fit no more, must leave
//
// # How it works
//
// Keys and pairs of key and value are interned in a vocabulary, whose positions
// are used again when no node has them any more: taints with a timestamp for a
// value do not make it grow. Nodes with the same taints in the same order form a
// list, and lists that are permutations of each other a set; a verdict is per
// set.
//
// A pod fits a set if it tolerates all of its hard taints. Each set watches one of
// them, the one that the fewest sets have. To find what a pod fits is to count
// the nodes that have no hard taint, to visit the sets that watch what the pod
// tolerates, and to test the rest of each. A fleet in which every node has a taint
// of its own costs a pod no more than its answer. The numbers of a key are in a
// search tree, so that Gt and Lt visit what they tolerate and no more.
//
// Nodes stand in slots, 64 to a page. A large list fills pages of its own, so
// that a bit for each node that fits is written by copying words.
//
// All of this is held in vectors of chunks that are copied on write: a snapshot
// shares them with the index, and what is changed later is changed in a copy. Two
// snapshots differ only where they do not share a chunk, which is how their
// difference is found.
//
// # Limits
//
// There may be no more than 2^30 different keys, and 2^32 pairs of key and value,
// nodes, lists, sets and pods of different lists, at a time; memory ends long
// before. A list may have any number of taints and a pod any number of
// tolerations. A [NodeID] may be mistaken for that of a later node only if the index
// has changed 2^32 times in between.
//
// Rule numbers refer to match/SEMANTICS.md. The answers are those of package
// match, with which the tests compare them. Built with the tag tolero_invariants, an
// index checks itself after changes.
package index

// Package index answers for a pod and a whole fleet at once: on which nodes a pod with
// these tolerations may be scheduled, why the others refuse it, and which of them would
// evict it. It also answers the reverse: which pods a change of a node's taints concerns.
//
// A pod's answer depends only on the hard taints (NoSchedule and NoExecute) that a node
// has, and a fleet of 100,000 nodes has tens or hundreds of different sets of those. So
// the cost of a pod grows with the sets that it may fit, not with the nodes.
//
// The answers are those of a default cluster, which ignores tolerations with Gt and Lt,
// unless [New] and [NewPods] are given other rules.
//
//	Index ─ Load, Set, Delete ─ one writer
//	  │ Snapshot: constant time, immutable
//	  ▼
//	Snapshot ─ Fit(matcher), FitList(tolerations), Sweep(all pods) ─ any number of readers
//	  │    └─ Fork: an Index of its own, for what-if questions
//	  ▼
//	Fit ─ Len, Has, Nodes, AppendWords,     Diff ─ which nodes moved from which
//	      AppendScores, EvictionDelay,        │    class to which between two snapshots
//	      AppendReasons, Plan                 ▼
//	Pods ─ equal lists are a class ─ Change ─ which pod classes fit now,
//	  │                                       fit no more, must leave
//	  └ Tolerators ─ who tolerates these taints; what many changes mean, counted by class
//
// # Terms
//
//	element   a taint as a number of a compile.Vocabulary
//	set       the hard elements of some nodes, without order: they decide the verdict
//	list      all elements of some nodes in their order: it refines a set
//	          (first untolerated, scores, eviction); callers know it as a Class
//	node      a name with a number that it keeps; callers know it as a NodeID
//	stamp     tells apart what had the same number or position at different times
//	slot      where a node is in the words of an answer; it changes when nodes move
//	page      64 slots, a word: of one set, or shared
//	fragment  the nodes of a set in a shared page
//	watch     the hard taint by which a pod comes to a set
//	column    a bit for each set: whether it has a hard taint that many sets have
//
// and what one node leads to in memory:
//
//	name ─▶ number ─▶ node {list, slot, stamp}
//	                    │     └▶ numbers[slot] = number
//	                    ▼
//	                  list {elements, set, stamp}
//	                    ▼
//	                  set {elements, watches, pages of its own, fragments}
//	                    ▼
//	                  element ─▶ hard taint {sets that watch it, column}
//
// # How it works
//
// A pod's list is compiled by a compile.Matcher for the vocabulary of the snapshot,
// where tolerations that say the same merge; no other place tells operators apart when a
// pod is asked about. The shape of a set is which of the two hard effects it has. All sets
// of a shape fit a pod that tolerates these effects whatever the key. The nodes of each
// shape are counted, and have a bit each that is copied.
//
// Of the other sets a pod fits those whose hard elements it tolerates. Each set watches
// one element, the one that the fewest sets have. To find what a pod fits, the index visits
// the sets that watch what the pod tolerates, and tests the rest of each; no set is
// visited twice. What the pod tolerates is looked up by its tolerations or, if there are few
// hard taints, by asking about each of these. A fleet in which every node has a taint of
// its own costs a pod no more than its answer.
//
// Elements that many sets have select nothing; they are columns, with a bit for each
// set. The sets that a pod does not fit are the union of the columns that it does not
// tolerate. The index chooses the way for each pod, by counting what each would look at:
// see [Fit.Plan]. Where nearly every node has a set of its own, slots come in the order of
// the sets, so that what the columns say is copied into the answer a word at a time.
//
// A set fills pages of its own, so that a bit for each node that fits is written by
// copying words. What is left of a set, and small sets, share pages as fragments, each with
// a mask. Empty pages are given back, and sparse ones are emptied into others, so that there
// are at most 1.5 times as many words as the nodes need, plus four.
//
// All of this is held in vectors of chunks that are copied on write: a snapshot
// shares them with the index, and what is changed later is changed in a copy. Two
// snapshots differ only where they do not share a chunk, which is how their
// difference is found.
//
// # Limits
//
// There may be at most 2^28 different keys, 2^30 nodes, and 2^32 pairs of key and value,
// lists, sets and pods of different lists, at a time; memory runs out long before. A list
// may have any number of taints and a pod any number of tolerations. No choice of keys and
// values makes the time for a pod more than proportional to its tolerations and the hard
// taints of all sets together: hashes are seeded, trees are balanced, and no set is looked
// at twice.
//
// Rule numbers refer to match/SEMANTICS.md. The answers are those of package
// match, with which the tests compare them. Built with the tag tolero_invariants, an
// index checks itself after changes, and a Fit counts its steps.
package index

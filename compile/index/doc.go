// Package index answers for a pod and a whole fleet at once: on which nodes a pod with
// these tolerations may be scheduled, why the others refuse it, and which of them would
// evict it. It also answers the reverse: which pods a change of a node's taints concerns.
//
//	ix := index.New()                       // of a default cluster: no Gt and Lt
//	ix.Load(nodes)                          // then Set and Delete, as nodes change
//	s := ix.Snapshot()                      // immutable, for any number of goroutines
//
//	var fit index.Fit                       // reused for the next pod
//	s.FitList(&fit, pod.Tolerations)
//	fit.Len()                               // how many nodes
//	for id := range fit.Nodes() {           // which
//		name, class, _ := s.Node(id)
//		fit.CountUntolerated(class, taint.Soft) // or AppendScores, for candidates
//	}
//	fit.And(words)                          // or as bits by Snapshot.Slot, for the next filter
//	fit.AppendReasons(nil, 3)               // why not the others: the first three reasons
//
//	pods := index.NewPods()
//	pc := pods.Add(pod.Tolerations)         // pods with equal lists are one PodClass
//	var impact index.Impact
//	pods.NodeUpdated(&impact, before, after)
//	impact.NowFit()                         // the pod classes to look at again
//
// A pod's answer depends only on the hard taints (NoSchedule and NoExecute) that a node
// has, and a fleet of 100,000 nodes has tens or hundreds of different sets of those. So
// the cost of a pod grows with the sets that it may fit, not with the nodes. Apart from
// compiling the list, a pod never costs more than asking package match about each of some
// hundred nodes, whatever the taints and the valid tolerations.
//
// The answers are those of package match, with which the tests compare them; rule numbers
// refer to match/SEMANTICS.md. They are those of a default cluster, which ignores
// tolerations with Gt and Lt, unless [New] and [NewPods] are given other rules.
//
// A [Fit], a [Diff] and an [Impact] are filled again and again. Once one has served, filling
// it with as much does not allocate, and neither do functions that append to a dst with room.
//
// # Terms
//
//	pair       a key with a value, as in package compile
//	position   where a pair, class or set is stored; another may have it later
//	stamp      tells apart what had the same number or position at different times
//	taint      a compile.TaintID; it is hard if its effect is NoSchedule or NoExecute
//	node       a name with a number that it keeps; callers know it as a NodeID
//	class      the taints of some nodes, in their order; a pod class is other than that:
//	           the tolerations of some pods, in their order
//	set        the hard taints of some classes, without order: they decide who fits
//	base       the sets and nodes of a moment, sorted; it is never written to
//	part       the sets of a base that have the same hard effects
//	place      where a set is in a base
//	slot       where a node is in the words of an answer
//	wholesale  how taints are tolerated by a toleration without a key, for Exists
//	transfer   a node that came to another set after the base was made
//	watch      the taint by which a pod comes to a set: the rarest that the set has
//	column     a bit for each place: whether the set has a taint that is common to many
//
// INTERNALS.md, beside this file, tells how they work together.
//
// # Limits
//
// There may be 2^28 different keys, and 2^32 nodes, classes, sets and pod classes at a
// time; memory runs out before. A node may have any number of taints and a pod any number
// of tolerations. Hashes are seeded and taken of whole values, and a pod looks at each set
// once, beside those of some nodes that changed lately. Built with the tag
// tolero_invariants, an index checks itself after changes, and a Fit counts its steps.
package index

// Package headroom tells how much of a fleet each class of pods may use: how many nodes,
// and how much of whatever the caller knows of nodes, such as free processors. Each node
// counts once, and what several classes may use is told apart from what only one may.
//
//	fleet := ix.Snapshot()                              // of an index.Index
//	f := headroom.New(fleet, 2, func(node string, into []int64) {
//		into[0], into[1] = freeMilliCPU[node], freeMemory[node]
//	})
//	f.Total()                                           // the whole fleet
//	f.For(tolerations)                                  // what one list may use
//
//	t := f.Table(pods)                                  // of an index.Pods
//	for row := range t.Rows() { ... }                   // each class: what it may use, and what only it may
//	for region := range t.Regions() { ... }             // parts of the fleet, and who may use each
//	t.Shared(a, b)                                      // what both classes may use
//	t.Either(a, b)                                      // what at least one of them may, counted once
//
// A pod may use a node unless the node has a NoSchedule or NoExecute taint that the pod
// does not tolerate (rule F2). The caller subtracts nodes that lack resources, or keep
// pods away for other reasons. The rules of the cluster are those of the snapshot.
//
// # How it works
//
// All nodes with the same hard taints are used by the same pods. New adds up the numbers
// of each such set of nodes once. A class is asked about through the index, and adds up
// sets, not nodes. A region is the sets that the same classes may use: the regions are
// found by splitting, for each class, those that it may use in part. A table asks
// the index about each class; the rest of its time is proportional to the pairs of a class
// and a set of nodes that it may use.
//
// Rule numbers refer to match/SEMANTICS.md.
package headroom

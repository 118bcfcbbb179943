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
// New adds up the numbers of the nodes of each [index.Class] once: pods use all of them or
// none. A table asks the index about each class of pods, and splits the classes of nodes by the
// answers. What is left together is a region, which the same classes of pods may use.
//
// Rule numbers refer to match/SEMANTICS.md.
package headroom

// Package informer keeps the fleet index of package compile/index in step with a
// shared informer of client-go, so that a scheduler, an autoscaler or a controller
// asks about the nodes of a cluster as they are:
//
//	factory := informers.NewSharedInformerFactory(client, 0)
//	nodes, err := informer.Watch(factory.Core().V1().Nodes().Informer())
//	factory.Start(ctx.Done())
//	cache.WaitForCacheSync(ctx.Done(), nodes.HasSynced)
//
//	s := nodes.Snapshot() // any number of goroutines
//	s.Fit(&fit, tolerations)
//
// # What is followed
//
// Nodes that are added, changed and deleted, also where the informer missed it and
// makes up for it with a tombstone after a relist. A cordoned node has the taint
// node.kubernetes.io/unschedulable:NoSchedule in the index, whether or not the node
// life-cycle controller has added it already (rule F7). A resync, and an update that
// leaves the taints as they were, change nothing: the snapshot stays the same.
//
// # Staleness
//
// A snapshot is the cluster as the informer has told of it. It is behind in three
// places: from the API server to the informer's watch, from the informer's store to
// this handler, and from the handler to the snapshot that a reader holds.
//
//   - Nobody bounds the first two. Normally they take milliseconds; while the watch is
//     broken the index stands still, as the informer's store does.
//   - The index never runs ahead of the store. A node that a lister shows may not be in
//     the index yet, or with the taints that it had before; it gets there without
//     further events, in the order in which the store changed for that node.
//   - A snapshot that is taken after HasSynced is true has every node that the
//     informer listed first. Snapshots are taken whole: between two events, never in
//     the midst of one.
//
// Whoever acts on an answer has to allow for it to be late, as with any informer.
//
// It is a Go module of its own: client-go's cache comes with a third of the modules
// that the scheduler framework needs. Rule numbers refer to match/SEMANTICS.md.
package informer

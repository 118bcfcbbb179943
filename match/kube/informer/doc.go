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
//	s.FitList(&fit, tolerations)
//
// The answers are those of a default cluster, which ignores tolerations with Gt and
// Lt; for a cluster that counts them, pass toleration.Rules{Comparisons: true} last.
//
// # What is followed
//
// Nodes that are added, changed and deleted. A deletion that the informer missed comes
// with its next list. A cordoned node that does not have the taint
// node.kubernetes.io/unschedulable:NoSchedule yet has it in the index at once, before
// its other taints (rule F7). A resync, and an update that leaves the taints as they
// were, change nothing: the snapshot stays the same.
//
// An event that is not about a node changes nothing and goes to client-go's HandleError.
//
// The index knows nodes by name. A node that is deleted and made anew under its name is
// another node: it has another UID, and gets a new ID even if its taints are the same.
// That also holds if the informer missed the deletion and reports an update or another
// addition; then no snapshot is without the node, and a late deletion of the old one
// changes nothing. The old ID is stale in later snapshots. Its number may be
// used again for the new one (see [index.NodeID.Number]), and an [index.Diff] has a move
// only if the taints differ.
//
// # Staleness
//
// A snapshot is the cluster as the informer has reported it. It is behind in three
// places: from the API server to the informer's watch, from the informer's store to
// this handler, and from the handler to the snapshot that a reader holds.
//
//   - Nothing bounds the first two. Normally they take milliseconds; while the watch is
//     broken, neither the informer's store nor the index changes.
//   - The index never runs ahead of the store. A node that a lister shows may be missing
//     from the index, or have its earlier taints there. It catches up without further
//     events, in the order in which the store changed for that node.
//   - A snapshot that is taken after HasSynced is true has every node that the
//     informer listed first. A snapshot is taken between two events, never during one.
//
// Answers may be out of date, as with any informer: whoever acts on one has to allow
// for that.
//
// It is a Go module of its own, because client-go's cache requires many modules that
// match/kube does not. Rule numbers refer to match/SEMANTICS.md.
package informer

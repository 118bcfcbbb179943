// Package lifecycle makes the decisions of Kubernetes' node life-cycle
// controller: which taints a node gets from its conditions, when a node whose
// heartbeats stop counts as lost, and at what pace the nodes of a zone get the
// taints that evict their pods. It decides and does nothing: events and the time
// come from the caller, who carries the decisions out, in a cluster or in a
// simulation. It has no goroutines and no clock, and the same calls give the
// same decisions in the same order.
//
// # From conditions to taints
//
//	condition             taint                at once      by turns
//	Ready False           not-ready            NoSchedule   NoExecute
//	Ready Unknown         unreachable          NoSchedule   NoExecute
//	MemoryPressure True   memory-pressure      NoSchedule
//	DiskPressure True     disk-pressure        NoSchedule
//	PIDPressure True      pid-pressure         NoSchedule
//	NetworkUnavailable    network-unavailable  NoSchedule
//	cordoned              unschedulable        NoSchedule
//
// [ByCondition] does the third column for one list of taints (rule C1). A
// [Controller] does all for a fleet (rules C1 to C6).
//
// # A controller's time
//
// Kubernetes looks at all nodes every five seconds and, ten times a second, at
// the queues of nodes that wait for their NoExecute taint. So does a Controller,
// except that it leaves out the looks at which there is nothing to see:
//
//	events ──> NoSchedule taints, at once
//	look       heartbeats seen, conditions turned Unknown, NoExecute taints
//	           swapped, taken off, queued; then states and rates of the zones
//	pass       a token of the zone's limiter, a node tainted
//
// A heartbeat counts from the look that finds it. A node is lost at the first
// look that is later than its last heartbeat plus the grace period: with the
// defaults, 55 seconds after the look that found the heartbeat. When a look and
// a pass fall on the same instant, the look comes first. One pass gives a zone
// at most one token, so that no zone goes faster than ten nodes a second, unless
// its rate is beyond a token for each nanosecond.
//
// # Leases that are verified
//
// Since version 1.37 Kubernetes reads the live lease of a node before the node
// is lost (rule C6, the feature NodeControllerLeaseCircuitBreaker), because the
// lease in its informer may be old. With [Config.Verify] a Controller asks its
// caller for the versions of such leases, compares them with what it knows from
// [Controller.SetLease], and decides:
//
//	no lease, or the version that is known   the node is lost
//	another version                          the node is skipped; if the informer has
//	                                         not come that far, so are all nodes
//	the look-up failed                       the node is skipped
//
// A node that is skipped keeps its conditions and taints and does not count for
// the state of its zone. After a look that skipped all nodes, Kubernetes has
// forgotten its zones: at the next one they start anew with empty queues and
// full limiters, and so they do here.
//
// # Order
//
// The nodes of a zone get their NoExecute taints in this order: first the nodes
// that a look did not find waiting (deleted, skipped, tainted already, or without
// a Ready condition), whose turn costs a token all the same, in the order of the
// looks; then those that wait, the longest first. Nodes that a look finds
// together are in the order of their names.
//
// Kubernetes leaves to chance the order of nodes that wait, of nodes found at
// the same look, and of zones. The order above is one of those that are possible
// there. The same goes for a look that finds the informer behind: here it has
// seen all nodes whose grace period is not over before.
//
// # Differences
//
//   - Kubernetes takes a node that is deleted and created again between two
//     looks for the same one, and remembers the heartbeats of deleted nodes.
//     Here a deleted node is forgotten.
//   - Decisions count as carried out at once. In Kubernetes the informer has them
//     only some milliseconds later, which may cost a zone a token in two ways. A
//     pass right after the look at which a node is lost still finds the node ready
//     and drops it until the next look. A look right after the pass that tainted a
//     node queues the node again.
//   - A node that changes its zone leaves the queue of the old one.
//   - A zone without nodes is forgotten at the next look. Kubernetes forgets it
//     then or later, as chance will have it, and its limiter with it.
//   - A zone whose nodes are all excluded from the count keeps its queue and the
//     normal rate, as if it were new. Kubernetes makes it a new queue, with
//     a token in it, at most looks. So it may when a zone's nodes are all
//     skipped while those of other zones are not; here the queue and the limiter
//     stay then.
//   - A node that is served while it has no Ready condition leaves the queue
//     until it has one. Kubernetes tries again at every token.
//
// # Any input
//
// Names, taints and versions may be any strings, times any times: instants more
// than 292 years from the start are taken for those 292 years from it, and
// periods that reach beyond never end. Events may come twice, late, or about
// nodes that are not known. Only [New] returns an error. All types except
// Controller are plain values.
//
// Rule numbers (C1, F7, ...) refer to match/SEMANTICS.md. Reference behaviour is
// that of Kubernetes 1.37: pkg/controller/nodelifecycle.
package lifecycle

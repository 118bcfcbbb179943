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
// [Reconcile] and [Apply] do the third column for one list of taints (rule C1).
// A [Controller] does the rest for a fleet (rules C2 to C5).
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
// look that is later than its last heartbeat and the grace period: with the
// defaults, 55 seconds after the look that found the heartbeat. When a look and
// a pass fall together the look comes first. One pass gives a zone at most one
// token, so that no zone goes faster than ten nodes a second, unless its rate is
// beyond a token for each nanosecond.
//
// The limiter is this package's own, thirty lines, although
// golang.org/x/time/rate, which Kubernetes uses, can be driven by a caller's
// clock too: the packages of this library depend on the standard library only,
// and a controller also has to know when there will be a token, without taking
// it. That the pace is that of Kubernetes, to the pass, is proved beside it in
// match/kube/upstream.
//
// # Differences
//
// Where Kubernetes leaves an order to chance, of nodes found at the same look
// and of zones, here it is that of the names; nodes that wait longer come first.
// Further:
//
//   - Kubernetes takes a node that is deleted and created again between two
//     looks for the same one, and remembers the heartbeats of deleted nodes.
//     Here a deleted node is forgotten.
//   - A node that changes its zone leaves the queue of the old one.
//   - A zone without nodes is forgotten at the next look. Kubernetes forgets it
//     then or later, as chance will have it, and its limiter with it.
//   - A zone whose nodes are all excluded from the count keeps its queue and the
//     normal rate, as if it were new. Kubernetes makes it a new queue, with
//     a token in it, at most looks.
//   - A node that is served while it has no Ready condition leaves the queue
//     until it has one. Kubernetes tries again at every token.
//
// # Any input
//
// Names and taints may be any strings, times any times: instants more than 292
// years from the start are taken for those 292 years from it, and periods that
// reach beyond never end. Events may come twice, late, or about nodes that are
// not known. Only [New] returns an error.
//
// Rule numbers (C1, F7, ...) refer to match/SEMANTICS.md. Reference behaviour is
// that of Kubernetes 1.37: pkg/controller/nodelifecycle.
package lifecycle

package lifecycle

import (
	"slices"
	"strings"
)

// look is one look at all nodes: at those with events since the last one, and
// those whose grace period is over. There is nothing to see at the others.
func (c *Controller) look(at instant) {
	c.renewZones()
	for c.deadlines.first() <= at {
		c.touch(c.deadlines.take())
	}
	if c.behind() {
		c.idle()
		return
	}
	c.caughtUp()
	c.batch, c.dirty = c.dirty, c.batch[:0]
	c.todo, c.expired = c.todo[:0], c.expired[:0]
	for _, id := range c.batch {
		n := &c.nodes[id]
		switch n.dirty = false; {
		case !n.used:
		case n.gone:
			c.todo = append(c.todo, id)
		case !c.observe(id, at):
			c.settle(id)
		case c.config.Verify != nil:
			c.expired = append(c.expired, id)
		default:
			c.expire(id)
		}
	}
	c.verify()
	for _, id := range c.nodesByName(c.todo) {
		c.judge(id)
	}
	c.disrupt()
}

// observe is what a look sees of the health of a node. It notes when a heartbeat was last
// seen and reports whether that is longer ago than the grace period (rule C3).
//
// A heartbeat is a Ready condition with another lastHeartbeatTime than at the last look, or
// one that was not there, or a lease with a later renewTime than the last one that counted.
// It counts from the look that finds it, so that the clocks of the nodes do not matter.
func (c *Controller) observe(id int32, at instant) (expired bool) {
	n := &c.nodes[id]
	ready, counted := n.Conditions.Ready != Absent, n.counted
	switch {
	case !n.seen && !ready:
		n.probe = c.since(n.Created)
	case ready && !(n.sawReady && n.Heartbeat.Equal(n.sawHeartbeat)):
		// Kubernetes forgets the lease at a heartbeat of the other kind, and takes it for a
		// new one at the next look.
		n.probe, n.counted = at, lease{}
	}
	if n.lease.leased && (!counted.leased || counted.before(&n.lease)) {
		n.probe, n.counted = at, n.lease
	}
	if n.steady || n.pulse {
		n.probe, n.pulse = at, false
	}
	if n.lease.leased && !n.counted.leased {
		c.touch(id)
	}
	n.seen, n.sawReady, n.sawHeartbeat = true, ready, n.Heartbeat
	return at > c.expiry(n)
}

// expiry returns until when the last heartbeat of a node lasts.
func (c *Controller) expiry(n *node) instant {
	if n.Conditions.Ready == Absent {
		return later(n.probe, c.config.StartupGracePeriod)
	}
	return later(n.probe, c.config.GracePeriod)
}

// lose turns the conditions of a node Unknown.
func (c *Controller) lose(n *node) {
	c.count(n, -1)
	if n.Conditions.Ready == Absent {
		n.Heartbeat = n.Created
	}
	n.Conditions = n.Conditions.lost()
	c.count(n, 1)
	n.sawReady, n.sawHeartbeat, n.counted = true, n.Heartbeat, n.lease
	c.reconcile(n, HeartbeatLost)
}

// await makes the first look after the grace period of a node look at it, the next one if
// the period is over: then the lease has to be verified anew. A node that waits for an
// earlier look is left to it, so that a heartbeat costs nothing; for one that is kept alive
// there is none, unless the period is negative.
func (c *Controller) await(id int32) {
	n := &c.nodes[id]
	if n.Conditions.Ready == Unknown && c.config.Verify == nil {
		return
	}
	at := c.expiry(n)
	switch {
	case at < c.now:
		c.touch(id)
		return
	case n.steady:
		at = never // a heartbeat comes before
	case at != never:
		at = firstMultiple(c.config.MonitorPeriod, at+1)
	}
	if at < c.deadlines.waiting(id) {
		c.deadlines.set(id, at)
	}
}

// settle leaves a node for the look to judge, if there is something to do.
func (c *Controller) settle(id int32) {
	if n := &c.nodes[id]; n.lost || n.skipped || n.unsettled() {
		c.todo = append(c.todo, id)
	} else {
		c.await(id)
	}
}

// expire makes a node lost, unless its conditions are Unknown already.
func (c *Controller) expire(id int32) {
	n := &c.nodes[id]
	n.lost = n.Conditions.Ready != Unknown
	c.settle(id)
}

// nodesByName sorts slots of nodes by name.
func (c *Controller) nodesByName(ids []int32) []int32 {
	slices.SortFunc(ids, func(a, b int32) int { return strings.Compare(c.nodes[a].name, c.nodes[b].name) })
	return ids
}

// unsettled reports whether the NoExecute taints of a node are not as its
// conditions want them, or its place in the queue is not.
func (n *node) unsettled() bool {
	switch wanted, opposite := n.Conditions.evicting(); {
	case !n.registered:
		return true
	case n.Conditions.Ready == True:
		return n.Taints&evicting != 0 || n.member
	case wanted == 0:
		return n.queued && !n.held
	default:
		has := n.Taints&wanted != 0
		return n.Taints&opposite != 0 || !n.member || !has && !n.queued || n.queued && n.held != has
	}
}

// judge does what the look has to do about a node.
func (c *Controller) judge(id int32) {
	n := &c.nodes[id]
	if n.gone {
		c.hold(id)
		return
	}
	if n.lost {
		n.lost = false
		c.lose(n)
	}
	had := n.Taints & evicting
	c.register(id)
	if n.skipped {
		c.hold(id)
		if n.unverified != n.probe {
			n.unverified = n.probe
			c.emit(n, Unverified, 0, 0)
		}
	} else {
		c.evict(id, had)
	}
	if n.unsettled() {
		c.touch(id) // a swap or a first place in the queue is half of it; the next look does the rest
	}
	c.await(id)
}

// register takes the NoExecute taints off a node that no look saw before.
func (c *Controller) register(id int32) {
	if n := &c.nodes[id]; !n.registered {
		n.registered = true
		c.takeOff(id, Registered)
	}
}

// evict brings the NoExecute taints of a node and its place in the queue in line
// with its conditions (rule C2). The look works on the taints that it found: had
// are those, although a new node may have lost them since.
func (c *Controller) evict(id int32, had TaintSet) {
	n := &c.nodes[id]
	switch wanted, opposite := n.Conditions.evicting(); {
	case n.Conditions.Ready == True:
		c.takeOff(id, Recovered)
	case wanted == 0:
		c.hold(id)
	case had&opposite != 0:
		if had&wanted == 0 {
			n.swapped = c.now
		}
		c.emit(n, Swapped, wanted, n.Taints&opposite)
		c.hold(id)
	case !n.member, had&wanted == 0 && (!n.queued || n.held):
		c.enqueue(id)
	case had&wanted != 0:
		c.hold(id)
	}
}

// takeOff takes the NoExecute taints off a node and the node out of the queue.
func (c *Controller) takeOff(id int32, reason Reason) {
	c.forget(id)
	if n := &c.nodes[id]; n.Taints&evicting != 0 {
		c.emit(n, reason, 0, n.Taints&evicting)
	}
}

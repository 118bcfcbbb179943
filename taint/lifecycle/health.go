package lifecycle

// observe is what a look sees of the health of a node. It notes when a
// heartbeat was last seen and reports whether that is longer ago than the grace
// period (rule C3).
//
// A heartbeat is a Ready condition with another lastHeartbeatTime than at the
// last look, or one that was not there, or a lease with a later renewTime than
// the last one that counted. It counts from the look that finds it, so that the
// clocks of the nodes do not matter.
func (c *Controller) observe(id int32, at instant) (expired bool) {
	n := &c.nodes[id]
	ready, sawLease := n.Conditions.Ready != Absent, n.sawLease
	switch {
	case !n.seen && !ready:
		n.probe = c.since(n.Created)
	case ready && !(n.seen && n.sawReady && n.Heartbeat.Equal(n.sawHeartbeat)):
		// Kubernetes forgets the lease at a heartbeat of the other kind, and
		// takes it for a new one at the next look.
		n.probe, n.sawLease = at, false
	}
	if n.leased && (!sawLease || n.counted.before(n.Lease)) {
		n.probe, n.sawLease, n.counted = at, true, n.Lease
	}
	if n.steady || n.pulse {
		n.probe, n.pulse = at, false
	}
	if n.leased && !n.sawLease {
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
	n.sawReady, n.sawHeartbeat = true, n.Heartbeat
	n.sawLease, n.counted = n.leased, n.Lease
	c.reconcile(n, HeartbeatLost)
}

// await makes the first look after the grace period of a node look at it, the next
// one if the period is over: then the lease has to be verified anew. A node that
// waits for an earlier look is left to it, so that a heartbeat costs nothing; for one
// that is kept alive there is none, unless the period is negative.
func (c *Controller) await(id int32) {
	n := &c.nodes[id]
	if n.Conditions.Ready == Unknown && c.config.Verify == nil {
		c.deadlines.set(id, never)
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

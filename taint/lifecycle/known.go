package lifecycle

import "time"

// Two events that no API object brings: they start a controller in the middle of
// a cluster's life, and spare a simulation the heartbeats in which nothing is the
// matter.

// Adopt is [Controller.Set] for a node that was there before the controller: its
// NoExecute taints stay, where Set counts it as new and takes them off at the next
// look ([Registered]). If the node has the one that its conditions want, it does
// not wait for it again. Its heartbeat counts from the next look. For a node that
// is known Adopt is Set.
func (c *Controller) Adopt(dst []Action, now time.Time, name string, n Node) []Action {
	c.begin(dst, now)
	before := c.live
	id := c.take(name)
	c.update(id, n)
	if node := &c.nodes[id]; c.live > before {
		wanted, _ := node.Conditions.evicting()
		node.registered, node.member = true, node.Taints&wanted != 0
	}
	return c.end()
}

// KeepAlive says that a heartbeat of a node comes now and, if on is true, before every
// look from then on, until KeepAlive says otherwise: the last one comes with the call
// that ends it. They count beside those of its lease and of its Ready condition. Like
// [Controller.Renew] they do not make a node Ready again whose conditions turned
// Unknown. A node that is not known is ignored; one that is deleted ceases to be kept
// alive. It takes constant time, and a look takes none for the nodes that are kept
// alive.
func (c *Controller) KeepAlive(dst []Action, now time.Time, name string, on bool) []Action {
	c.begin(dst, now)
	if id, found := c.names[name]; found && !c.nodes[id].gone {
		c.nodes[id].steady, c.nodes[id].pulse = on, true
		c.touch(id)
	}
	return c.end()
}

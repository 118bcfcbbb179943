package lifecycle

// pass lets the zones that have a token give it to the node whose turn it is
// (rule C2). No node joins a queue during a pass.
func (c *Controller) pass(at instant) {
	c.zoned = c.zoned[:0]
	for c.turns.first() <= at {
		c.zoned = append(c.zoned, c.turns.take())
	}
	for _, zone := range c.zonesByName(c.zoned) {
		z := &c.zones[zone]
		for z.head != none && z.take(at) { // once, unless tokens come faster than nanoseconds
			c.serve(z.head)
		}
		c.schedule(zone, at+1)
	}
}

// serve puts the NoExecute taint on a node, if it still has to have it. Its
// token is gone either way.
func (c *Controller) serve(id int32) {
	n := &c.nodes[id]
	if n.gone {
		c.release(id)
		return
	}
	c.leave(id)
	if wanted, opposite := n.Conditions.evicting(); wanted != 0 {
		c.emit(n, TurnCame, wanted, n.Taints&opposite)
	} else if n.Conditions.Ready == Absent {
		n.member = false // queued again when it has the condition again
	}
}

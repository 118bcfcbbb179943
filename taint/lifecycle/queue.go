package lifecycle

// The nodes of a zone that wait for their NoExecute taint form a queue, linked
// through their slots, so that one can leave it at any place.
//
// In Kubernetes every look puts those who wait at the end once more, so that
// they all are equal, except the nodes that it does not see waiting: those that
// were deleted, were skipped, have the taint already, or have no Ready
// condition. These keep an older place and so go first. Here the queue has two
// parts: the nodes that are held, in the order in which looks passed them over,
// and after them those who wait.

// link is the place of a node in the queue of its zone.
type link struct {
	prev, next int32 // slots; none at the ends
	queued     bool
	held       bool // in the first part of the queue
	// member is set from when the node is queued until it is ready again: it
	// is not queued a second time while it has its taint.
	member bool
}

const none int32 = -1

// queue is the ends of the queue of a zone.
type queue struct {
	head, tail int32
	held       int32 // the last node that is held
	waiting    int
}

// enqueue puts a node at the end of the queue of its zone.
func (c *Controller) enqueue(id int32) {
	c.leave(id)
	n := &c.nodes[id]
	c.insert(id, c.zones[n.zone].tail)
	n.member = true
	if c.turns.waiting(n.zone) == never {
		c.schedule(n.zone, c.now)
	}
}

// hold lets a node that waits keep its place from now on.
func (c *Controller) hold(id int32) {
	n := &c.nodes[id]
	if !n.queued || n.held {
		return
	}
	z := &c.zones[n.zone]
	c.leave(id)
	c.insert(id, z.held)
	n.held, z.held = true, id
}

// insert puts a node into the queue of its zone after another, or first after
// none.
func (c *Controller) insert(id, after int32) {
	n := &c.nodes[id]
	z := &c.zones[n.zone]
	next := z.head
	if after != none {
		next = c.nodes[after].next
	}
	n.prev, n.next, n.queued = after, next, true
	if after == none {
		z.head = id
	} else {
		c.nodes[after].next = id
	}
	if next == none {
		z.tail = id
	} else {
		c.nodes[next].prev = id
	}
	z.waiting++
}

// leave takes a node out of the queue of its zone if it is in it. It remains a
// member.
func (c *Controller) leave(id int32) {
	n := &c.nodes[id]
	if !n.queued {
		return
	}
	z := &c.zones[n.zone]
	if z.held == id {
		z.held = n.prev
	}
	if n.prev == none {
		z.head = n.next
	} else {
		c.nodes[n.prev].next = n.next
	}
	if n.next == none {
		z.tail = n.prev
	} else {
		c.nodes[n.next].prev = n.prev
	}
	n.prev, n.next, n.queued, n.held = none, none, false, false
	z.waiting--
}

// forget takes a node out of the queue, as if it had never been in it.
func (c *Controller) forget(id int32) {
	c.leave(id)
	c.nodes[id].member = false
}

// pass lets the zones that have a token give it to the node whose turn it is (rule C2). No
// node joins a queue during a pass.
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

// serve puts the NoExecute taint on a node, if it still has to have it. Its token is gone
// either way.
func (c *Controller) serve(id int32) {
	n := &c.nodes[id]
	if n.gone {
		c.release(id)
		return
	}
	c.leave(id)
	if wanted, opposite := n.Conditions.evicting(); wanted != 0 {
		c.emit(n, TurnCame, wanted, n.Taints&opposite)
	} else {
		n.member = false // queued again when it has to have a taint again
	}
}

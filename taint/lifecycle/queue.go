package lifecycle

// The nodes of a zone that wait for their NoExecute taint stand in a queue,
// linked through their slots, so that one can leave it at any place.

// link is the place of a node in the queue of its zone.
type link struct {
	prev, next int32 // slots; none at the ends
	queued     bool
	// member is set from when the node is queued until it is ready again: it
	// is not queued a second time while it has its taint.
	member bool
}

const none int32 = -1

// queue is the ends of the queue of a zone.
type queue struct {
	head, tail int32
	waiting    int
}

// enqueue puts a node at the end of the queue of its zone.
func (c *Controller) enqueue(id int32) {
	n := &c.nodes[id]
	z := &c.zones[n.zone]
	n.link = link{prev: z.tail, next: none, queued: true, member: true}
	if z.tail == none {
		z.head = id
	} else {
		c.nodes[z.tail].next = id
	}
	z.tail = id
	if z.waiting++; c.turns.waiting(n.zone) == never {
		c.schedule(n.zone, c.now)
	}
}

// leave takes a node out of the queue of its zone if it is in it. It remains a
// member.
func (c *Controller) leave(id int32) {
	n := &c.nodes[id]
	if !n.queued {
		return
	}
	z := &c.zones[n.zone]
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
	n.prev, n.next, n.queued = none, none, false
	z.waiting--
}

// forget takes a node out of the queue, as if it had never been in it.
func (c *Controller) forget(id int32) {
	c.leave(id)
	c.nodes[id].member = false
}

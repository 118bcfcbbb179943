package lifecycle

import "time"

// Node is what a [Controller] has to know about a node. The zero Node is one
// without zone, conditions and taints. A Node is a plain value.
type Node struct {
	// Zone is the name of the zone, such as [ZoneKey] gives; nodes without one
	// are a zone together.
	Zone string
	// Excluded keeps the node from being counted for the state of its zone; see
	// [LabelExcludeDisruption].
	Excluded bool
	// Unschedulable is set on a node that is cordoned.
	Unschedulable bool
	// Conditions is the conditions in the status.
	Conditions Conditions
	// Heartbeat is the lastHeartbeatTime of the Ready condition. A look that
	// finds another one than the last look counts as a heartbeat; whether it is
	// earlier or later does not matter, and it is not compared with the clock.
	Heartbeat time.Time
	// Created is the creationTimestamp. The startup grace period of a node
	// without a Ready condition begins then.
	Created time.Time
	// Taints is those of the node's taints that the controller manages; see
	// [Of].
	Taints TaintSet
}

// node is a slot of a Controller.
type node struct {
	Node
	name string
	zone int32
	// used is false for a free slot. gone is set when the node was deleted
	// while it was queued: the slot stays until the node's turn, which costs
	// the zone a token then.
	used, gone bool
	dirty      bool    // in Controller.dirty
	registered bool    // some look saw it
	lost       bool    // found by the look that is going on
	skipped    bool    // likewise: its lease could not be verified
	unverified instant // the heartbeat, as in probe, after which that was said last
	steady     bool    // a heartbeat comes before every look
	pulse      bool    // one came since the last look
	swapped    instant // the look that gave it another NoExecute taint for the one it had
	deadline   int32   // the place in Controller.deadlines plus one
	link
	lease
	health
}

// lease is the lease of a node as it is.
type lease struct {
	leased bool
	Lease
}

// health is what the last look that observed a node saw of it.
type health struct {
	seen         bool      // there was one
	sawReady     bool      // there was a Ready condition
	sawHeartbeat time.Time // and its lastHeartbeatTime
	sawLease     bool      // a lease counted as a heartbeat
	counted      Lease     // and what it was then
	probe        instant   // when a heartbeat was last seen
}

// Node returns the node of that name as the controller takes it to be, with
// what it decided itself carried out, and whether there is one.
func (c *Controller) Node(name string) (n Node, known bool) {
	id, found := c.names[name]
	if !found || c.nodes[id].gone {
		return Node{}, false
	}
	return c.nodes[id].Node, true
}

// Len returns the number of nodes.
func (c *Controller) Len() int { return c.live }

// take returns the slot of the node of that name, a new one if there is none.
func (c *Controller) take(name string) int32 {
	id, found := c.names[name]
	if found && c.nodes[id].gone {
		c.release(id)
		found = false
	}
	if found {
		return id
	}
	if last := len(c.free) - 1; last >= 0 {
		id, c.free = c.free[last], c.free[:last]
	} else {
		id = int32(len(c.nodes))
		c.nodes = append(c.nodes, node{})
	}
	// A slot that is still among the dirty ones stays there.
	c.nodes[id] = node{name: name, used: true, zone: none, swapped: -1, unverified: never, dirty: c.nodes[id].dirty, link: link{prev: none, next: none}}
	c.names[name] = id
	c.live++
	return id
}

// release frees a slot. The node must not be counted any more.
func (c *Controller) release(id int32) {
	n := &c.nodes[id]
	c.leave(id)
	c.deadlines.set(id, never)
	delete(c.names, n.name)
	*n = node{dirty: n.dirty}
	c.free = append(c.free, id)
}

// touch makes the next look look at a node.
func (c *Controller) touch(id int32) {
	if n := &c.nodes[id]; !n.dirty {
		n.dirty = true
		c.dirty = append(c.dirty, id)
	}
}

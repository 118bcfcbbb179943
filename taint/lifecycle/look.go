package lifecycle

import (
	"slices"
	"strings"
)

// look is one look at all nodes: at those about which something was told since
// the last one, and those whose grace period is over. There is nothing to see
// at the others.
func (c *Controller) look(at instant) {
	for c.deadlines.first() <= at {
		c.touch(c.deadlines.take())
	}
	c.batch, c.dirty = c.dirty, c.batch[:0]
	c.todo = c.todo[:0]
	for _, id := range c.batch {
		n := &c.nodes[id]
		if n.dirty = false; !n.used || n.gone {
			continue
		}
		if lost := c.observe(id, at); lost || n.unsettled() {
			n.lost = lost
			c.todo = append(c.todo, id)
			continue
		}
		c.await(id)
	}
	for _, id := range c.nodesByName(c.todo) {
		c.judge(id)
		c.await(id)
	}
	c.disrupt()
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
	case !n.seen:
		return true
	case n.Conditions.Ready == True:
		return n.Taints&Evicting != 0 || n.member
	case wanted == 0:
		return false
	default:
		return n.Taints&opposite != 0 || !n.member || n.Taints&wanted == 0 && !n.queued
	}
}

// judge brings the taints of a node in line with what the look saw (rule C2).
// What it takes off a node that is new is still there for the rest of the look,
// which works on the node as it was.
func (c *Controller) judge(id int32) {
	n := &c.nodes[id]
	if n.lost {
		n.lost = false
		c.lose(n)
	}
	had := n.Taints & Evicting
	if !n.seen {
		n.seen = true
		c.takeOff(id, Registered)
	}
	switch wanted, opposite := n.Conditions.evicting(); {
	case n.Conditions.Ready == True:
		c.takeOff(id, Recovered)
	case wanted == 0:
	case had&opposite != 0:
		if had&wanted == 0 {
			n.swapped = c.now
		}
		c.emit(n, Swapped, wanted, n.Taints&opposite)
	case !n.member || had&wanted == 0 && !n.queued:
		c.enqueue(id)
	}
	if n.unsettled() {
		c.touch(id) // swapped before it was ever queued: the next look queues it
	}
}

// takeOff takes the NoExecute taints off a node and the node out of the queue.
func (c *Controller) takeOff(id int32, reason Reason) {
	c.forget(id)
	if n := &c.nodes[id]; n.Taints&Evicting != 0 {
		c.emit(n, reason, 0, n.Taints&Evicting)
	}
}

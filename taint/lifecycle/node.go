package lifecycle

import "time"

// Node is what a [Controller] has to know about a node. The zero Node is one without zone,
// conditions and taints.
type Node struct {
	// Zone is the name of the zone, such as [ZoneKey] gives; nodes without one
	// are a zone together.
	Zone string
	// Excluded keeps the node from being counted for the state of its zone. Kubernetes
	// does so for nodes with [LabelExcludeDisruption], whatever its value.
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

// Labels of nodes that the node controller looks at.
const (
	LabelExcludeDisruption = "node.kubernetes.io/exclude-disruption" // see [Node]

	labelZone       = "topology.kubernetes.io/zone"
	labelRegion     = "topology.kubernetes.io/region"
	labelZoneBeta   = "failure-domain.beta.kubernetes.io/zone"
	labelRegionBeta = "failure-domain.beta.kubernetes.io/region"
)

// ZoneKey returns the name by which Kubernetes tells the zone of a node with the given
// labels from others: the region and the zone with ":\x00:" between, and "" for a node that
// has neither. The beta labels go before the others if they are there, even if they are
// empty.
func ZoneKey(labels map[string]string) string {
	region, zone := either(labels, labelRegionBeta, labelRegion), either(labels, labelZoneBeta, labelZone)
	if region == "" && zone == "" {
		return ""
	}
	return region + ":\x00:" + zone
}

func either(labels map[string]string, first, second string) string {
	if value, ok := labels[first]; ok {
		return value
	}
	return labels[second]
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
	lease lease
	health
}

// lease is the lease of a node, as it is or was.
type lease struct {
	leased  bool      // there is one
	renewed time.Time // its renewTime, zero if there is none
	version string    // its resourceVersion
}

// before reports whether next was renewed after l. In Kubernetes no renewTime is neither
// before nor after any other.
func (l *lease) before(next *lease) bool {
	return !l.renewed.IsZero() && l.renewed.Before(next.renewed)
}

// health is what the last look that observed a node saw of it.
type health struct {
	seen         bool      // there was one
	sawReady     bool      // there was a Ready condition
	sawHeartbeat time.Time // and its lastHeartbeatTime
	counted      lease     // the lease that counted as a heartbeat, if one did
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

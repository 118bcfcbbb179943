package lifecycle

import (
	"iter"
	"slices"
	"strings"
)

// Zone is a zone as a [Controller] sees it.
type Zone struct {
	Name  string
	State State
	// Ready and NotReady are the numbers of nodes that count for the state:
	// all but those that are excluded.
	Ready, NotReady int
	// Waiting is the number of nodes that wait for their NoExecute taint.
	Waiting int
	// Rate is how many of them get it in a second: zero when all has stopped.
	// After a stop Kubernetes takes up a rate of exactly 1 no more, because its
	// limiter that lets nothing through says of itself that its rate is 1.
	Rate float32
}

// zone is a slot of a Controller.
type zone struct {
	name            string
	used            bool
	state           State
	coming          State   // what the look that is going on makes of it
	comingRate      float32 // and of its rate
	nodes           int     // all, the excluded ones too
	ready, notReady int     // those that count
	turn            int32   // the place in Controller.turns plus one
	limiter
	queue
}

func (z *zone) counted() int { return z.ready + z.notReady }

// Zones iterates over the zones that have nodes, in the order of their names.
func (c *Controller) Zones() iter.Seq[Zone] {
	return func(yield func(Zone) bool) {
		var ids []int32
		for id := range c.zones {
			if c.zones[id].nodes > 0 {
				ids = append(ids, int32(id))
			}
		}
		for _, id := range c.zonesByName(ids) {
			z := &c.zones[id]
			rate := max(0, z.rate) // a closed limiter has none
			if !yield(Zone{z.name, z.state, z.ready, z.notReady, z.waiting, rate}) {
				return
			}
		}
	}
}

// zonesByName sorts slots of zones by name.
func (c *Controller) zonesByName(ids []int32) []int32 {
	slices.SortFunc(ids, func(a, b int32) int { return strings.Compare(c.zones[a].name, c.zones[b].name) })
	return ids
}

// zoneOf returns the slot of the zone of that name, a new one if there is none.
func (c *Controller) zoneOf(name string) int32 {
	if id, found := c.zoneNames[name]; found {
		return id
	}
	var id int32
	if last := len(c.freeZones) - 1; last >= 0 {
		id, c.freeZones = c.freeZones[last], c.freeZones[:last]
	} else {
		id = int32(len(c.zones))
		c.zones = append(c.zones, zone{})
	}
	c.zones[id] = zone{name: name, used: true, limiter: newLimiter(c.config.Rate, c.now), queue: queue{head: none, tail: none, held: none}}
	c.zoneNames[name] = id
	return id
}

// dropZone frees the slot of a zone without nodes. Those that were deleted and
// still wait for their turn go with it.
func (c *Controller) dropZone(id int32) {
	z := &c.zones[id]
	for z.head != none {
		c.release(z.head)
	}
	c.turns.set(id, never)
	delete(c.zoneNames, z.name)
	*z = zone{}
	c.freeZones = append(c.freeZones, id)
}

// count adds a node to its zone, or takes it out of it with -1.
func (c *Controller) count(n *node, by int) {
	z := &c.zones[n.zone]
	z.nodes += by
	switch {
	case n.Excluded:
	case n.Conditions.Ready == True:
		z.ready += by
	default:
		z.notReady += by
	}
	c.recount = true
}

// schedule makes the zone wait for its next token, at a pass not before from.
func (c *Controller) schedule(id int32, from instant) {
	z, at := &c.zones[id], never
	if z.head != none {
		at = z.next(from)
	}
	c.turns.set(id, at)
}

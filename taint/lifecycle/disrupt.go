package lifecycle

// disrupt gives the zones the states and rates that follow from what the look
// saw (rules C4, C5).
func (c *Controller) disrupt() {
	if !c.recount && len(c.skipped) == 0 {
		return
	}
	c.recount = false
	c.omit(-1)
	defer c.omit(1)
	allAre, allWere := c.compare()
	switch {
	case len(c.counted) == 0 && len(c.skipped) > 0:
		c.lapse()
	case allAre && allWere: // also if no node counts
	case allAre:
		c.stop()
	case allWere:
		c.resume()
	default:
		for _, id := range c.counted {
			if z := &c.zones[id]; z.state != z.coming {
				c.change(id, z.coming, z.comingRate)
			}
		}
	}
}

// compare finds the state to come of every zone, and whether all zones come to
// be in full disruption, and were so before. Zones without nodes are dropped.
// Those of which no node counts have no say.
func (c *Controller) compare() (allAre, allWere bool) {
	c.ids = c.ids[:0]
	for id := range c.zones {
		switch z := &c.zones[id]; {
		case z.nodes > 0:
			c.ids = append(c.ids, int32(id))
		case z.used:
			c.dropZone(int32(id))
		}
	}
	c.counted = c.counted[:0]
	allAre, allWere = true, true
	for _, id := range c.zonesByName(c.ids) {
		z := &c.zones[id]
		if z.counted() == 0 {
			c.restart(id)
			continue
		}
		c.counted = append(c.counted, id)
		z.coming, z.comingRate = c.config.State(z.ready, z.notReady)
		allAre = allAre && z.coming == FullDisruption
		allWere = allWere && z.state == FullDisruption
	}
	return allAre, allWere
}

// change gives a zone its new state and rate.
func (c *Controller) change(id int32, s State, rate float32) {
	z := &c.zones[id]
	z.swap(rate, c.now)
	c.enter(id, s)
}

// restart makes a zone of which no node counts any more like a new one, except
// that its limiter stays if that is because nodes were skipped.
func (c *Controller) restart(id int32) {
	if z := &c.zones[id]; z.state != Initial {
		if len(c.skipped) == 0 {
			z.limiter = newLimiter(c.config.Rate, c.now)
		}
		c.enter(id, Initial)
	}
}

// enter notes the new state of a zone whose limiter has been seen to.
func (c *Controller) enter(id int32, s State) {
	z := &c.zones[id]
	c.schedule(id, c.now)
	if z.state != s {
		z.state = s
		c.out = append(c.out, Action{At: c.time(c.now), Reason: StateChanged, Zone: z.name, State: s})
	}
}

// stop begins what Kubernetes calls master disruption mode: the fault is more
// likely to be with the control plane than with all nodes. The NoExecute taints
// come off and no node gets one (rule C5). Kubernetes takes off those that the
// nodes had when the look began, so that one that this look put there by a swap
// remains.
func (c *Controller) stop() {
	c.out = append(c.out, Action{At: c.time(c.now), Reason: Stopped})
	for _, id := range c.counted {
		c.change(id, FullDisruption, 0)
	}
	c.todo = c.todo[:0]
	for id := range c.nodes {
		if n := &c.nodes[id]; n.used && !n.gone {
			c.todo = append(c.todo, int32(id))
		}
	}
	for _, id := range c.nodesByName(c.todo) {
		if c.nodes[id].swapped == c.now {
			c.forget(id)
		} else {
			c.takeOff(id, TakenOff)
		}
		if c.nodes[id].unsettled() {
			c.touch(id) // the next look queues it again
		}
	}
}

// resume ends it: every node has a new grace period, and every zone its rate
// (rule C5).
func (c *Controller) resume() {
	c.out = append(c.out, Action{At: c.time(c.now), Reason: Resumed})
	for id := range c.nodes {
		c.nodes[id].probe = c.now // the deadline, which is earlier, moves when it is over
	}
	for _, id := range c.counted {
		c.change(id, c.zones[id].coming, c.zones[id].comingRate)
	}
}

package lifecycle

import (
	"strings"
	"time"
)

// Check is a question about the live lease of a node, and the answer. The zero answer is
// that the look-up failed.
type Check struct {
	Node     string // whose lease to look up; read only
	Answered bool   // the look-up did not fail, or only because there is no lease
	Version  string // the resourceVersion of the live lease, empty if there is none
}

// SetLease says that the informer has a lease of a node now, with that renewTime, zero if
// it has none, and that resourceVersion, which may be empty without [Config.Verify]. The
// next look takes it for a heartbeat if its renewTime is later than that of the lease that
// counted last; a clock that goes back is no heartbeat. A lease by itself does not make a
// node Ready again whose conditions turned Unknown: that takes a report of the kubelet. A
// node that is not known is ignored, but the version counts as in [Controller.Synced].
func (c *Controller) SetLease(dst []Action, now time.Time, name string, renewed time.Time, version string) []Action {
	c.begin(dst, now)
	c.told(name, lease{true, renewed, version}, version)
	return c.end()
}

// DeleteLease says that the informer has no lease of a node anymore; version is the
// resourceVersion of the deletion. Heartbeats that counted still count. A node that is not
// known is ignored, but the version counts.
func (c *Controller) DeleteLease(dst []Action, now time.Time, name, version string) []Action {
	c.begin(dst, now)
	c.told(name, lease{}, version)
	return c.end()
}

func (c *Controller) told(name string, l lease, version string) {
	if version != "" {
		c.synced = version
	}
	if id, found := c.names[name]; found { // for one that is gone it does not count
		c.nodes[id].lease = l
		c.touch(id)
	}
}

// Synced says how far the informer of leases has come: the resourceVersion of
// its list, of a bookmark, or of an event about some other lease. It matters
// only with [Config.Verify]. As long as the controller knows no version, the
// informer never counts as behind.
func (c *Controller) Synced(dst []Action, now time.Time, version string) []Action {
	c.begin(dst, now)
	c.synced = version
	return c.end()
}

// verify asks about the nodes whose grace period is over, and skips those of
// which it cannot be sure (rule C6). When the informer turns out to be behind,
// all nodes that are still to be asked about are skipped. Kubernetes looks at
// the nodes in the order of a map, several at a time, and skips those that come
// later; here the others come first.
func (c *Controller) verify() {
	c.skipped, c.checks = c.skipped[:0], c.checks[:0]
	if len(c.expired) == 0 {
		return
	}
	for _, id := range c.nodesByName(c.expired) {
		c.checks = append(c.checks, Check{Node: c.nodes[id].name})
	}
	c.config.Verify(c.checks)
	for i, id := range c.expired {
		if c.confirms(&c.nodes[id], &c.checks[i]) {
			c.expire(id)
			continue
		}
		c.nodes[id].skipped = true
		c.skipped = append(c.skipped, id)
		c.settle(id)
	}
}

// confirms reports whether the live lease says what the controller knows.
func (c *Controller) confirms(n *node, live *Check) bool {
	if c.behind() || !live.Answered {
		return false
	}
	if live.Version == "" || live.Version == n.counted.version {
		return true
	}
	c.awaited = live.Version
	if c.behind() {
		c.lagging = true
		c.out = append(c.out, Action{At: c.time(c.now), Reason: Behind})
	}
	return false
}

// behind reports whether the informer has not come as far as the version that a
// look-up found. Versions that are no numbers cannot be compared.
func (c *Controller) behind() bool {
	if isVersion(c.awaited) && isVersion(c.synced) && newer(c.awaited, c.synced) {
		return true
	}
	c.awaited = ""
	return false
}

func (c *Controller) caughtUp() {
	c.idled = false
	if c.lagging {
		c.lagging = false
		c.out = append(c.out, Action{At: c.time(c.now), Reason: CaughtUp})
	}
}

// isVersion reports whether a resourceVersion is one that Kubernetes compares: a
// positive number without leading zeros.
func isVersion(s string) bool {
	if s == "" || s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// newer compares two versions.
func newer(a, b string) bool {
	return len(a) > len(b) || len(a) == len(b) && a > b
}

// idle is a look while the informer is behind: it registers new nodes and leaves
// the rest for later. No node counts for its zone.
func (c *Controller) idle() {
	c.ids = append(c.ids[:0], c.dirty...)
	for _, id := range c.nodesByName(c.ids) {
		c.register(id) // a slot that is free has no taints
	}
	c.recount = true
	if !c.idled {
		c.idled = true
		c.lapse()
	}
}

// omit takes the nodes that this look skips out of the count of their zones, or
// adds them again.
func (c *Controller) omit(by int) {
	for _, id := range c.skipped {
		n := &c.nodes[id]
		nodes := c.zones[n.zone].nodes
		c.count(n, by)
		c.zones[n.zone].nodes = nodes
		n.skipped = false
	}
}

// lapse makes Kubernetes forget the states of all zones after a look that
// skipped all nodes. At the next look every zone starts anew, with an empty
// queue and a full limiter; nodes that still have to wait join again.
func (c *Controller) lapse() {
	c.lapsed = true
	c.ids = c.ids[:0]
	for id := range c.zones {
		if c.zones[id].used {
			c.ids = append(c.ids, int32(id))
		}
	}
	for _, id := range c.zonesByName(c.ids) {
		c.enter(id, Initial)
	}
}

// renewZones is what the look after that does.
func (c *Controller) renewZones() {
	if !c.lapsed {
		return
	}
	c.lapsed = false
	for id := range c.nodes {
		switch n := &c.nodes[id]; {
		case !n.used:
		case n.gone:
			c.release(int32(id))
		default:
			c.forget(int32(id))
			if n.unsettled() {
				c.touch(int32(id))
			}
		}
	}
	for id := range c.zones {
		if z := &c.zones[id]; z.used {
			z.limiter = newLimiter(c.config.Rate, c.now)
		}
	}
}

package lifecycle

import "time"

// passPeriod is the time from one pass over the zones' queues to the next. It
// is a constant of Kubernetes.
const passPeriod = 100 * time.Millisecond

// Controller makes the decisions of Kubernetes' node life-cycle controller
// about the taints of a fleet, from events that it is told and from the time
// that passes between them.
//
// Controllers come from [New]; the zero Controller is not valid. A Controller
// must not be copied, and only one goroutine at a time may use it. It retains
// the names of nodes and zones for as long as there are nodes of that name and
// zone, a deleted one that is queued included, the latest version of a lease,
// and its buffers forever.
//
// Every method that takes now lets time pass until then: it appends to dst what
// was due before, in the order of time, then acts on the event, and returns the
// extended slice. At one instant the order is: a look at the nodes, the states
// of the zones, a pass; within each, the order of the names. What is due at now
// itself is left to [Controller.Advance], so that a look at that instant sees all
// events of the instant. Time never goes back: an earlier now counts as the
// latest one. The controller assumes that its decisions are carried out at once;
// a caller who could not do so reports with [Controller.Set] what the node is
// like.
//
// An event takes constant time, apart from what is due before it. A look takes
// time proportional to the nodes with events since the last one, and logarithmic
// in the number of nodes for each whose grace period moves or that waits for a
// taint; if a node became ready or ceased to be, also proportional to the number
// of zones. With [Config.Verify] a look also visits each node whose grace period
// is over; the looks of one call that would only repeat this are left out, so that
// a far now costs no more than a near one. Only a stop of all zones, its end, and a
// look that skips all nodes go through all nodes. In the steady state nothing is
// allocated but dst.
type Controller struct {
	config Config
	start  time.Time
	now    instant // the latest of all calls
	closed instant // all that was due until then is done

	nodes []node
	free  []int32
	names map[string]int32
	live  int // how many nodes there are, without those that are gone

	zones     []zone
	freeZones []int32
	zoneNames map[string]int32
	recount   bool // whether the number of some zone changed since the last look

	deadlines timers  // of nodes: the look at which the grace period is over
	turns     timers  // of zones: the pass at which there is a token
	dirty     []int32 // the nodes that the next look looks at

	synced  string // how far the informer of leases has come
	awaited string // the version of a live lease that it has to reach; empty if there is none
	lagging bool   // from Behind until CaughtUp
	idled   bool   // whether the last look skipped all nodes
	lapsed  bool   // whether the next look makes the zones anew

	out                              []Action // where actions go during a call
	batch, todo, ids, counted, zoned []int32  // buffers
	expired, skipped                 []int32
	checks                           []Check
}

// New returns a controller without nodes. It looks at the nodes at start and
// then at every multiple of the monitor period after it. The error is a
// [*taint.FieldErrors] that names the settings at fault.
func New(config Config, start time.Time) (*Controller, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	c := &Controller{config: config, start: start, closed: -1, names: make(map[string]int32), zoneNames: make(map[string]int32)}
	c.deadlines.place = func(id int32) *int32 { return &c.nodes[id].deadline }
	c.turns.place = func(id int32) *int32 { return &c.zones[id].turn }
	return c, nil
}

// Set says what the node of that name is like now. It adds a node that is not
// known. It appends the change of the NoSchedule taints that follows
// at once (rule C1). The NoExecute taints follow at the next look.
func (c *Controller) Set(dst []Action, now time.Time, name string, n Node) []Action {
	c.begin(dst, now)
	id := c.take(name)
	c.update(id, n)
	return c.end()
}

// Post says that the kubelet of a node reports these conditions now, which is a
// heartbeat. It is [Controller.Set] with other conditions and a Heartbeat of
// now. It ignores a node that is not known.
func (c *Controller) Post(dst []Action, now time.Time, name string, conditions Conditions) []Action {
	c.begin(dst, now)
	if id, found := c.names[name]; found && !c.nodes[id].gone {
		n := c.nodes[id].Node
		n.Conditions, n.Heartbeat = conditions, c.time(c.now)
		c.update(id, n)
	}
	return c.end()
}

// Adopt is [Controller.Set] for a node that was there before the controller: its NoExecute
// taints stay, where Set counts it as new and takes them off at the next look
// ([Registered]). If the node has the one that its conditions want, it does not wait for it
// again. Its heartbeat counts from the next look. For a node that is known Adopt is Set.
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

// KeepAlive says that a heartbeat of a node comes now and, if on is true, before every look
// from then on, until KeepAlive says otherwise: the last one comes with the call that ends
// it. So a simulation leaves out the heartbeats in which nothing is the matter; a look takes
// no time for them. They count beside those of its lease and of its Ready condition. Like
// leases they do not make a node Ready again whose conditions turned Unknown. A node that is
// not known is ignored; one that is deleted ceases to be kept alive.
func (c *Controller) KeepAlive(dst []Action, now time.Time, name string, on bool) []Action {
	c.begin(dst, now)
	if id, found := c.names[name]; found { // for one that is gone it does not count
		c.nodes[id].steady, c.nodes[id].pulse = on, true
		c.touch(id)
	}
	return c.end()
}

// Delete says that a node is gone. If it waited for a NoExecute taint, its turn
// still costs the zone a token, as in Kubernetes. A node that is not known is
// ignored. A node of that name that is set later is a new one.
func (c *Controller) Delete(dst []Action, now time.Time, name string) []Action {
	c.begin(dst, now)
	if id, found := c.names[name]; found && !c.nodes[id].gone {
		n := &c.nodes[id]
		c.count(n, -1)
		c.live--
		if n.gone = n.queued; n.gone {
			c.touch(id)
		} else {
			c.release(id)
		}
	}
	return c.end()
}

// Advance lets time pass until now and appends all that is due until then, now
// included.
func (c *Controller) Advance(dst []Action, now time.Time) []Action {
	c.begin(dst, now)
	c.run(c.now)
	return c.end()
}

// Next returns the earliest time at which [Controller.Advance] may have something
// to decide, if no event comes before, and false if it never will. At that time
// there may turn out to be nothing to decide.
func (c *Controller) Next() (at time.Time, ok bool) {
	due := c.due()
	if due == never {
		return time.Time{}, false
	}
	return c.time(due), true
}

// begin takes dst for the actions of a call and does what is due before now.
func (c *Controller) begin(dst []Action, now time.Time) {
	c.out = dst
	until := min(max(c.now, c.since(now)), never-1)
	c.run(until - 1)
	c.now = until
}

func (c *Controller) end() []Action {
	out := c.out
	c.out = nil
	return out
}

// since returns the instant of a time.
func (c *Controller) since(t time.Time) instant {
	return int64(t.Sub(c.start))
}

// time returns the time of an instant.
func (c *Controller) time(at instant) time.Time {
	return c.start.Add(time.Duration(at))
}

// run does what is due until the given instant. A look leaves at most one half of a
// change to the next. So after two looks in a row for which no time was over, and which
// decided nothing, all looks are the same until the time of something is over.
func (c *Controller) run(until instant) {
	for quiet, at := 0, c.due(); at <= until; {
		decided, timed := len(c.out), at == c.timed()
		c.now, c.closed = at, at
		if at%int64(c.config.MonitorPeriod) == 0 {
			c.look(at)
		}
		c.pass(at)
		if quiet++; timed || len(c.out) > decided {
			quiet = 0
		}
		if at = c.due(); quiet == 2 {
			quiet, at = 0, c.timed()
		}
	}
	c.closed = max(c.closed, until)
}

// timed returns when the time of a node or zone is over.
func (c *Controller) timed() instant { return min(c.deadlines.first(), c.turns.first()) }

// due returns when there is something to do.
func (c *Controller) due() instant {
	at := c.timed()
	if len(c.dirty) > 0 || c.recount {
		at = min(at, firstMultiple(c.config.MonitorPeriod, c.closed+1))
	}
	return at
}

// update gives the node of a slot its new contents.
func (c *Controller) update(id int32, to Node) {
	n, zone := &c.nodes[id], c.zoneOf(to.Zone)
	to.Taints &= managed
	if zone != n.zone || to.Excluded != n.Excluded || (to.Conditions.Ready == True) != (n.Conditions.Ready == True) {
		if n.zone != none {
			c.count(n, -1)
		}
		if n.zone != zone {
			c.forget(id)
			n.zone = zone
		}
		n.Node = to
		c.count(n, 1)
	}
	n.Node = to
	c.touch(id)
	c.reconcile(n, ConditionsChanged)
}

// reconcile brings the NoSchedule taints of a node in line with its conditions
// (rule C1). A lost heartbeat always adds the taint of a node that is unreachable.
func (c *Controller) reconcile(n *node, reason Reason) {
	add, remove := difference(n.Taints, n.Conditions.Taints(n.Unschedulable))
	if add|remove != 0 {
		c.emit(n, reason, add, remove)
	}
}

// emit appends an action about a node and takes it to be carried out.
func (c *Controller) emit(n *node, reason Reason, add, remove TaintSet) {
	n.Taints = n.Taints&^remove | add
	c.out = append(c.out, Action{
		At: c.time(c.now), Reason: reason, Node: n.name, Zone: n.Zone, Add: add, Remove: remove, Conditions: n.Conditions,
	})
}

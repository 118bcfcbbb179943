package lifecycle_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// naive is a controller that looks at every node at every look, and at every
// queue at every pass, whether or not there is something to see. It is what
// Controller has to be equal to, and shares nothing with it but the types: no
// deadlines, no dirty nodes, no counts, no links, one decision after the other.
type naive struct {
	config lifecycle.Config
	start  time.Time
	done   time.Time // all that was due until then is done
	now    time.Time
	nodes  map[string]*naiveNode
	zones  map[string]*naiveZone
	out    []lifecycle.Action

	synced, awaited uint64 // versions of leases
	lagging, anew   bool
	idle            bool
}

type naiveNode struct {
	lifecycle.Node
	latest     *naiveLease // as it was told
	registered bool
	observed   bool
	probe      time.Time
	ready      bool        // what was seen of the Ready condition,
	beat       time.Time   // of its heartbeat
	lease      *naiveLease // and of the lease
	member     bool
	before     lifecycle.TaintSet // the taints when the look began
	skipped    bool
	unverified *time.Time // the heartbeat after which that was said last
	steady     bool       // a heartbeat at every look
	pulse      bool       // one at the next
}

// naiveLease is a lease with its renewTime and resourceVersion.
type naiveLease struct {
	renewed time.Time
	version string
}

// naivePlace is a place in the queue of a zone.
type naivePlace struct {
	name  string // a node that was deleted has "gone " in front
	since time.Time
	held  bool // the last look did not give it a new place
}

type naiveZone struct {
	state  lifecycle.State
	queue  []naivePlace
	rate   float32
	closed bool
	full   bool // has its first token
	taken  time.Time
}

func newNaive(config lifecycle.Config, start time.Time) *naive {
	return &naive{config: config, start: start, now: start, done: start.Add(-1), nodes: map[string]*naiveNode{}, zones: map[string]*naiveZone{}}
}

// begin and finish are a call with the time now.
func (m *naive) begin(now time.Time) {
	m.out = nil
	if now.After(m.now) {
		m.now = now
	}
	m.runUntil(m.now.Add(-1))
}

func (m *naive) advance(now time.Time) {
	m.begin(now)
	m.runUntil(m.now)
}

// runUntil goes from one multiple of either period to the next.
func (m *naive) runUntil(end time.Time) {
	for {
		since := m.done.Add(1).Sub(m.start)
		look, pass := roundUp(since, m.config.MonitorPeriod), roundUp(since, 100*time.Millisecond)
		at := m.start.Add(min(look, pass))
		if at.After(end) {
			break
		}
		m.done = at
		if look <= pass {
			m.look(at)
		}
		if pass <= look {
			m.pass(at)
		}
	}
	if end.After(m.done) {
		m.done = end
	}
}

func roundUp(d, period time.Duration) time.Duration {
	return (d + period - 1) / period * period
}

func (m *naive) set(now time.Time, name string, n lifecycle.Node) {
	m.begin(now)
	m.update(name, n)
}

func (m *naive) update(name string, n lifecycle.Node) {
	old := m.nodes[name]
	if old == nil {
		old = &naiveNode{}
		m.nodes[name] = old
		for _, z := range m.zones { // a deleted one of that name is forgotten
			z.remove("gone " + name)
		}
	} else if old.Zone != n.Zone {
		m.forget(name)
	}
	if m.zones[n.Zone] == nil {
		m.zones[n.Zone] = &naiveZone{rate: m.config.Rate, full: true}
	}
	n.Taints &= lifecycle.Managed
	old.Node = n
	m.noSchedule(m.now, name, lifecycle.ConditionsChanged)
}

func (m *naive) post(now time.Time, name string, conditions lifecycle.Conditions) {
	m.begin(now)
	if n := m.nodes[name]; n != nil {
		to := n.Node
		to.Conditions, to.Heartbeat = conditions, m.now
		m.update(name, to)
	}
}

func (m *naive) renew(now time.Time, name string, l naiveLease) {
	m.begin(now)
	if l.version != "" {
		m.synced = versionOf(l.version)
	}
	if n := m.nodes[name]; n != nil {
		n.latest = &l
	}
}

// adopt adds a node as a controller knows it that saw all of its life.
func (m *naive) adopt(now time.Time, name string, n lifecycle.Node) {
	m.begin(now)
	_, known := m.nodes[name]
	m.update(name, n)
	if to := m.nodes[name]; !known {
		to.registered = true
		to.member = to.Conditions.Ready == lifecycle.False && to.Taints&lifecycle.NotReadyNoExecute != 0 ||
			to.Conditions.Ready == lifecycle.Unknown && to.Taints&lifecycle.UnreachableNoExecute != 0
	}
}

// keepAlive is a heartbeat now and at every look.
func (m *naive) keepAlive(now time.Time, name string, on bool) {
	m.begin(now)
	if n := m.nodes[name]; n != nil {
		n.steady, n.pulse = on, true
	}
}

func (m *naive) dropLease(now time.Time, name, version string) {
	m.sync(now, version)
	if n := m.nodes[name]; n != nil {
		n.latest = nil
	}
}

func (m *naive) sync(now time.Time, version string) {
	m.begin(now)
	m.synced = versionOf(version)
}

func (m *naive) delete(now time.Time, name string) {
	m.begin(now)
	if n := m.nodes[name]; n != nil {
		if p := m.zones[n.Zone].place(name); p != nil {
			p.name = "gone " + name
		}
		delete(m.nodes, name)
	}
}

func (m *naive) emit(at time.Time, name string, reason lifecycle.Reason, add, remove lifecycle.TaintSet) {
	n := m.nodes[name]
	n.Taints = n.Taints&^remove | add
	m.out = append(m.out, lifecycle.Action{At: at, Reason: reason, Node: name, Zone: n.Zone, Add: add, Remove: remove, Conditions: n.Conditions})
}

// noSchedule follows rule C1 with lists of taints.
func (m *naive) noSchedule(at time.Time, name string, reason lifecycle.Reason) {
	n := m.nodes[name]
	wanted := map[lifecycle.TaintSet]bool{
		lifecycle.NotReady:           n.Conditions.Ready == lifecycle.False,
		lifecycle.Unreachable:        n.Conditions.Ready == lifecycle.Unknown,
		lifecycle.MemoryPressure:     n.Conditions.MemoryPressure == lifecycle.True,
		lifecycle.DiskPressure:       n.Conditions.DiskPressure == lifecycle.True,
		lifecycle.PIDPressure:        n.Conditions.PIDPressure == lifecycle.True,
		lifecycle.NetworkUnavailable: n.Conditions.NetworkUnavailable == lifecycle.True,
		lifecycle.Unschedulable:      n.Unschedulable,
	}
	var add, remove lifecycle.TaintSet
	for t, want := range wanted {
		switch has := n.Taints&t != 0; {
		case want && !has:
			add |= t
		case has && !want:
			remove |= t
		}
	}
	if add != 0 || remove != 0 || reason == lifecycle.HeartbeatLost {
		m.emit(at, name, reason, add, remove)
	}
}

func (m *naive) look(at time.Time) {
	names := slices.Sorted(maps.Keys(m.nodes))
	if m.anew {
		m.anew = false
		for _, z := range m.zones {
			*z = naiveZone{rate: m.config.Rate, full: true}
		}
		for _, n := range m.nodes {
			n.member = false
		}
	}
	for _, name := range names {
		m.nodes[name].before = m.nodes[name].Taints
	}
	if m.behind() {
		for _, name := range names {
			m.register(at, name)
		}
		if !m.idle {
			m.forgetZones(at)
		}
		m.idle = true
		return
	}
	m.idle = false
	if m.lagging {
		m.lagging = false
		m.out = append(m.out, lifecycle.Action{At: at, Reason: lifecycle.CaughtUp})
	}
	expired := map[string]bool{}
	for _, name := range names {
		m.nodes[name].skipped = false
		expired[name] = m.health(at, name)
	}
	for _, name := range names {
		if expired[name] && m.config.Verify != nil && !m.verified(at, name) {
			m.nodes[name].skipped, expired[name] = true, false
		}
	}
	for _, name := range names {
		if expired[name] && m.lose(name) {
			m.noSchedule(at, name, lifecycle.HeartbeatLost)
		}
		m.register(at, name)
		if m.nodes[name].skipped {
			if n := m.nodes[name]; n.unverified == nil || !n.unverified.Equal(n.probe) {
				probe := n.probe
				n.unverified = &probe
				m.emit(at, name, lifecycle.Unverified, 0, 0)
			}
		} else {
			m.noExecute(at, name)
		}
	}
	for _, z := range m.zones {
		for i := range z.queue {
			z.queue[i].held = z.queue[i].held || z.queue[i].since.Before(at)
		}
	}
	m.disruption(at, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return m.nodes[name].skipped }), names)
}

// versionOf returns a resourceVersion as a number, and zero if it is none that can be compared.
func versionOf(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0
	}
	return n
}

func (m *naive) behind() bool {
	if m.awaited > m.synced && m.synced != 0 {
		return true
	}
	m.awaited = 0
	return false
}

// verified asks about one node.
func (m *naive) verified(at time.Time, name string) bool {
	if m.behind() {
		return false
	}
	question := []lifecycle.Check{{Node: name}}
	m.config.Verify(question)
	known := ""
	if lease := m.nodes[name].lease; lease != nil {
		known = lease.version
	}
	switch answer := question[0]; {
	case !answer.Answered:
		return false
	case answer.Version != "" && answer.Version != known:
		m.awaited = versionOf(answer.Version)
		if m.behind() && !m.lagging {
			m.lagging = true
			m.out = append(m.out, lifecycle.Action{At: at, Reason: lifecycle.Behind})
		}
		return false
	}
	return true
}

// forgetZones is what comes of a look at which no node counts, because of those
// that are skipped.
func (m *naive) forgetZones(at time.Time) {
	m.anew = true
	for _, zone := range slices.Sorted(maps.Keys(m.zones)) {
		m.enter(at, zone, lifecycle.Initial)
	}
}

// health follows the cases that the node life-cycle controller tells apart, and
// reports whether the grace period is over.
func (m *naive) health(at time.Time, name string) (expired bool) {
	n := m.nodes[name]
	ready := n.Conditions.Ready != lifecycle.Absent
	lease := n.lease
	if !n.observed && !ready {
		n.probe = n.Created
	} else if ready && (!n.observed || !n.ready || !n.beat.Equal(n.Heartbeat)) {
		n.probe, n.lease = at, nil
	}
	if n.latest != nil && (lease == nil || !lease.renewed.IsZero() && lease.renewed.Before(n.latest.renewed)) {
		n.probe, n.lease = at, n.latest
	}
	if n.steady || n.pulse {
		n.probe, n.pulse = at, false
	}
	n.observed, n.ready, n.beat = true, ready, n.Heartbeat
	grace := m.config.GracePeriod
	if !ready {
		grace = m.config.StartupGracePeriod
	}
	return at.After(n.probe.Add(grace))
}

// lose turns conditions Unknown unless they are.
func (m *naive) lose(name string) bool {
	n := m.nodes[name]
	switch n.Conditions.Ready {
	case lifecycle.Unknown:
		return false
	case lifecycle.Absent:
		n.Heartbeat = n.Created
	}
	network := n.Conditions.NetworkUnavailable
	n.Conditions = lifecycle.Conditions{Ready: lifecycle.Unknown, MemoryPressure: lifecycle.Unknown,
		DiskPressure: lifecycle.Unknown, PIDPressure: lifecycle.Unknown, NetworkUnavailable: network}
	n.ready, n.beat, n.lease = true, n.Heartbeat, n.latest
	return true
}

func (m *naive) register(at time.Time, name string) {
	if n := m.nodes[name]; !n.registered {
		n.registered = true
		m.reachable(at, name, lifecycle.Registered)
	}
}

func (m *naive) noExecute(at time.Time, name string) {
	n := m.nodes[name]
	before := n.before
	wanted, other := lifecycle.NotReadyNoExecute, lifecycle.UnreachableNoExecute
	switch n.Conditions.Ready {
	case lifecycle.Absent:
		return
	case lifecycle.True:
		m.reachable(at, name, lifecycle.Recovered)
		return
	case lifecycle.Unknown:
		wanted, other = other, wanted
	}
	z := m.zones[n.Zone]
	place := z.place(name)
	switch {
	case before&other != 0:
		m.emit(at, name, lifecycle.Swapped, wanted, n.Taints&other)
	case before&wanted == 0 && place != nil && !place.held:
		place.since = at // longer than others who have waited since
	case before&wanted == 0, !n.member:
		z.remove(name)
		z.queue = append(z.queue, naivePlace{name: name, since: at})
		n.member = true
	}
}

func (z *naiveZone) place(name string) *naivePlace {
	for i := range z.queue {
		if z.queue[i].name == name {
			return &z.queue[i]
		}
	}
	return nil
}

func (z *naiveZone) remove(name string) {
	z.queue = slices.DeleteFunc(z.queue, func(p naivePlace) bool { return p.name == name })
}

// first is whose turn it is: the oldest place; of equal ones that of those who
// keep theirs by name, and else of those who joined first.
func (z *naiveZone) first() string {
	first := z.queue[0]
	for _, p := range z.queue[1:] {
		if p.since.Before(first.since) || p.since.Equal(first.since) && p.held && first.held &&
			strings.TrimPrefix(p.name, "gone ") < strings.TrimPrefix(first.name, "gone ") {
			first = p
		}
	}
	return first.name
}

func (m *naive) forget(name string) {
	n := m.nodes[name]
	n.member = false
	m.zones[n.Zone].remove(name)
}

func (m *naive) reachable(at time.Time, name string, reason lifecycle.Reason) {
	m.forget(name)
	n := m.nodes[name]
	if both := n.Taints & n.before & lifecycle.Evicting; both != 0 {
		m.emit(at, name, reason, 0, both)
	}
}

// disruption counts all nodes anew, without those that this look skips.
func (m *naive) disruption(at time.Time, seen, names []string) {
	ready, notReady, all := map[string]int{}, map[string]int{}, map[string]int{}
	for _, name := range names {
		n := m.nodes[name]
		all[n.Zone]++
		if n.Excluded || !slices.Contains(seen, name) {
			continue
		}
		if n.Conditions.Ready == lifecycle.True {
			ready[n.Zone]++
		} else {
			notReady[n.Zone]++
		}
	}
	coming := map[string]lifecycle.State{}
	allAre, allWere := true, true
	for _, zone := range slices.Sorted(maps.Keys(m.zones)) {
		z := m.zones[zone]
		switch counted := ready[zone] + notReady[zone]; {
		case all[zone] == 0:
			delete(m.zones, zone)
			continue
		case counted == 0:
			if z.state != lifecycle.Initial {
				if len(seen) == len(names) {
					z.rate, z.closed, z.full = m.config.Rate, false, true
				}
				m.enter(at, zone, lifecycle.Initial)
			}
			continue
		case ready[zone] == 0:
			coming[zone] = lifecycle.FullDisruption
		case notReady[zone] > 2 && float32(notReady[zone])/float32(counted) >= m.config.UnhealthyShare:
			coming[zone] = lifecycle.PartialDisruption
		default:
			coming[zone] = lifecycle.Normal
		}
		allAre = allAre && coming[zone] == lifecycle.FullDisruption
		allWere = allWere && z.state == lifecycle.FullDisruption
	}
	if len(coming) == 0 && len(seen) < len(names) {
		m.forgetZones(at)
		return
	}
	if allAre && allWere {
		return
	}
	if allAre {
		m.out = append(m.out, lifecycle.Action{At: at, Reason: lifecycle.Stopped})
	} else if allWere {
		m.out = append(m.out, lifecycle.Action{At: at, Reason: lifecycle.Resumed})
	}
	for _, zone := range slices.Sorted(maps.Keys(coming)) {
		rate := m.config.Rate
		if coming[zone] == lifecycle.PartialDisruption {
			if rate = 0; ready[zone]+notReady[zone] > m.config.LargeZone {
				rate = m.config.SecondaryRate
			}
		}
		if allAre {
			rate = 0
		}
		if allAre || allWere || coming[zone] != m.zones[zone].state {
			m.zones[zone].swap(at, rate)
			m.enter(at, zone, coming[zone])
		}
	}
	for _, name := range names {
		if allAre {
			m.reachable(at, name, lifecycle.TakenOff)
		} else if allWere {
			m.nodes[name].probe = at
		}
	}
}

func (m *naive) enter(at time.Time, zone string, s lifecycle.State) {
	if z := m.zones[zone]; z.state != s {
		z.state = s
		m.out = append(m.out, lifecycle.Action{At: at, Reason: lifecycle.StateChanged, Zone: zone, State: s})
	}
}

func (m *naive) pass(at time.Time) {
	for _, zone := range slices.Sorted(maps.Keys(m.zones)) {
		z := m.zones[zone]
		if len(z.queue) == 0 || !z.take(at) {
			continue
		}
		name := z.first()
		z.remove(name)
		n := m.nodes[name]
		switch {
		case n == nil:
		case n.Conditions.Ready == lifecycle.False:
			m.emit(at, name, lifecycle.TurnCame, lifecycle.NotReadyNoExecute, n.Taints&lifecycle.UnreachableNoExecute)
		case n.Conditions.Ready == lifecycle.Unknown:
			m.emit(at, name, lifecycle.TurnCame, lifecycle.UnreachableNoExecute, n.Taints&lifecycle.NotReadyNoExecute)
		case n.Conditions.Ready == lifecycle.Absent:
			n.member = false
		}
	}
}

// take knows that a bucket for one token is full or has been empty since the
// last one was taken.
func (z *naiveZone) take(at time.Time) bool {
	if z.closed || !z.full && (z.rate <= 0 || at.Sub(z.taken).Seconds()*float64(z.rate) < 1) {
		return false
	}
	z.full, z.taken = false, at
	return true
}

func (z *naiveZone) swap(at time.Time, rate float32) {
	if z.closed && rate == 1 || !z.closed && rate == z.rate {
		return
	}
	had := z.take(at)
	z.rate, z.closed, z.full, z.taken = rate, rate <= 0, had, at
}

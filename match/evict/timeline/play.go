package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// Play plays what happens to the pods of a cluster whose nodes fall silent. The error
// is a [*taint.FieldErrors]: a setting that is not valid, a heartbeat interval longer
// than a grace period, two nodes of one name or one without, a silence of no node or
// without length. Taints, tolerations and conditions may be anything.
//
// It takes n log n steps: see the package comment. The result is the same each time.
func Play(c *Cluster) (*Timeline, error) {
	config := c.Config
	config.Verify = nil
	p := &player{c: c, origin: c.Start.Add(-warmUp(&config))}
	controller, err := lifecycle.New(config, p.origin)
	if err != nil {
		return nil, err
	}
	if p.index, err = c.validate(); err != nil {
		return nil, err
	}
	p.lifecycle, p.evictions = controller, evict.New[int32](c.Policy, c.Rules)
	p.prepare()
	p.warm()
	p.settle()
	p.run()
	return p.finish(), nil
}

// warmUp is how long before the start the controller is started: whole looks, so that
// there is one at the start, and no longer than the grace period, so that no node is
// lost meanwhile.
func warmUp(config *lifecycle.Config) time.Duration {
	if config.MonitorPeriod <= 0 {
		return 0 // not valid
	}
	return min(config.GracePeriod, horizon/2) / config.MonitorPeriod * config.MonitorPeriod
}

// player is a cluster with its two controllers.
type player struct {
	c         *Cluster
	index     map[string]int32 // nodes by name
	origin    time.Time        // when the controllers start
	lifecycle *lifecycle.Controller
	evictions *evict.Queue[int32]
	lasts     []beat // the last heartbeats before the start
	beats     []beat // and those from then on
	nodes     []playing
	started   bool // everything before the start is over
	end       time.Duration
	ticks     int // beats and steps, for the progress
	count     Sample
	t         *Timeline

	taints    map[taint.Taint]*taint.Taint // one copy of each that evicts
	actions   []lifecycle.Action           // used again at every step
	decisions []evict.Decision[int32]      // likewise
}

// noExecute is the taints of the life-cycle controller that evict.
const noExecute = lifecycle.NotReadyNoExecute | lifecycle.UnreachableNoExecute

// playing is a node while it is played.
type playing struct {
	taints    []taint.Taint
	lost      bool // its conditions are Unknown
	tainted   bool // it has a NoExecute taint of the life-cycle controller
	lostAt    time.Duration
	taintedAt time.Duration
}

func newPlaying(n *Node) playing {
	x := playing{taints: taint.Clone(n.Taints), lostAt: Never, taintedAt: Never}
	if x.lost = n.State.Conditions.Ready == lifecycle.Unknown; x.lost {
		x.lostAt = 0
	}
	if x.tainted = lifecycle.Of(n.Taints)&noExecute != 0; x.tainted {
		x.taintedAt = 0
	}
	return x
}

// prepare tells when heartbeats come.
func (p *player) prepare() {
	c := p.c
	p.t = newTimeline(c)
	p.taints = make(map[taint.Taint]*taint.Taint)
	p.nodes = make([]playing, len(c.Nodes))
	p.t.silent = c.silencesOf(p.index)
	for i := range c.Nodes {
		p.nodes[i] = newPlaying(&c.Nodes[i])
		p.count.Lost += count(p.nodes[i].lost)
		p.count.Tainted += count(p.nodes[i].tainted)
		p.t.Nodes[i].Silent = firstOf(p.t.silent[i])
		last := c.lastBeat(i)
		p.lasts = append(p.lasts, beat{last, int32(i), false})
		p.beats = appendBeats(p.beats, int32(i), last, c.interval(), p.t.silent[i])
	}
	slices.SortFunc(p.lasts, compareBeats)
	slices.SortFunc(p.beats, compareBeats)
}

// lastBeat is when a node had its last heartbeat. One that is too old to matter is as
// old as any other.
func (c *Cluster) lastBeat(node int) time.Duration {
	if h := c.Nodes[node].State.Heartbeat; !h.IsZero() {
		return max(-horizon/2, min(0, h.Sub(c.Start)))
	}
	return 0
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// firstOf is when a node falls silent.
func firstOf(silences []span) time.Duration {
	for _, s := range silences {
		if s.until > 0 {
			return max(0, s.from)
		}
	}
	return Never
}

// warm plays the life-cycle controller until the start, so that it has seen each node
// and its last heartbeat.
func (p *player) warm() {
	for i := range p.c.Nodes {
		n := p.c.Nodes[i].State
		n.Taints = lifecycle.Of(p.c.Nodes[i].Taints)
		p.carryOut(p.lifecycle.Adopt(p.actions[:0], p.origin, p.c.Nodes[i].Name, n))
	}
	// Where the grace period is shorter than the time between two looks, the first look
	// is the one at the start.
	p.carryOut(p.lifecycle.Advance(p.actions[:0], p.origin))
	for _, last := range p.lasts {
		if at := p.c.Start.Add(last.at); at.After(p.origin) {
			p.carryOut(p.lifecycle.SetLease(p.actions[:0], at, p.c.Nodes[last.node].Name, at, ""))
		}
	}
	if n := len(p.lasts); n == 0 || p.lasts[n-1].at < 0 { // else only the look at the start is left
		p.carryOut(p.lifecycle.Advance(p.actions[:0], p.c.Start.Add(-1)))
	}
	p.started = true
}

// settle tells the queue of evictions what was before the start: every NoExecute taint
// when it was added.
func (p *player) settle() {
	type addition struct {
		at   time.Time
		node int32
	}
	var before []addition
	for i := range p.nodes {
		for j := range p.nodes[i].taints {
			if x := &p.nodes[i].taints[j]; x.Effect == taint.NoExecute && !x.TimeAdded.IsZero() && x.TimeAdded.Time.Before(p.c.Start) {
				before = append(before, addition{x.TimeAdded.Time, int32(i)})
			}
		}
	}
	slices.SortFunc(before, func(a, b addition) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.node, b.node)) })
	first := p.c.Start
	if len(before) > 0 {
		first = before[0].at
	}
	for i := range p.c.Pods {
		p.evictions.SetPod(nil, first, int32(i), p.c.Pods[i].Node, p.c.Pods[i].Tolerations)
	}
	var list []taint.Taint
	for _, a := range before {
		list = list[:0]
		for _, x := range p.nodes[a.node].taints {
			if x.TimeAdded.IsZero() || !x.TimeAdded.Time.After(a.at) {
				list = append(list, x)
			}
		}
		p.setNode(a.at, p.c.Nodes[a.node].Name, list)
	}
	for i := range p.nodes {
		p.setNode(p.c.Start, p.c.Nodes[i].Name, p.nodes[i].taints)
	}
	p.sample(0)
}

// run plays everything from the start to the end.
func (p *player) run() {
	p.end = horizon
	if !p.c.End.IsZero() {
		p.end = min(p.end, p.c.End.Sub(p.c.Start))
	}
	for _, b := range p.beats {
		if b.at > p.end {
			break
		}
		p.tick(b.at)
		p.advance(b.at)
		p.beat(b)
	}
	p.advance(p.end + 1)
	p.t.End = p.end
	if p.c.End.IsZero() {
		p.t.End = p.t.last()
	}
}

// tick tells of the progress now and then.
func (p *player) tick(at time.Duration) {
	if p.ticks++; p.c.Progress != nil && p.ticks%4096 == 1 {
		p.c.Progress(at)
	}
}

// beat plays a heartbeat. A kubelet whose node is lost reports its conditions too: the
// lease alone does not make it Ready again.
func (p *player) beat(b beat) {
	n, now, name := &p.nodes[b.node], p.c.Start.Add(b.at), p.c.Nodes[b.node].Name
	p.carryOut(p.lifecycle.SetLease(p.actions[:0], now, name, now, ""))
	p.carryOut(p.lifecycle.KeepAlive(p.actions[:0], now, name, b.on))
	if n.lost {
		p.carryOut(p.lifecycle.Post(p.actions[:0], now, name, p.c.reported(b.node)))
	}
}

// reported is what the kubelet of a node says of it.
func (c *Cluster) reported(node int32) lifecycle.Conditions {
	own := c.Nodes[node].State.Conditions
	if own.Ready == lifecycle.Unknown || own.Ready == lifecycle.Absent {
		return lifecycle.Healthy()
	}
	return own
}

// advance plays what the controllers do before a time.
func (p *player) advance(before time.Duration) {
	for {
		next := before
		if at, ok := p.lifecycle.Next(); ok {
			next = min(next, at.Sub(p.c.Start))
		}
		if at, ok := p.evictions.Next(); ok {
			next = min(next, at.Sub(p.c.Start))
		}
		if next >= before {
			return
		}
		p.tick(next)
		now := p.c.Start.Add(next)
		p.carryOut(p.lifecycle.Advance(p.actions[:0], now))
		p.evict(next, p.evictions.Advance(p.decisions[:0], now))
		p.sample(next)
	}
}

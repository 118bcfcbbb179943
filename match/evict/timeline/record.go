package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// carryOut does what the life-cycle controller has decided, and notes it.
func (p *player) carryOut(actions []lifecycle.Action) {
	p.actions = actions
	for i := range actions {
		a := &actions[i]
		at := a.At.Sub(p.c.Start)
		switch {
		case a.Reason == lifecycle.StateChanged && !p.started:
			p.t.zones[a.Zone] = a.State
		case a.Reason == lifecycle.StateChanged:
			p.event(Event{At: at, Kind: ZoneChanged, State: a.State, Node: -1, Zone: a.Zone})
		case a.Reason == lifecycle.Stopped:
			p.event(Event{At: at, Kind: Stopped, Node: -1})
		case a.Reason == lifecycle.Resumed:
			p.event(Event{At: at, Kind: Resumed, Node: -1})
		default:
			p.change(a, at)
		}
	}
}

// event notes an event. What the controller does before the start is so at the start.
func (p *player) event(e Event) {
	e.At = max(0, e.At)
	p.t.Events = append(p.t.Events, e)
}

// change gives a node its new conditions and taints.
func (p *player) change(a *lifecycle.Action, at time.Duration) {
	id := p.index[a.Node]
	n := &p.nodes[id]
	n.taints = a.Apply(n.taints[:0], n.taints)
	note := func(kind Kind, first *time.Duration) {
		p.event(Event{At: at, Kind: kind, Node: id, Zone: a.Zone})
		if *first == Never {
			*first = max(0, at)
		}
	}
	times, never := &p.t.Nodes[id], Never
	switch lost := a.Conditions.Ready == lifecycle.Unknown; {
	case lost && !n.lost:
		n.lost, n.lostAt = true, max(0, at)
		p.count.Lost++
		note(Lost, &times.Lost)
	case !lost && n.lost:
		n.lost = false
		p.count.Lost--
		note(Back, &times.Back)
	}
	switch tainted := lifecycle.Of(n.taints)&noExecute != 0; {
	case a.Add&noExecute != 0:
		if !n.tainted {
			p.count.Tainted++
		}
		n.tainted, n.taintedAt = true, max(0, at)
		note(Tainted, &times.Tainted)
	case !tainted && n.tainted:
		n.tainted = false
		p.count.Tainted--
		note(Untainted, &never)
	}
	if p.started {
		p.setNode(a.At, a.Node, n.taints)
		p.sample(at)
	}
}

// setNode tells the queue of the taints of a node. A pod whose time is up at that moment
// is gone before.
func (p *player) setNode(now time.Time, name string, taints []taint.Taint) {
	at := now.Sub(p.c.Start)
	p.evict(at, p.evictions.Advance(p.decisions[:0], now))
	p.evict(at, p.evictions.SetNode(p.decisions[:0], now, name, taints))
}

// evict does what the queue of evictions has decided at a time, and notes it. A pod
// that is evicted is gone.
func (p *player) evict(at time.Duration, decisions []evict.Decision[int32]) {
	p.decisions = decisions
	for i := range decisions {
		d := &decisions[i]
		f := p.fate(d)
		if !d.Reason.Evicts() {
			f.Outcome, f.At = Cancelled, at
			p.count.Cancelled++
			continue
		}
		f.Outcome, f.At = Evicted, f.Due
		p.count.Evicted++
		p.t.Evicted = append(p.t.Evicted, d.Pod)
		p.evictions.DeletePod(nil, d.Due, d.Pod)
	}
}

// fate notes a decision about a pod.
func (p *player) fate(d *evict.Decision[int32]) *Fate {
	f := &p.t.Pods[d.Pod]
	f.Reason, f.Due = d.Reason, d.Due.Sub(p.c.Start)
	f.Taint, f.Toleration = p.copyOf(&d.Taint), d.Toleration
	if node, known := p.index[d.Node]; known {
		f.Node, f.Lost, f.Tainted = node, p.nodes[node].lostAt, p.nodes[node].taintedAt
	}
	return f
}

// copyOf returns one copy for all equal taints.
func (p *player) copyOf(x *taint.Taint) *taint.Taint {
	if kept, known := p.taints[*x]; known {
		return kept
	}
	kept := *x
	p.taints[kept] = &kept
	return &kept
}

// sample notes the counts if they have changed. A time has one sample, and samples come in
// the order of time.
func (p *player) sample(at time.Duration) {
	p.count.At, p.count.Scheduled = max(0, at), p.evictions.Pending()
	samples := p.t.Samples
	if n := len(samples); n > 0 && samples[n-1].At == p.count.At {
		samples = samples[:n-1]
	}
	if n := len(samples); n == 0 || !p.count.same(samples[n-1]) {
		samples = append(samples, p.count)
	}
	p.t.Samples = samples
}

// same reports whether the counts are the same, at whatever time.
func (s Sample) same(other Sample) bool {
	other.At = s.At
	return s == other
}

// finish tells what becomes of the pods about which nothing is decided at the end.
func (p *player) finish() *Timeline {
	for d := range p.evictions.Scheduled() {
		f := p.fate(&d)
		f.Outcome, f.At = Scheduled, Never
	}
	for i := range p.t.Pods {
		f := &p.t.Pods[i]
		node, known := p.index[p.c.Pods[i].Node]
		if f.Outcome != Unaffected || !known {
			continue
		}
		f.Node, f.Lost, f.Tainted = node, p.nodes[node].lostAt, p.nodes[node].taintedAt
		f.Outcome = p.outcome(node)
	}
	slices.SortFunc(p.t.Evicted, func(i, j int32) int {
		return cmp.Or(cmp.Compare(p.t.Pods[i].At, p.t.Pods[j].At), cmp.Compare(i, j))
	})
	return p.t
}

// outcome is what becomes of a pod that was never to be evicted from its node.
func (p *player) outcome(node int32) Outcome {
	n := &p.nodes[node]
	state, _ := p.lifecycle.Node(p.c.Nodes[node].Name)
	ready := state.Conditions.Ready
	switch {
	case n.taintedAt != Never:
		return Tolerated
	case ready == lifecycle.Unknown, ready == lifecycle.False, p.silentAtEnd(node):
		return Waiting
	case n.lostAt != Never, p.t.Nodes[node].Silent < p.end:
		return BackInTime
	case slices.ContainsFunc(n.taints, func(x taint.Taint) bool { return x.Effect == taint.NoExecute }):
		return Tolerated
	}
	return Unaffected
}

func (p *player) silentAtEnd(node int32) bool {
	return slices.ContainsFunc(p.t.silent[node], func(s span) bool { return s.from <= p.end && p.end < s.until })
}

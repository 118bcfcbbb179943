package evict

import (
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// begin starts a call that appends decisions to dst: the clock goes on, and what is
// due is decided.
func (q *Queue[P]) begin(dst []Decision[P], now time.Time) {
	q.out = dst
	if now.After(q.now) {
		q.now = now
	}
	for len(q.agenda) > 0 && !q.agenda[0].plan.due.After(q.now) {
		p := q.agenda[0]
		q.evict(p, p.plan, time.Time{})
	}
}

// end ends the call and returns what it appended to.
func (q *Queue[P]) end() []Decision[P] {
	out := q.out
	q.out = nil
	return out
}

// replace replaces a slice of a pool by another one, either of which may be nil, and
// appends the devices that claims hold and for which that makes a difference.
func (q *Queue[P]) replace(touched []*holding[P], id poolID, old, next *published) []*holding[P] {
	p := q.pools[id]
	if p == nil {
		p = &pool{slices: make(map[string]*published)}
		q.pools[id] = p
	}
	for _, name := range p.replace(old, next) {
		if d := q.holdings.byID[device.ID{Driver: id.driver, Pool: id.name, Device: name}]; d != nil {
			touched = append(touched, d)
		}
	}
	if len(p.slices) == 0 {
		delete(q.pools, id)
	}
	return touched
}

// setRule replaces a rule by another one, nil if there is none, and judges anew the
// claims that hold a device that one of them selects.
func (q *Queue[P]) setRule(name string, old, next *device.Rule) {
	q.rules.Set(name, next)
	var touched []*holding[P]
	for _, r := range []*device.Rule{old, next} {
		if r != nil && r.Taint.Effect == taint.NoExecute {
			q.holdings.each(r, func(d *holding[P]) { touched = append(touched, d) })
		}
	}
	q.judgeAll(touched)
}

// judgeAll judges the claims that hold the devices, and reviews the pods of those
// for which something else follows, each once.
func (q *Queue[P]) judgeAll(touched []*holding[P]) {
	judged := make(map[*claim[P]]struct{})
	pods := make(map[*pod[P]]struct{})
	for _, d := range touched {
		for c := range d.claims {
			if _, done := judged[c]; done {
				continue
			}
			judged[c] = struct{}{}
			next := q.judge(c)
			if equalCauses(next.causes, c.plan.causes) { // from which the rest follows
				continue
			}
			c.plan = next
			for p := range c.pods {
				pods[p] = struct{}{}
			}
		}
	}
	for p := range pods {
		q.review(p)
	}
}

// judge returns the plan that follows from the taints of a claim's devices.
func (q *Queue[P]) judge(c *claim[P]) plan {
	return planOf(c.allocations, q.appendCauses)
}

// appendCauses appends the NoExecute taints of a device (rules D4, D9). The order is that
// of rule D8, so that there is little to sort.
func (q *Queue[P]) appendCauses(dst []Cause, id device.ID) []Cause {
	for name, r := range q.rules.Selecting(id) {
		if r.Taint.Effect == taint.NoExecute {
			dst = append(dst, Cause{Rule: name, Taint: r.Taint})
		}
	}
	if p := q.pools[poolID{id.Driver, id.Pool}]; p != nil {
		if t := p.Find(id.Device); t != nil {
			dst = append(dst, t.Value...)
		}
	}
	return dst
}

// reviewAll reviews the pods that refer to a claim.
func (q *Queue[P]) reviewAll(c *claim[P]) {
	for p := range c.pods {
		q.review(p)
	}
}

// review settles what follows for a pod from its claims (rules D8, D9).
func (q *Queue[P]) review(p *pod[P]) {
	q.settle(p, q.planFor(p, func(c *claim[P]) *plan { return &c.plan }))
}

// planFor returns the plan that follows for a pod from those of the claims that it
// uses.
func (q *Queue[P]) planFor(p *pod[P], of func(*claim[P]) *plan) (next plan) {
	if !p.placed || p.evicted {
		return plan{}
	}
	joined := false
	for _, c := range p.claims {
		if u := of(c); u.scheduled && c.reservedFor(p) {
			joined = joined || next.scheduled
			next.include(u)
		}
	}
	if joined {
		next.causes = inOrder(next.causes)
	}
	return next
}

// settle gives a pod a plan, and tells what it means.
func (q *Queue[P]) settle(p *pod[P], next plan) {
	old := p.plan
	switch {
	case next.scheduled && !next.due.After(q.now):
		q.evict(p, next, old.due)
		return
	case !next.scheduled && old.scheduled:
		q.out = append(q.out, p.decision(Cancel))
	}
	p.plan = next
	q.agenda.update(p)
	switch {
	case next.scheduled && !old.scheduled:
		q.out = append(q.out, p.decision(Schedule))
	case next.scheduled && !next.due.Equal(old.due):
		moved := p.decision(Move)
		moved.Was = old.due
		q.out = append(q.out, moved)
	}
}

// evict decides that a pod is evicted now, and is done with it.
func (q *Queue[P]) evict(p *pod[P], why plan, was time.Time) {
	p.plan = why
	d := p.decision(Evict)
	d.Was = was
	q.out = append(q.out, d)
	p.plan, p.evicted = plan{}, true
	q.agenda.update(p)
	for i := range why.causes {
		if name := why.causes[i].Rule; q.rules.Get(name) != nil {
			if q.evicted == nil {
				q.evicted = make(map[string]int)
			}
			q.evicted[name]++
		}
	}
}

func (p *pod[P]) decision(kind Kind) Decision[P] {
	return Decision[P]{Pod: p.key, Kind: kind, Due: p.plan.due, Causes: p.plan.causes}
}

// claim returns the claim of a name, which may not be known yet.
func (q *Queue[P]) claim(name string) *claim[P] {
	c := q.claims[name]
	if c == nil {
		if q.claims == nil {
			q.claims = make(map[string]*claim[P])
		}
		c = &claim[P]{name: name, pods: make(map[*pod[P]]uint32)}
		q.claims[name] = c
	}
	return c
}

// leave takes a pod out of claims that it refers to no more: those that do not have
// its stamp.
func (q *Queue[P]) leave(p *pod[P], old []*claim[P]) {
	for _, c := range old {
		if stamp, there := c.pods[p]; there && stamp != p.stamp {
			delete(c.pods, p)
			q.forget(c)
		}
	}
}

// forget drops a claim that the queue was not told of and no pod refers to.
func (q *Queue[P]) forget(c *claim[P]) {
	if !c.known && len(c.pods) == 0 {
		delete(q.claims, c.name)
	}
}

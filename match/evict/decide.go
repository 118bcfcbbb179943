package evict

import (
	"slices"
	"time"
)

// begin starts a call that appends decisions to dst: it advances the clock and
// decides what is due.
func (q *Queue[P]) begin(dst []Decision[P], now time.Time) {
	q.out = dst
	q.advance(now)
	for len(q.agenda) > 0 && q.agenda[0].plan.due <= q.now {
		g, p := q.agenda[0], q.agenda[0].plan
		q.tellAll(g, &p, TimeUp)
		q.replan(g, q.done(p))
	}
}

// end ends the call and returns what it appended to.
func (q *Queue[P]) end() []Decision[P] {
	out := q.out
	q.out = nil
	return out
}

// review makes new plans for the pods of a node whose taints have changed. If
// there are none left, gone is why evictions are cancelled.
func (q *Queue[P]) review(n *node[P], gone Reason) {
	for _, g := range slices.Backward(n.groups) {
		kept, told, why := q.decide(n, g.list, g.plan, gone)
		if why != 0 {
			q.tellAll(g, &told, why)
		}
		q.replan(g, kept)
	}
}

// place assigns a pod that had the plan old to a node, with a list, and makes its
// new plan.
func (q *Queue[P]) place(id P, n *node[P], l *list, old plan) {
	kept := old // Kubernetes passes over pods of nodes without NoExecute taints
	if !q.byKubernetes() || len(n.taints) > 0 {
		var told plan
		var why Reason
		if kept, told, why = q.decide(n, l, old, TaintsGone); why != 0 {
			q.out = append(q.out, q.decision(id, n, &told, why))
		}
	}
	q.move(id, n, l, kept)
}

// tellAll appends a decision for each pod of a group.
func (q *Queue[P]) tellAll(g *group[P], p *plan, why Reason) {
	d := q.decision(g.pods[0], g.node, p, why)
	for _, d.Pod = range slices.Backward(g.pods) { // so that whoever deletes them moves none
		q.out = append(q.out, d)
	}
}

func (q *Queue[P]) decision(id P, n *node[P], p *plan, why Reason) Decision[P] {
	return Decision[P]{
		Pod: id, Node: n.name, Reason: why, Due: q.time(p.due),
		Taint: p.taint.Value(), Toleration: p.toleration,
	}
}

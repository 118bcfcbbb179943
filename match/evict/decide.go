package evict

import "time"

// begin starts a call that appends decisions to dst: it advances the clock and
// decides what is due.
func (q *Queue[P]) begin(dst []Decision[P], now time.Time) {
	q.out = dst
	q.advance(now)
	for g := q.agenda.first(); g != none; g = q.agenda.first() {
		p := q.groups[g-1].plan
		if p.due > q.now {
			return
		}
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
func (q *Queue[P]) review(n *node, gone Reason) {
	for g := n.groups; g != none; g = q.groups[g-1].next {
		from := &q.groups[g-1]
		kept, told, why := q.decide(n, from.list, from.plan, gone)
		if why != 0 {
			q.tellAll(g, &told, why)
		}
		q.replan(g, kept)
	}
}

// place assigns a pod that had the plan old to a node, with a list, and makes its
// new plan.
func (q *Queue[P]) place(id uint32, n *node, l *list, old plan) {
	kept := old // Kubernetes passes over pods of nodes without NoExecute taints
	if !q.byKubernetes() || len(n.taints) > 0 {
		var told plan
		var why Reason
		if kept, told, why = q.decide(n, l, old, TaintsGone); why != 0 {
			q.tell(id, n, &told, why)
		}
	}
	q.move(id, n, l, kept)
}

// tellAll appends a decision for each pod of a group.
func (q *Queue[P]) tellAll(g uint32, p *plan, why Reason) {
	from := &q.groups[g-1]
	d := q.decision(from.first, from.node, p, why)
	for id := from.first; id != none; id = q.pods[id-1].next {
		d.Pod = q.keys[id-1]
		q.out = append(q.out, d)
	}
}

func (q *Queue[P]) tell(id uint32, n *node, p *plan, why Reason) {
	q.out = append(q.out, q.decision(id, n, p, why))
}

func (q *Queue[P]) decision(id uint32, n *node, p *plan, why Reason) Decision[P] {
	return Decision[P]{
		Pod: q.keys[id-1], Node: n.name, Reason: why, Due: q.time(p.due),
		Taint: p.taint.Value(), Toleration: p.toleration,
	}
}

// admit gives an unknown pod its position.
func (q *Queue[P]) admit(pod P) (id uint32) {
	if q.ids == nil {
		q.ids = make(map[P]uint32)
	}
	id = q.addPod()
	if int(id) > len(q.keys) {
		q.keys = append(q.keys, pod)
	}
	q.keys[id-1], q.ids[pod] = pod, id
	return id
}

// dismiss forgets a pod that is no longer in a group.
func (q *Queue[P]) dismiss(id uint32) {
	var nobody P
	delete(q.ids, q.keys[id-1])
	q.keys[id-1] = nobody
	q.removePod(id)
}

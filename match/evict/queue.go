package evict

import (
	"iter"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Queue decides when running pods are evicted because of NoExecute taints, from
// the events that the caller reports: see the package comment. P identifies a pod: a name, a
// UID, a number. Equal values are the same pod.
//
// The zero Queue is empty and ready: it follows Kubernetes' policy and the rules
// of a default cluster. [New] sets others. A Queue must not be copied, and only
// one goroutine at a time may use it. It retains the names of nodes and pods, the
// NoExecute taints of nodes with their TimeAdded, and one copy of every
// toleration list that its pods have.
type Queue[P comparable] struct {
	planner
	placement[P]
	out []Decision[P]
}

// New returns an empty queue that follows the policy, in a default cluster or in one with
// the given rules. The eviction controller of a default cluster ignores tolerations with
// Gt and Lt: a pod that only one of them protects is evicted (rules N4, N5). A policy that
// package match does not have acts as [match.FirstMatch], Kubernetes' own.
func New[P comparable](policy match.EvictionPolicy, rules ...toleration.Rules) *Queue[P] {
	q := &Queue[P]{planner: planner{policy: policy}}
	if len(rules) > 0 {
		q.rules = rules[0]
	}
	return q
}

// SetNode tells the queue that a node has these taints, in place of those it had;
// an unknown node is added. Only NoExecute taints count (rule E1). The same
// taints in the same order change nothing. An empty name is that of no node (see
// [Queue.SetPod]), and its taints do not count.
//
// Like every method that takes a time, it first decides what is due, as
// [Queue.Advance] does. Next, in no particular order, come the pods of the node
// that are evicted at once and those whose eviction is cancelled. The decisions
// are appended to dst, which may be nil, and the extended slice is returned.
//
// The time is proportional to the number of different toleration lists of the
// node's pods, to the number of decisions, and to the logarithm of the number of
// scheduled evictions. taints may be changed afterwards, except what TimeAdded
// points to.
func (q *Queue[P]) SetNode(dst []Decision[P], now time.Time, name string, taints []taint.Taint) []Decision[P] {
	q.begin(dst, now)
	if name != "" {
		if n := q.nodes.get(name); !n.known || !n.has(taints) {
			n.known = true
			q.nodes.set(n, taints, q.now)
			q.review(n, TaintsGone)
		}
	}
	return q.end()
}

// DeleteNode tells the queue that a node is gone; an unknown name is ignored. Its
// pods remain assigned to it until they are deleted or move, and no taint concerns
// them until a node of that name is set again. Under Kubernetes' policy the
// evictions that are scheduled for them remain in force; under the others they are
// cancelled. See [Queue.SetNode] for now, dst and the result.
func (q *Queue[P]) DeleteNode(dst []Decision[P], now time.Time, name string) []Decision[P] {
	q.begin(dst, now)
	if n, found := q.byName[name]; found {
		n.known = false
		q.nodes.set(n, nil, q.now)
		if !q.byKubernetes() {
			q.review(n, NodeGone)
		}
		q.nodes.release(n)
	}
	return q.end()
}

// SetPod tells the queue that a pod is assigned to a node and has these
// tolerations, in place of what it had; an unknown pod is added. The same node and
// tolerations change nothing. SetPod may precede SetNode. No taint concerns a pod
// that is not assigned to a node: its node is the empty name.
//
// The decisions are about this pod: it may be evicted at once, or its eviction
// may be cancelled. See [Queue.SetNode] for now, dst and the result. The time is
// proportional to the size of the list and to the logarithm of the number of
// scheduled evictions. The list may be changed afterwards.
//
// Give a static pod the list that its mirror on the API server has, with the
// toleration that the kubelet adds (rule A8); then it is never evicted.
func (q *Queue[P]) SetPod(dst []Decision[P], now time.Time, pod P, node string, tolerations []toleration.Toleration) []Decision[P] {
	q.begin(dst, now)
	l := q.lists.get(tolerations)
	n := q.nodes.get(node)
	if at, known := q.places[pod]; !known {
		q.place(pod, n, l, q.arrival())
	} else if at.node != n || at.list != l {
		old := at.plan
		if at.node != n && !q.byKubernetes() {
			old.since = q.now
		}
		q.place(pod, n, l, old)
	}
	return q.end()
}

// DeletePod tells the queue that a pod is gone; an unknown pod is ignored. If an
// eviction was scheduled for it, that is cancelled. See [Queue.SetNode] for now,
// dst and the result. The time is proportional to the logarithm of the number of
// scheduled evictions.
func (q *Queue[P]) DeletePod(dst []Decision[P], now time.Time, pod P) []Decision[P] {
	q.begin(dst, now)
	if at, known := q.places[pod]; known {
		if at.plan.scheduled() {
			q.out = append(q.out, q.decision(pod, at.node, &at.plan, PodGone))
		}
		q.leave(at)
		delete(q.places, pod)
	}
	return q.end()
}

// Advance appends to dst the evictions that are due by now, in the order of
// their due times, those of the same moment in no particular order, and returns
// the extended slice. The clock of a queue never goes backwards: a time before the
// latest one is taken for the latest one. Times of 292 years and more after the
// first are all the same moment.
//
// An evicted pod counts as running until it is deleted, and is judged anew when
// its node or the pod itself changes.
func (q *Queue[P]) Advance(dst []Decision[P], now time.Time) []Decision[P] {
	q.begin(dst, now)
	return q.end()
}

// Next returns when the next eviction is due, and whether any is scheduled. It
// takes constant time.
func (q *Queue[P]) Next() (due time.Time, ok bool) {
	if len(q.agenda) == 0 {
		return time.Time{}, false
	}
	return q.time(q.agenda[0].plan.due), true
}

// Len returns the number of pods, those without a node included.
func (q *Queue[P]) Len() int { return len(q.places) }

// Pending returns the number of pods whose eviction is scheduled.
func (q *Queue[P]) Pending() int { return q.scheduled }

// Find returns the eviction that is scheduled for a pod, as it will be decided if
// nothing changes, and whether there is one. An unknown pod has none.
func (q *Queue[P]) Find(pod P) (Decision[P], bool) {
	at, known := q.places[pod]
	if !known || !at.plan.scheduled() {
		return Decision[P]{}, false
	}
	return q.decision(pod, at.node, &at.plan, TimeUp), true
}

// Scheduled iterates over all scheduled evictions, in no particular order, as
// they will be decided if nothing changes. The queue must not be changed during
// the iteration.
func (q *Queue[P]) Scheduled() iter.Seq[Decision[P]] {
	return func(yield func(Decision[P]) bool) {
		for _, g := range q.agenda {
			for _, pod := range g.pods {
				if !yield(q.decision(pod, g.node, &g.plan, TimeUp)) {
					return
				}
			}
		}
	}
}

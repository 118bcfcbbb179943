package evict

import (
	"iter"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Queue decides when pods have to leave their nodes because of NoExecute taints,
// from what it is told: see the package comment. P is what pods are known by, and
// must do as a key of a map: a name, a UID, a number. Equal values are the same pod.
//
// The zero Queue is empty and follows Kubernetes' policy; [New] sets another one.
// A Queue must not be copied, and only one goroutine at a time may use it. It
// retains the names of nodes and pods, the NoExecute taints of nodes with their
// TimeAdded, and one copy of every toleration list that its pods have.
type Queue[P comparable] struct {
	rules
	placement
	ids  map[P]uint32
	keys []P // by position of the pod
	out  []Decision[P]
}

// New returns an empty queue that follows the policy. One that is none of those
// of package match acts as [match.FirstMatch], Kubernetes' own.
func New[P comparable](policy match.EvictionPolicy) *Queue[P] {
	return &Queue[P]{rules: rules{policy: policy}}
}

// SetNode tells the queue that the node of that name has these taints, whatever
// it had before; nodes that it does not know are added. Only NoExecute taints
// count (rule E1). The same taints in the same order change nothing.
//
// Like every method that takes a time, it first decides what is due, as
// [Queue.Advance] does. Then come, in no particular order, the pods of the node
// that must leave at once and those that may stay after all. The decisions are
// appended to dst, which may be nil, and the extended slice is returned.
//
// The time is proportional to the number of different toleration lists of the
// node's pods, to the number of decisions, and to the logarithm of the number of
// evictions that are scheduled.
//
// A node without name stands for none (see [Queue.SetPod]): its taints do not count.
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

// DeleteNode tells the queue that there is no node of that name any more, which
// changes nothing if it never heard of it. Pods that are said to be on it go on
// to be, until they are deleted or the node comes back; no taint concerns them.
// Under Kubernetes' policy the evictions that are scheduled for them stand, under
// the others they are cancelled. For now, dst and the result see [Queue.SetNode].
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

// SetPod tells the queue that the pod is on the node of that name and has these
// tolerations, whatever was before; pods that it does not know are added. The
// same node and tolerations change nothing. The node need not be known yet. A
// pod that is not assigned to a node has the empty name for it: no taint
// concerns it.
//
// The pod that changes may have to leave at once, have an eviction scheduled, or
// may stay after all: see [Queue.SetNode] for now, dst and the result. The time is
// proportional to the size of the list and to the logarithm of the number of
// evictions that are scheduled. The list may be changed afterwards.
func (q *Queue[P]) SetPod(dst []Decision[P], now time.Time, pod P, node string, tolerations []toleration.Toleration) []Decision[P] {
	q.begin(dst, now)
	l := q.lists.get(tolerations)
	n := q.nodes.get(node)
	id, known := q.ids[pod]
	if !known {
		q.place(q.admit(pod), n, l, q.arrival())
	} else if g := &q.groups[q.pods[id-1].group-1]; g.node != n || g.list != l {
		old := g.plan
		if g.node != n && !q.byKubernetes() {
			old.since = q.now
		}
		q.place(id, n, l, old)
	}
	return q.end()
}

// DeletePod tells the queue that the pod is gone, which changes nothing if it
// never heard of it. If an eviction was scheduled for the pod it is cancelled. For
// now, dst and the result see [Queue.SetNode]. The time is proportional to the
// logarithm of the number of evictions that are scheduled.
func (q *Queue[P]) DeletePod(dst []Decision[P], now time.Time, pod P) []Decision[P] {
	q.begin(dst, now)
	if id, known := q.ids[pod]; known {
		g := &q.groups[q.pods[id-1].group-1]
		if g.plan.scheduled() {
			q.tell(id, g.node, &g.plan, PodGone)
		}
		q.leave(q.pods[id-1])
		q.dismiss(id)
	}
	return q.end()
}

// Advance appends to dst the evictions that are due by now, in the order of
// their due times, those of the same moment in no particular order, and returns
// the extended slice. A time before one that the queue has been told already is
// taken for that one: its clock never goes backwards. Times of 292 years and more
// after the first are all the same moment.
//
// Until a pod that was evicted is deleted, it counts as running, and is decided
// upon anew when its node or the pod itself changes.
func (q *Queue[P]) Advance(dst []Decision[P], now time.Time) []Decision[P] {
	q.begin(dst, now)
	return q.end()
}

// Next returns when the next eviction is due, and whether any is scheduled. It
// takes constant time.
func (q *Queue[P]) Next() (due time.Time, ok bool) {
	g := q.agenda.first()
	if g == none {
		return time.Time{}, false
	}
	return q.time(q.groups[g-1].plan.due), true
}

// Len returns the number of pods that the queue knows.
func (q *Queue[P]) Len() int { return len(q.ids) }

// Pending returns the number of pods for which an eviction is scheduled.
func (q *Queue[P]) Pending() int { return q.scheduled }

// Find returns the eviction that is scheduled for a pod, as it will be decided if
// nothing changes, and whether there is one.
func (q *Queue[P]) Find(pod P) (Decision[P], bool) {
	id, known := q.ids[pod]
	if !known {
		return Decision[P]{}, false
	}
	g := &q.groups[q.pods[id-1].group-1]
	if !g.plan.scheduled() {
		return Decision[P]{}, false
	}
	return q.decision(id, g.node, &g.plan, TimeUp), true
}

// Scheduled iterates over all evictions that are scheduled, in no particular
// order, as they will be decided if nothing changes. The queue must not be changed
// meanwhile.
func (q *Queue[P]) Scheduled() iter.Seq[Decision[P]] {
	return func(yield func(Decision[P]) bool) {
		for _, g := range q.agenda.groups {
			from := &q.groups[g-1]
			for id := from.first; id != none; id = q.pods[id-1].next {
				if !yield(q.decision(id, from.node, &from.plan, TimeUp)) {
					return
				}
			}
		}
	}
}

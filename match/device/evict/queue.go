package evict

import (
	"iter"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match/device"
)

// Queue decides when pods are evicted because of the taints of devices that they
// use, from what it is told: see the package comment. P is what pods are known by,
// and must do as a key of a map. It should be the UID: a pod that replaces another
// under its name is another pod.
//
// The zero Queue is empty and ready. A Queue must not be copied, and only one
// goroutine at a time may use it. It retains the names of slices, devices, rules and
// claims, the allocations that it is given with their tolerations, and copies of the
// NoExecute taints and of the rules.
type Queue[P comparable] struct {
	now      time.Time
	pods     map[P]*pod[P]
	claims   map[string]*claim[P]
	holdings holdings[P]
	slices   map[string]*published
	pools    map[poolID]*pool
	rules    device.RuleSet
	evicted  map[string]int // pods by rule, as long as the rule is known
	agenda   agenda[P]
	out      []Decision[P]
}

// pod is a pod that the queue was told of.
type pod[P comparable] struct {
	key     P
	placed  bool
	claims  []*claim[P]
	stamp   uint32 // of the claims that it refers to now
	plan    plan
	at      int // in the agenda, plus one
	evicted bool
}

// SetSlice tells the queue that the slice of that name is this one, whatever it was
// before; slices that it does not know are added. Of a pool's slices only those with
// the greatest generation count (rule D9). If several of them have a device with
// NoExecute taints, the first one by name counts.
//
// Like every method that takes a time, it first decides what is due, as
// [Queue.Advance] does. Then come, in no particular order, the pods for which
// something else follows than before. The decisions are appended to dst, which may
// be nil, and the extended slice is returned.
//
// The time is that of sorting the devices of the slice, and proportional to the claims and
// pods that use those whose taints changed. If the pool's newest generation is another one
// afterwards, the tainted devices of both are looked at. The slice may be changed
// afterwards. A nil one is deleted.
func (q *Queue[P]) SetSlice(dst []Decision[P], now time.Time, name string, slice *device.Slice) []Decision[P] {
	if slice == nil {
		return q.DeleteSlice(dst, now, name)
	}
	q.begin(dst, now)
	s, old := publish(name, slice), q.slices[name]
	if old != nil && old.equal(s) {
		return q.end()
	}
	if q.slices == nil {
		q.slices, q.pools = make(map[string]*published), make(map[poolID]*pool)
	}
	q.slices[name] = s
	var touched []*holding[P]
	if old != nil && old.in != s.in {
		touched = q.replace(touched, old.in, old, nil)
		old = nil
	}
	q.judgeAll(q.replace(touched, s.in, old, s))
	return q.end()
}

// DeleteSlice tells the queue that there is no slice of that name any more, which
// changes nothing if it never heard of it. Its devices are left with the taints of
// the rules (rule D9), unless an older generation of the pool has them. For now, dst
// and the result see [Queue.SetSlice].
func (q *Queue[P]) DeleteSlice(dst []Decision[P], now time.Time, name string) []Decision[P] {
	q.begin(dst, now)
	if old := q.slices[name]; old != nil {
		delete(q.slices, name)
		q.judgeAll(q.replace(nil, old.in, old, nil))
	}
	return q.end()
}

// SetRule tells the queue that the DeviceTaintRule of that name is this one,
// whatever it was before; rules that it does not know are added. The time is
// proportional to the devices that claims hold and that have the rarest name that
// the old or the new selector gives, and to the claims and pods of those that are
// selected, where a claim counts with all NoExecute taints of its devices: n rules that
// select one device, set one by one, take n² in all, because the causes of a decision are
// all of them. The rule may be changed afterwards. For now, dst and the result see
// [Queue.SetSlice].
//
// A rule of the same name that is another object counts as the same rule, unless
// DeleteRule comes between them. A nil rule is deleted.
func (q *Queue[P]) SetRule(dst []Decision[P], now time.Time, name string, r *device.Rule) []Decision[P] {
	if r == nil {
		return q.DeleteRule(dst, now, name)
	}
	q.begin(dst, now)
	if old := q.rules.Get(name); old == nil || !old.Equal(r) {
		q.setRule(name, old, r)
	}
	return q.end()
}

// DeleteRule tells the queue that there is no DeviceTaintRule of that name any more,
// which changes nothing if it never heard of it. For now, dst and the result see
// [Queue.SetSlice], and for the time [Queue.SetRule].
func (q *Queue[P]) DeleteRule(dst []Decision[P], now time.Time, name string) []Decision[P] {
	q.begin(dst, now)
	if old := q.rules.Get(name); old != nil {
		q.setRule(name, old, nil)
		delete(q.evicted, name)
	}
	return q.end()
}

// SetClaim tells the queue that the claim of that name, which should hold the
// namespace too, was allocated these devices and is reserved for these pods, whatever
// was before; claims that it does not know are added. A claim without allocations, or
// that no pod has it reserved for, evicts nobody. A reservation for a group of pods is
// to be given as one for each of them.
//
// The allocations and their tolerations are retained and must not be changed; the
// API makes them immutable. The time is proportional to the devices, with the
// rules that select each, and to the pods that refer to the claim, with all claims of
// each. For now, dst and the result see [Queue.SetSlice].
func (q *Queue[P]) SetClaim(dst []Decision[P], now time.Time, name string, allocations []device.Allocation, reservedFor []P) []Decision[P] {
	q.begin(dst, now)
	c := q.claim(name)
	q.holdings.remove(c)
	c.allocations, c.known = slices.Clip(allocations), true
	c.reserved = make(map[P]struct{}, len(reservedFor))
	for _, p := range reservedFor {
		c.reserved[p] = struct{}{}
	}
	q.holdings.add(c)
	c.plan = q.judge(c)
	q.reviewAll(c)
	return q.end()
}

// DeleteClaim tells the queue that there is no claim of that name any more, which
// changes nothing if it never heard of it. For now, dst and the result see
// [Queue.SetSlice].
func (q *Queue[P]) DeleteClaim(dst []Decision[P], now time.Time, name string) []Decision[P] {
	q.begin(dst, now)
	if c := q.claims[name]; c != nil && c.known {
		q.holdings.remove(c)
		c.allocations, c.reserved, c.known, c.plan = nil, nil, false, plan{}
		q.reviewAll(c)
		q.forget(c)
	}
	return q.end()
}

// SetPod tells the queue that the pod refers to the claims of these names, and
// whether it has a node, whatever was before; pods that it does not know are added. A
// claim need not be known yet. A claim that was made from a template for another pod
// is not the pod's, and is not to be given. A pod without a node is not evicted (rule
// D9), nor is one that was evicted already (rule D10). One whose deletion has begun is for
// DeletePod.
//
// The time is proportional to the claims and their causes, and to the logarithm of
// the number of evictions that are scheduled. For now, dst and the result see
// [Queue.SetSlice].
func (q *Queue[P]) SetPod(dst []Decision[P], now time.Time, key P, placed bool, claims []string) []Decision[P] {
	q.begin(dst, now)
	p := q.pods[key]
	if p == nil {
		if q.pods == nil {
			q.pods = make(map[P]*pod[P])
		}
		p = &pod[P]{key: key}
		q.pods[key] = p
	}
	p.placed = placed
	old := p.claims
	p.claims, p.stamp = nil, p.stamp+1
	for _, name := range claims {
		c := q.claim(name)
		c.pods[p] = p.stamp
		p.claims = append(p.claims, c)
	}
	q.leave(p, old)
	q.review(p)
	return q.end()
}

// DeletePod tells the queue that the pod is gone, which changes nothing if it never
// heard of it. If an eviction was scheduled for the pod it is cancelled. For now, dst
// and the result see [Queue.SetSlice].
func (q *Queue[P]) DeletePod(dst []Decision[P], now time.Time, key P) []Decision[P] {
	q.begin(dst, now)
	if p := q.pods[key]; p != nil {
		delete(q.pods, key)
		q.settle(p, plan{})
		p.stamp++
		q.leave(p, p.claims)
	}
	return q.end()
}

// Advance appends to dst the evictions that are due by now, in the order of their
// moments, those of the same moment in no particular order, and returns the extended
// slice. A time before one that the queue has been told already is taken for that
// one: its clock never goes backwards.
func (q *Queue[P]) Advance(dst []Decision[P], now time.Time) []Decision[P] {
	q.begin(dst, now)
	return q.end()
}

// Next returns the moment of the next eviction, and whether any is scheduled. It
// takes constant time.
func (q *Queue[P]) Next() (due time.Time, ok bool) {
	if len(q.agenda) == 0 {
		return time.Time{}, false
	}
	return q.agenda[0].plan.due, true
}

// Len returns the number of pods that the queue knows.
func (q *Queue[P]) Len() int { return len(q.pods) }

// Pending returns the number of pods for which an eviction is scheduled.
func (q *Queue[P]) Pending() int { return len(q.agenda) }

// Find returns the eviction that is scheduled for a pod, as it will be decided if
// nothing changes, and whether there is one.
func (q *Queue[P]) Find(key P) (Decision[P], bool) {
	p := q.pods[key]
	if p == nil || !p.plan.scheduled {
		return Decision[P]{}, false
	}
	return p.decision(Evict), true
}

// Scheduled iterates over all evictions that are scheduled, in no particular order,
// as they will be decided if nothing changes. The queue must not be changed
// meanwhile.
func (q *Queue[P]) Scheduled() iter.Seq[Decision[P]] {
	return func(yield func(Decision[P]) bool) {
		for _, p := range q.agenda {
			if !yield(p.decision(Evict)) {
				return
			}
		}
	}
}

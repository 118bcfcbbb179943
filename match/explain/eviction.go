package explain

import (
	"cmp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/internal/seconds"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Eviction says when a pod that runs on the node is evicted, what decides that, and
// when it would be evicted if its tolerations came in another order (rule E2). It is
// plain data, free to copy and to share. The zero Eviction means nothing.
type Eviction struct {
	// Listed is for the order of the list.
	Listed EvictionTime
	// Soonest and Latest are for the orders that evict the pod first and last. The
	// tolerations in ascending order of their seconds give the one, in descending
	// order the other; those without seconds have the most.
	Soonest, Latest EvictionTime
}

// OrderDecides reports whether some order of the tolerations gives another time
// than their own.
func (e Eviction) OrderDecides() bool {
	return !e.Soonest.same(&e.Latest)
}

// EvictionTime is when a pod is evicted, and why. It is plain data, free to copy and to
// share. The zero EvictionTime means nothing.
type EvictionTime struct {
	Eviction match.Eviction
	After    time.Duration // with EvictAfter, as in match.Verdict
	// Taint is the index of the taint that decides, as
	// [match.Verdict.EvictionTaint] is; -1 if the pod may stay.
	Taint int
	// Toleration is the index of the toleration whose seconds decide; -1 if no
	// toleration tolerates the taint, or if the pod may stay.
	Toleration int
	// By is the toleration with that index, or the zero Toleration if there is none. It
	// shares its seconds with the list.
	By toleration.Toleration
}

// same reports whether o and p are at the same time.
func (o *EvictionTime) same(p *EvictionTime) bool {
	return o.Eviction == p.Eviction && o.After == p.After
}

// decided reports whether the seconds of a toleration decide.
func (o *EvictionTime) decided() bool { return o.Eviction != match.Stay && o.Toleration >= 0 }

// stays is the outcome without taints.
var stays = EvictionTime{Taint: -1, Toleration: -1}

// add makes o the outcome with one more taint: the NoExecute taint x with the
// given index, for which the toleration with the index first counts, or none.
func (o *EvictionTime) add(index int, x *taint.Taint, list []toleration.Toleration, first int) {
	p := EvictionTime{Eviction: match.EvictNow, Taint: index, Toleration: -1}
	if first != nowhere {
		p.Toleration, p.By = first, list[first]
		after, evicted := match.EvictionDelay([]taint.Taint{*x}, list[first:first+1], comparing) // it counts
		switch {
		case !evicted:
			return
		case after > 0:
			p.Eviction, p.After = match.EvictAfter, after
		}
	}
	if o.sooner(&p) {
		*o = p
	}
}

// sooner reports whether p, of a later taint, is before o. An untolerated taint is
// before one that is tolerated for no time, because Kubernetes looks for it first.
func (o *EvictionTime) sooner(p *EvictionTime) bool {
	return cmp.Or(
		cmp.Compare(p.Eviction, o.Eviction),
		cmp.Compare(o.After, p.After),
		cmp.Compare(min(o.Toleration, 0), min(p.Toleration, 0)),
	) > 0
}

// newEviction explains the eviction. firsts has for each taint the index of the
// first toleration, or nowhere.
func (q *Query) newEviction(firsts []int) Eviction {
	ascending, descending := q.evicting(), q.evicting()
	slices.SortStableFunc(ascending, func(i, j int) int { return seconds.Compare(&q.Tolerations[i], &q.Tolerations[j]) })
	slices.SortStableFunc(descending, func(i, j int) int { return seconds.Compare(&q.Tolerations[j], &q.Tolerations[i]) })
	soonest, latest := newFinder(q.Tolerations, ascending), newFinder(q.Tolerations, descending)
	e := Eviction{stays, stays, stays}
	for i := range q.Taints {
		if x := &q.Taints[i]; x.Effect == taint.NoExecute {
			e.Listed.add(i, x, q.Tolerations, firsts[i])
			e.Soonest.add(i, x, q.Tolerations, soonest.first(x))
			e.Latest.add(i, x, q.Tolerations, latest.first(x))
		}
	}
	return e
}

// evicting returns the indexes of the tolerations that count for NoExecute taints.
func (q *Query) evicting() []int {
	return q.indexes(func(t *toleration.Toleration) bool {
		return (t.Effect == "" || taint.Evicting.Has(t.Effect)) && counts(q.Rules, t)
	})
}

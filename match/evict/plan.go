package evict

import (
	"unique"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// plan is when the pods of a group are to be evicted, and why. It is replaced as
// a whole.
type plan struct {
	due        int64                      // never if no eviction is scheduled
	since      int64                      // see planner.judge
	taint      unique.Handle[taint.Taint] // the first that is due, without TimeAdded
	toleration *toleration.Toleration     // whose seconds count; nil if none tolerates the taint
}

// scheduled reports whether the plan is to evict at all.
func (p *plan) scheduled() bool { return p.due != never }

// planner turns taints and tolerations into plans, by a policy, rules and a clock.
type planner struct {
	policy match.EvictionPolicy
	rules  toleration.Rules
	clock
}

// byKubernetes reports whether the policy is Kubernetes' own, under which the
// first plan remains in force (rule E5). Under the others a plan follows from the
// taints, the tolerations and when they met, and not from earlier plans.
func (r *planner) byKubernetes() bool {
	return r.policy != match.MostLenient && r.policy != match.SinceAdded
}

// judge returns the plan for pods with a list on a node with these taints, whatever plan they have.
//
// Under Kubernetes' policy all seconds count from now (rule E4), and since is now
// if an eviction is due at some time. Under the others the seconds for each taint
// count from when it was noticed, or from when the pods came if that was later:
// since is the moment they came, which matters only while the node has taints.
func (r *planner) judge(taints []taint.Taint, noticed []int64, tolerations []toleration.Toleration, since int64) plan {
	best := plan{due: never}
	if r.byKubernetes() {
		since = r.now
	}
	first := -1
	for i := range taints {
		start := since
		if !r.byKubernetes() {
			start = max(since, noticed[i])
		}
		at := r.time(start)
		if at.IsZero() { // which package match takes for a caller's mistake
			at = at.Add(1)
		}
		after, evicted := r.policy.Delay(taints[i:i+1], tolerations, at, r.rules)
		if !evicted {
			continue
		}
		due := later(start, after)
		if !match.Tolerates(tolerations, &taints[i], r.rules) {
			return plan{due: r.now, since: since, taint: name(&taints[i])}
		}
		if due < best.due { // E2: the least over the taints
			best.due, first = due, i
		}
	}
	switch {
	case first >= 0:
		best.taint, best.toleration = name(&taints[first]), r.counting(tolerations, &taints[first])
		best.since = since
	case !r.byKubernetes() && len(taints) > 0:
		best.since = since
	}
	return best
}

// name returns a taint without TimeAdded.
func name(t *taint.Taint) unique.Handle[taint.Taint] {
	return unique.Make(taint.Taint{Key: t.Key, Value: t.Value, Effect: t.Effect})
}

// counting returns the toleration whose seconds count for a taint that is
// tolerated.
func (r *planner) counting(tolerations []toleration.Toleration, t *taint.Taint) *toleration.Toleration {
	i, _ := match.FirstTolerating(tolerations, t, r.rules)
	best := &tolerations[i]
	if r.policy == match.MostLenient {
		for j := i + 1; j < len(tolerations); j++ {
			if u := &tolerations[j]; u.Tolerates(t, r.rules) && *u.TolerationSeconds > *best.TolerationSeconds {
				best = u
			}
		}
	}
	return best
}

// settle returns the plan that pods have from now on, if they had the plan old
// and next is what follows from the taints now. The reason is zero if there is
// nothing to report.
func (r *planner) settle(old, next plan) (plan, Reason) {
	switch {
	case !next.scheduled() && old.scheduled():
		return next, NoLimit
	case !next.scheduled():
		return next, 0
	case next.toleration == nil:
		return r.done(next), Untolerated
	case r.byKubernetes() && old.scheduled() && old.since < r.now: // E5
		return old, 0
	case next.due <= r.now:
		return r.done(next), TimeUp
	}
	return next, 0
}

// decide returns the plan that pods have from now on and, if the reason is not
// zero, the plan to report. If the node has no taints, gone is the reason why a
// scheduled eviction is cancelled.
func (q *Queue[P]) decide(n *node[P], l *list, old plan, gone Reason) (kept, told plan, why Reason) {
	next := q.judge(n.taints, n.noticed, l.tolerations, old.since)
	kept, why = q.settle(old, next)
	switch {
	case why.Evicts():
		return kept, next, why
	case why == NoLimit && len(n.taints) == 0:
		why = gone
	}
	return kept, old, why
}

// arrival returns the plan of pods that have just come, before any taint counts.
func (r *planner) arrival() plan {
	if r.byKubernetes() {
		return plan{due: never}
	}
	return plan{due: never, since: r.now}
}

// done returns the plan of pods that were evicted by the plan p: no eviction,
// until something changes.
func (r *planner) done(p plan) plan {
	if r.byKubernetes() {
		return plan{due: never}
	}
	return plan{due: never, since: p.since}
}

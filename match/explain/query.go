package explain

import (
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Query is a pod and a node to explain. The zero Query is about a node without
// taints in a default cluster. A Query may be copied, which shares the lists, and
// used concurrently; nothing here writes to the lists.
type Query struct {
	// Rules are those of the cluster: which tolerations count.
	Rules toleration.Rules
	// Taints are those of the node, in its order. To have the cordon before them, see
	// [taint.WithCordon]; indexes in answers are those of this list.
	Taints []taint.Taint
	// Tolerations are those of the pod, in its order, with those that admission
	// adds.
	Tolerations []toleration.Toleration
	// HideValues keeps the values of the taints out of every answer, as text, as
	// JSON and as values, for messages to people who may not see them. The values of
	// the pod's own tolerations are not hidden. Which of them tolerates a taint, what
	// differs about the nearest one, and what Edit and Correct change can still tell
	// the value of the taint, or what it is not. TaintNotInteger, which would tell about
	// it, is shown as ValueDiffers.
	HideValues bool
}

// Explanation is what the taints of a node mean to a pod, and why. It is plain
// data: it may be read concurrently, and a copy shares its slices. It shares
// strings, seconds and times with the lists of the [Query]. The zero Explanation is
// that of a node without taints, except for Eviction.
type Explanation struct {
	// Verdict is what match.Decide answers for the tolerations that count. Its
	// indexes are those of Reasons.
	Verdict match.Verdict
	// Reasons has one for each taint, in the order of the node.
	Reasons []Reason
	// Eviction is about a pod that runs on the node.
	Eviction Eviction
	// Truncated reports that there were more than 10,000 pairs of keys to compare, and the
	// rest was left out: a toleration may exist that is nearer than that of a Reason.
	Truncated bool
	// Invalid is what the API server refuses in the tolerations, whether the cluster counts Gt and
	// Lt or not: the error of [toleration.Rules.Validate], or nil. The answers are those of package
	// match all the same.
	Invalid error
}

// Reason is why a pod tolerates a taint or not. It is plain data, free to copy and
// to share. The zero Reason means nothing.
//
// A taint that is not tolerated has a nearest miss, the toleration that its author
// is most likely to have meant. The first of these kinds that the list has is near:
//
//  1. tolerations with the key of the taint;
//  2. those with the key that is most like it: misspelled (by one slip in names of
//     four to seven characters, by two in longer ones), in the wrong case, or the same
//     name with another prefix;
//  3. those without a key.
//
// Of one kind, those that match once the gate is on come first; then those with only the
// wrong effect; then those with only the wrong value; then those with both wrong. Within
// each of the four, one with the gate on comes before one with the gate off, and otherwise
// the first of the list is the nearest. No other toleration is near.
// At most 10,000 pairs of keys are compared for one [Explanation]; its Truncated says
// whether there were more. Keys of more than 317 bytes, which no valid taint has, are
// left out.
type Reason struct {
	// Taint is the taint of the node, without its value if values are hidden.
	Taint taint.Taint
	// Tolerated is whether some toleration that counts tolerates the taint.
	Tolerated bool
	// Index is the toleration in the list that tolerates the taint, the first one,
	// or else the nearest miss; -1 if no toleration is near.
	Index int
	// Toleration is the one with that index; the zero Toleration without one.
	Toleration toleration.Toleration
	// Differs is what keeps the nearest miss from tolerating the taint.
	Differs Mismatch
	// ValueHidden is whether the value of the taint is left out.
	ValueHidden bool
}

// Explain explains everything about q. It compares at most 10,000 pairs of keys to find
// misspelled ones.
func (q *Query) Explain() Explanation {
	tolerating, near := q.counting(), newMisses(q)
	e := Explanation{Invalid: toleration.Rules{Comparisons: true}.Validate(q.Tolerations)}
	firsts := make([]int, len(q.Taints))
	for i := range q.Taints {
		x := &q.Taints[i]
		firsts[i] = tolerating.first(x)
		e.Reasons = append(e.Reasons, near.reason(x, firsts[i]))
	}
	e.Eviction = q.newEviction(firsts)
	e.Verdict = e.verdict()
	e.Truncated = near.spellings.Exhausted()
	return e
}

// reason explains the taint x, which the toleration with the index first tolerates
// first.
func (m *misses) reason(x *taint.Taint, first int) Reason {
	r := Reason{Taint: *x, Tolerated: first != nowhere, Index: -1, ValueHidden: m.HideValues}
	i := first
	if !r.Tolerated {
		i = m.nearest(x)
	}
	if i != nowhere {
		r.Index, r.Toleration = i, m.Tolerations[i]
	}
	if i != nowhere && !r.Tolerated {
		r.Differs = mismatchOf(m.Rules, &r.Toleration, x)
	}
	if m.HideValues {
		r.hideValue()
	}
	return r
}

// hideValue removes the value of the taint, and what tells about it.
func (r *Reason) hideValue() {
	r.Taint.Value = ""
	if r.Differs&TaintNotInteger != 0 {
		r.Differs = r.Differs&^TaintNotInteger | ValueDiffers
	}
}

// verdict returns the verdict that the reasons and the eviction give.
func (e *Explanation) verdict() match.Verdict {
	var v match.Verdict
	for i := range e.Reasons {
		r := &e.Reasons[i]
		var s match.Scheduling
		switch {
		case r.Tolerated:
		case taint.Hard.Has(r.Taint.Effect):
			s = match.Unschedulable
		case taint.Soft.Has(r.Taint.Effect):
			s = match.Avoid
		}
		if s > v.Scheduling {
			v.Scheduling, v.SchedulingTaint = s, i
		}
	}
	listed := &e.Eviction.Listed
	v.Eviction, v.EvictionTaint, v.After = listed.Eviction, max(0, listed.Taint), listed.After
	return v
}

package compile

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// term is a toleration in the words of the vocabulary: what it tolerates first, after
// all that is before it in the list. A toleration that adds nothing is never the first
// to match a taint, so it has no term.
type term struct {
	mask, want TaintID         // the key and the pair that an ID has to have
	effects    taint.EffectSet // and the effects
	form       form
	index      int    // in the list
	bound      int64  // with aboveBound and belowBound
	value      string // with equalTo
}

// form says what is left to be tested of an ID that is as wanted under the mask.
type form uint8

const (
	masked     form = iota // nothing: Equal with a key, and Exists
	aboveBound             // Gt: the integer
	belowBound             // Lt: the integer
	equalTo                // Equal without a key: the value
)

// matches reports whether a term tolerates the taint of an ID.
func (m *Matcher) matches(t *term, id TaintID) bool {
	if (id^t.want)&t.mask != 0 || t.effects&id.Effects() == 0 {
		return false
	}
	if t.form == masked {
		return true
	}
	switch p := m.vocabulary.pairs.At(id.pair()); t.form {
	case aboveBound:
		return p.isInteger && p.integer > t.bound
	case belowBound:
		return p.isInteger && p.integer < t.bound
	default:
		return p.value == t.value
	}
}

// FirstTolerating returns what match.FirstTolerating does: the index of the first
// toleration of the list that tolerates the taint, and whether there is one. It is the
// one whose seconds count for eviction (rule E2). The time is that of
// [Matcher.Tolerates] if the taint is not tolerated, and else about a nanosecond for
// each toleration before it that is not redundant.
func (m *Matcher) FirstTolerating(id TaintID) (index int, ok bool) {
	if !m.Tolerates(id) || m.vocabulary.Uses(id) == 0 {
		return 0, false
	}
	if id.unknown() || m.changed() {
		t, _ := m.vocabulary.Taint(id)
		return match.FirstTolerating(m.tolerations, &t, m.rules)
	}
	for i := range m.order {
		if m.matches(&m.order[i], id) {
			return m.order[i].index, true
		}
	}
	return 0, false
}

// EvictionDelay returns what match.EvictionDelay does for a pod that runs on a node with
// the taints: under Kubernetes' policy, the seconds of the first toleration for each
// NoExecute taint, and of these the least (rules E1 to E3). IDs have no times, so the
// other policies are for package match. The time is that of [Matcher.FirstTolerating]
// for each NoExecute taint, and that of [Matcher.FirstUntolerated] if no toleration for
// NoExecute has seconds.
func (m *Matcher) EvictionDelay(ids []TaintID) (after time.Duration, evicted bool) {
	after, _, evicted = m.soonest(ids)
	return after, evicted
}

// soonest is EvictionDelay with the index of the taint that decides: the first that is
// not tolerated, or else the first with the least time.
func (m *Matcher) soonest(ids []TaintID) (after time.Duration, index int, evicted bool) {
	if i, now := m.FirstUntolerated(ids, taint.Evicting); now || !m.limited {
		return 0, i, now
	}
	for i, id := range ids {
		if id.Effects() != taint.Evicting {
			continue
		}
		first, ok := m.FirstTolerating(id)
		if !ok { // an ID that is not in use
			continue
		}
		if seconds := m.tolerations[first].TolerationSeconds; seconds != nil {
			if granted := duration(*seconds); !evicted || granted < after {
				after, index, evicted = granted, i, true
			}
		}
	}
	return after, index, evicted
}

// duration is a number of seconds, not less than zero and saturated (rules E2, E3).
func duration(seconds int64) time.Duration {
	if seconds > int64(match.MaxDelay/time.Second) {
		return match.MaxDelay
	}
	return time.Duration(max(0, seconds)) * time.Second
}

// Decide returns what match.Decide does; the indexes are those in ids.
func (m *Matcher) Decide(ids []TaintID) match.Verdict {
	var v match.Verdict
	if i, hard := m.FirstUntolerated(ids, taint.Hard); hard {
		v.Scheduling, v.SchedulingTaint = match.Unschedulable, i
	} else if i, soft := m.FirstUntolerated(ids, taint.Soft); soft {
		v.Scheduling, v.SchedulingTaint = match.Avoid, i
	}
	after, i, evicted := m.soonest(ids)
	switch {
	case evicted && after == 0:
		v.Eviction, v.EvictionTaint = match.EvictNow, i
	case evicted:
		v.Eviction, v.EvictionTaint, v.After = match.EvictAfter, i, after
	}
	return v
}

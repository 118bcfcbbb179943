package compile

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Matcher answers the questions of package match for one toleration list.
//
// Matchers come from [New]; the zero Matcher tolerates nothing, as one made from
// an empty list. A copy shares everything with the original. A Matcher is
// immutable and may be used concurrently, and retains a copy of its list, whose
// strings and seconds it shares.
type Matcher struct {
	tolerations []toleration.Toleration // the list, in its order

	anyKey group // what is tolerated whatever the key
	keys   table // what is tolerated of one key

	// odd are the tolerations with an unknown effect, which an EffectSet does
	// not tell apart. They can only tolerate taints with an unknown effect.
	odd []toleration.Toleration
	// uncommon is whether there are odd tolerations, or some with an empty key
	// and another operator than Exists, which validation refuses.
	uncommon bool

	// evicting are the tolerations whose seconds can count, in the order of the
	// list. It is nil if no seconds are set.
	evicting []toleration.Toleration
}

// New compiles tolerations, valid or not. It retains nothing of the list but its
// strings and seconds. The time is proportional to the length.
func New(tolerations []toleration.Toleration) *Matcher {
	m := &Matcher{tolerations: slices.Clone(tolerations)}
	var b builder
	for i := range m.tolerations {
		b.add(&m.tolerations[i])
	}
	b.finish(m)
	m.evicting = firstForSome(m.tolerations)
	return m
}

// AppendTolerations appends the list that m was made from to dst and returns
// the extended slice, which shares strings and seconds with m.
func (m *Matcher) AppendTolerations(dst []toleration.Toleration) []toleration.Toleration {
	return append(dst, m.tolerations...)
}

// Tolerates reports what match.Tolerates does. The time does not depend on the
// length of the list, but for chance.
func (m *Matcher) Tolerates(t *taint.Taint) bool {
	return m.tolerates(t, t.Effect.Set())
}

// tolerates is Tolerates for a taint whose effect makes the given set.
func (m *Matcher) tolerates(t *taint.Taint, effect taint.EffectSet) bool {
	if m.anyKey.every&effect != 0 {
		return true
	}
	// This is group.tolerates, which is too large to be inlined.
	if g := m.keys.find(t.Key); g.every&effect != 0 || g.some&effect != 0 && g.value == t.Value || g.rest != nil && g.rest.tolerates(t.Value, effect) {
		return true
	}
	return m.uncommon && m.toleratesUncommon(t, effect)
}

func (m *Matcher) toleratesUncommon(t *taint.Taint, effect taint.EffectSet) bool {
	if m.anyKey.tolerates(t.Value, effect) {
		return true
	}
	return effect == taint.OtherEffects && match.Tolerates(m.odd, t)
}

// FirstTolerating returns what match.FirstTolerating does. The time is
// proportional to the length of the list if the taint is tolerated, and that of
// Tolerates if not.
func (m *Matcher) FirstTolerating(t *taint.Taint) (index int, ok bool) {
	if !m.Tolerates(t) {
		return 0, false
	}
	return match.FirstTolerating(m.tolerations, t)
}

// Filter appends to dst what match.Filter does. dst may be taints[:0] but must
// not overlap taints in any other way.
func (m *Matcher) Filter(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
	for i := range taints {
		effect := taints[i].Effect.Set()
		if effects&effect != 0 && !m.tolerates(&taints[i], effect) {
			dst = append(dst, taints[i])
		}
	}
	return dst
}

// FirstUntolerated returns what match.FirstUntolerated does.
func (m *Matcher) FirstUntolerated(taints []taint.Taint, effects taint.EffectSet) (index int, ok bool) {
	for i := range taints {
		effect := taints[i].Effect.Set()
		if effects&effect != 0 && !m.tolerates(&taints[i], effect) {
			return i, true
		}
	}
	return 0, false
}

// CountUntolerated returns what match.CountUntolerated does.
func (m *Matcher) CountUntolerated(taints []taint.Taint, effects taint.EffectSet) int64 {
	var count int64
	for i := range taints {
		effect := taints[i].Effect.Set()
		if effects&effect != 0 && !m.tolerates(&taints[i], effect) {
			count++
		}
	}
	return count
}

// Decide returns what match.Decide does.
func (m *Matcher) Decide(taints []taint.Taint) match.Verdict {
	var v match.Verdict
	limited := false // a tolerated NoExecute taint may limit the time
	for i := range taints {
		effect := taints[i].Effect.Set()
		switch {
		case m.tolerates(&taints[i], effect):
			limited = limited || effect == taint.Evicting && m.evicting != nil
		case effect&taint.Hard != 0:
			if v.Scheduling != match.Unschedulable {
				v.Scheduling, v.SchedulingTaint = match.Unschedulable, i
			}
			if effect == taint.Evicting && v.Eviction == match.Stay {
				v.Eviction, v.EvictionTaint = match.EvictNow, i
			}
		case effect == taint.Soft && v.Scheduling == match.Schedulable:
			v.Scheduling, v.SchedulingTaint = match.Avoid, i
		}
	}
	if limited && v.Eviction == match.Stay { // all NoExecute taints are tolerated
		timed := match.Decide(taints, m.evicting)
		v.Eviction, v.EvictionTaint, v.After = timed.Eviction, timed.EvictionTaint, timed.After
	}
	return v
}

// EvictionDelay returns what match.EvictionDelay does.
func (m *Matcher) EvictionDelay(taints []taint.Taint) (after time.Duration, evicted bool) {
	return m.Delay(taints, match.FirstMatch, time.Time{})
}

// Delay returns what the method Delay of the policy does.
func (m *Matcher) Delay(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (after time.Duration, evicted bool) {
	if m.evicting != nil {
		return p.Delay(taints, m.evicting, now)
	}
	_, evicted = m.FirstUntolerated(taints, taint.Evicting)
	return 0, evicted
}

package gentest

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// Matcher is the generated code for one list. Each field answers as the function
// of package match with its name. All have to be set; the zero Matcher is of no
// use. A copy shares the functions, and may be used as concurrently as they may.
type Matcher struct {
	Tolerates        func(t *taint.Taint) bool
	FirstUntolerated func(taints []taint.Taint, effects taint.EffectSet) (index int, ok bool)
	Decide           func(taints []taint.Taint) match.Verdict
	EvictionDelay    func(taints []taint.Taint) (after time.Duration, evicted bool)

	nameless bool // whether the verdict does not tell which taints decided
}

// Standalone is generated code that stands alone, with the signatures that it
// has. What is said of a [Matcher] is true of it.
type Standalone struct {
	Tolerates        func(key, value, effect string) bool
	FirstUntolerated func(n int, at func(i int) (key, value, effect string), effects ...string) (index int, ok bool)
	Decide           func(n int, at func(i int) (key, value, effect string)) (unschedulable, avoid bool, after int64, evicted bool)
	EvictionDelay    func(n int, at func(i int) (key, value, effect string)) (after int64, evicted bool)
}

// Matcher returns s in terms of taints.
func (s Standalone) Matcher() Matcher {
	return Matcher{
		nameless:  true,
		Tolerates: func(t *taint.Taint) bool { return s.Tolerates(t.Key, t.Value, string(t.Effect)) },
		FirstUntolerated: func(taints []taint.Taint, effects taint.EffectSet) (int, bool) {
			return s.FirstUntolerated(len(taints), at(taints), names(taints, effects)...)
		},
		Decide: func(taints []taint.Taint) match.Verdict {
			return verdict(s.Decide(len(taints), at(taints)))
		},
		EvictionDelay: func(taints []taint.Taint) (time.Duration, bool) {
			after, evicted := s.EvictionDelay(len(taints), at(taints))
			return time.Duration(after), evicted
		},
	}
}

func at(taints []taint.Taint) func(i int) (key, value, effect string) {
	return func(i int) (key, value, effect string) {
		return taints[i].Key, taints[i].Value, string(taints[i].Effect)
	}
}

// names returns the effects of a set; of the unknown ones, those of the taints.
func names(taints []taint.Taint, effects taint.EffectSet) []string {
	var list []string
	for _, e := range [...]taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
		if effects.Has(e) {
			list = append(list, string(e))
		}
	}
	for i := range taints {
		if e := taints[i].Effect; !e.Known() && effects.Has(e) {
			list = append(list, string(e))
		}
	}
	return list
}

// verdict returns the four results as one. Contradictory ones become a verdict
// that package match never gives.
func verdict(unschedulable, avoid bool, after int64, evicted bool) match.Verdict {
	v := match.Verdict{After: time.Duration(after)}
	switch {
	case unschedulable && avoid:
		v.Scheduling = match.Unschedulable + 1
	case unschedulable:
		v.Scheduling = match.Unschedulable
	case avoid:
		v.Scheduling = match.Avoid
	}
	switch {
	case evicted && after == 0:
		v.Eviction = match.EvictNow
	case evicted:
		v.Eviction = match.EvictAfter
	}
	return v
}

package matchtest

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Matcher holds the answers of one matcher for one toleration list. Each field
// has the meaning of the function of package match with its name. Fields may be
// nil: what a matcher does not answer is not asked. A matcher whose Filter or
// count takes no effects answers for [taint.AllEffects] only: wrap it to leave
// the others out, or leave the field nil.
//
// The zero Matcher answers nothing, and [Run] refuses it. Copying a Matcher
// shares what its functions share, and it may be used as concurrently as they
// may. It retains its functions.
type Matcher struct {
	Tolerates            func(t *taint.Taint) bool
	FirstTolerating      func(t *taint.Taint) (index int, ok bool)
	Filter               func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint
	FirstUntolerated     func(taints []taint.Taint, effects taint.EffectSet) (index int, ok bool)
	FirstUntoleratedFunc func(taints []taint.Taint, effects taint.EffectSet, keep func(*taint.Taint) bool) (index int, ok bool)
	CountUntolerated     func(taints []taint.Taint, effects taint.EffectSet) int64
	Decide               func(taints []taint.Taint) match.Verdict
	EvictionDelay        func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (after time.Duration, evicted bool)
}

// New makes a matcher for a toleration list, which may be nil. Neither New nor
// the matcher may change the list. The list may change once the matcher is no
// longer asked.
type New func(tolerations []toleration.Toleration) Matcher

// Canonical is package match as a matcher, for a default cluster or for one with
// the given rules. It retains tolerations.
func Canonical(rules ...toleration.Rules) New {
	return func(tolerations []toleration.Toleration) Matcher { return canonical(tolerations, rules) }
}

func canonical(tolerations []toleration.Toleration, rules []toleration.Rules) Matcher {
	return Matcher{
		Tolerates:       func(t *taint.Taint) bool { return match.Tolerates(tolerations, t, rules...) },
		FirstTolerating: func(t *taint.Taint) (int, bool) { return match.FirstTolerating(tolerations, t, rules...) },
		Filter: func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			return match.Filter(dst, taints, tolerations, effects, rules...)
		},
		FirstUntolerated: func(taints []taint.Taint, effects taint.EffectSet) (int, bool) {
			return match.FirstUntolerated(taints, tolerations, effects, rules...)
		},
		FirstUntoleratedFunc: func(taints []taint.Taint, effects taint.EffectSet, keep func(*taint.Taint) bool) (int, bool) {
			return match.FirstUntoleratedFunc(taints, tolerations, effects, keep, rules...)
		},
		CountUntolerated: func(taints []taint.Taint, effects taint.EffectSet) int64 {
			return match.CountUntolerated(taints, tolerations, effects, rules...)
		},
		Decide: func(taints []taint.Taint) match.Verdict { return match.Decide(taints, tolerations, rules...) },
		EvictionDelay: func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool) {
			return p.Delay(taints, tolerations, now, rules...)
		},
	}
}

func (m *Matcher) empty() bool {
	return m.Tolerates == nil && m.FirstTolerating == nil && m.Filter == nil &&
		m.FirstUntolerated == nil && m.FirstUntoleratedFunc == nil && m.CountUntolerated == nil &&
		m.Decide == nil && m.EvictionDelay == nil
}

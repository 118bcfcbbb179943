package matchtest

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Matcher is the answers of one matcher for one toleration list. Each field has
// the meaning of the function of package match with its name. Fields may be
// nil: what a matcher does not answer is not asked.
//
// The zero Matcher answers nothing, and [Run] refuses it. Copying a Matcher
// shares what its functions share.
type Matcher struct {
	Tolerates        func(t *taint.Taint) bool
	FirstTolerating  func(t *taint.Taint) (index int, ok bool)
	Filter           func(dst, taints []taint.Taint) []taint.Taint
	FirstUntolerated func(taints []taint.Taint, effects taint.EffectSet) (index int, ok bool)
	Decide           func(taints []taint.Taint) match.Verdict
	Score            func(taints []taint.Taint) int64
	EvictionDelay    func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (after time.Duration, evicted bool)
}

// New makes a matcher for a toleration list, which it must not change.
type New func(tolerations []toleration.Toleration) Matcher

// Canonical is package match as a matcher. It retains tolerations.
func Canonical(tolerations []toleration.Toleration) Matcher {
	return Matcher{
		Tolerates:       func(t *taint.Taint) bool { return match.Tolerates(tolerations, t) },
		FirstTolerating: func(t *taint.Taint) (int, bool) { return match.FirstTolerating(tolerations, t) },
		Filter: func(dst, taints []taint.Taint) []taint.Taint {
			return match.Filter(dst, taints, tolerations)
		},
		FirstUntolerated: func(taints []taint.Taint, effects taint.EffectSet) (int, bool) {
			return match.FirstUntolerated(taints, tolerations, effects)
		},
		Decide: func(taints []taint.Taint) match.Verdict { return match.Decide(taints, tolerations) },
		Score:  func(taints []taint.Taint) int64 { return match.Score(taints, tolerations) },
		EvictionDelay: func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool) {
			return p.Delay(taints, tolerations, now)
		},
	}
}

func (m *Matcher) empty() bool {
	return m.Tolerates == nil && m.FirstTolerating == nil && m.Filter == nil && m.FirstUntolerated == nil &&
		m.Decide == nil && m.Score == nil && m.EvictionDelay == nil
}

package matchtest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// lawless are matchers that break a law, one for each way to break it.
var lawless = map[string]struct {
	law     string
	matcher matchtest.New
}{
	"tolerating all leaves something": {"tolerates all", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		m.Filter = matchtest.Canonical(comparisons)(withoutAnyKey(list)).Filter
	})},
	"tolerating all does not schedule": {"tolerates all", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		m.Decide = matchtest.Canonical(comparisons)(withoutAnyKey(list)).Decide
	})},
	"tolerating all evicts": {"tolerates all", deciding(func(v *match.Verdict) {
		v.Eviction = match.EvictNow
	})},
	"too many tolerations": {"more tolerations", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		if len(list) > 4 {
			m.Tolerates = func(*taint.Taint) bool { return false }
		}
	})},
	"scheduling by the first toleration": {"order of tolerations", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		m.Decide = matchtest.Canonical(comparisons)(list[:min(1, len(list))]).Decide
	})},
	"taint by the first toleration": {"order of tolerations", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		right := m.Decide
		m.Decide = func(taints []taint.Taint) match.Verdict {
			v := right(taints)
			if len(list) > 0 {
				v.SchedulingTaint = len(list[0].Key)
			}
			return v
		}
	})},
	"count by the first toleration": {"order of tolerations", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		m.CountUntolerated = matchtest.Canonical(comparisons)(list[:min(1, len(list))]).CountUntolerated
	})},
	"lenient delay by the first match": {"order of tolerations", changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		right := m.EvictionDelay
		m.EvictionDelay = func(taints []taint.Taint, _ match.EvictionPolicy, now time.Time) (time.Duration, bool) {
			return right(taints, match.FirstMatch, now)
		}
	})},
	"first counts all effects as hard": {"parts of a verdict", changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		m.FirstUntolerated, m.CountUntolerated = ignoringEffects(m.FirstUntolerated), nil
	})},
	"verdict names the first taint": {"parts of a verdict", deciding(func(v *match.Verdict) { v.SchedulingTaint = 0 })},
	"verdict never avoids": {"parts of a verdict", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		*m = deciding(func(v *match.Verdict) {
			if v.Scheduling == match.Avoid {
				v.Scheduling = match.Schedulable
			}
		})(list)
		m.FirstUntolerated = nil
	})},
	"verdict refuses what is to be avoided": {"parts of a verdict", changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		*m = deciding(func(v *match.Verdict) {
			if v.Scheduling == match.Avoid {
				v.Scheduling = match.Unschedulable
			}
		})(list)
		m.FirstUntolerated = nil
	})},
	"verdict has a time and stays": {"time of a verdict", deciding(func(v *match.Verdict) {
		if v.Eviction == match.EvictAfter {
			v.Eviction = match.Stay
		}
	})},
	"verdict is early by a nanosecond": {"time of a verdict", deciding(func(v *match.Verdict) {
		if v.Eviction == match.EvictAfter {
			v.After -= time.Nanosecond
		}
	})},
	"verdict names a taint and stays": {"time of a verdict", deciding(func(v *match.Verdict) {
		if v.Eviction == match.Stay {
			v.EvictionTaint = 1
		}
	})},
	"verdict names the wrong taint": {"time of a verdict", deciding(func(v *match.Verdict) { v.EvictionTaint = 0 })},
	"first toleration of none": {"one by one", changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		m.FirstTolerating = func(*taint.Taint) (int, bool) { return 0, true }
	})},
	"filter drops long lists": {"one by one", filtering(func(right filter) filter {
		return func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			return right(dst, taints[:min(2, len(taints))], effects)
		}
	})},
	"count has each once":         {"one by one", wrong["count has each taint once"]},
	"filter has all effects":      {"effects", wrong["filter ignores the effects"]},
	"first has all effects":       {"effects", wrong["first untolerated ignores the effects"]},
	"the first has no predicate":  {"predicate", changing(func(m *matchtest.Matcher, list []toleration.Toleration) { withoutPredicate(m) })},
	"first has no predicate":      {"predicate", wrong["first untolerated ignores the predicate"]},
	"three taints schedule again": {"more taints", manyTaints(func(v *match.Verdict) { v.Scheduling = match.Schedulable })},
	"three taints stay again":     {"more taints", manyTaints(func(v *match.Verdict) { v.Eviction = match.Stay })},
}

// Each law can fail, in each of its parts.
func TestLawlessMatchersFail(t *testing.T) {
	laws := map[string]bool{}
	for name, c := range lawless {
		laws[c.law] = true
		t.Run(name, func(t *testing.T) {
			mustFail(t, name, "^TestWrong$/^laws$/^"+strings.ReplaceAll(c.law, " ", "_")+"$")
		})
	}
	if len(laws) != matchtest.Laws {
		t.Errorf("%d laws are broken, of %d", len(laws), matchtest.Laws)
	}
}

func withoutAnyKey(list []toleration.Toleration) []toleration.Toleration {
	return slices.DeleteFunc(slices.Clone(list), func(t toleration.Toleration) bool { return t.Key == "" })
}

func withoutPredicate(m *matchtest.Matcher) {
	right := m.FirstUntolerated
	m.FirstUntoleratedFunc = func(taints []taint.Taint, effects taint.EffectSet, _ func(*taint.Taint) bool) (int, bool) {
		return right(taints, effects)
	}
}

// manyTaints changes the verdict for nodes with more than two taints.
func manyTaints(change func(v *match.Verdict)) matchtest.New {
	return changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		right := m.Decide
		m.Decide = func(taints []taint.Taint) match.Verdict {
			v := right(taints)
			if len(taints) > 2 {
				change(&v)
			}
			return v
		}
	})
}

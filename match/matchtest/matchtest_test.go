package matchtest_test

import (
	"cmp"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

var comparisons = toleration.Rules{Comparisons: true}

// A matcher may answer as little as one question. That one that answers all of them passes,
// package match shows of Spec.
func TestPartialMatcherPasses(t *testing.T) {
	matchtest.Run(t, func(tolerations []toleration.Toleration) matchtest.Matcher {
		return matchtest.Matcher{Tolerates: matchtest.Canonical()(tolerations).Tolerates}
	})
}

// wrong are matchers with the errors that implementations really make. Each is
// wrong in one answer only.
var wrong = map[string]matchtest.New{
	"answers nothing": func([]toleration.Toleration) matchtest.Matcher { return matchtest.Matcher{} },

	"empty key with Exists skips the effect": tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		return t.Key == "" && t.Operator == toleration.OpExists || t.Tolerates(x, comparisons)
	}),
	"empty key needs Exists": tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		return (t.Key != "" || t.Operator == toleration.OpExists) && t.Tolerates(x, comparisons)
	}),
	"empty effect matches known effects only": tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		return t.Tolerates(x, comparisons) && (t.Effect != "" || x.Effect.Known())
	}),
	"Exists compares values": tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		return t.Tolerates(x, comparisons) && (t.Operator != toleration.OpExists || t.Value == "" || t.Value == x.Value)
	}),
	"unknown operator matches": tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		known := []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt}
		if !slices.Contains(known, t.Operator) {
			t = &toleration.Toleration{Key: t.Key, Operator: toleration.OpExists, Effect: t.Effect}
		}
		return t.Tolerates(x, comparisons)
	}),
	"integers as strconv reads them": comparing(func(s string) (int64, error) {
		return strconv.ParseInt(s, 10, 64)
	}),
	"overflow is cut to the limit": comparing(func(s string) (int64, error) {
		n, _ := strconv.ParseInt(s, 10, 64)
		return n, nil
	}),
	"the gate is off": tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		return !t.Operator.Comparison() && t.Tolerates(x, comparisons)
	}),
	"negative seconds do not match": tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		return (t.TolerationSeconds == nil || *t.TolerationSeconds >= 0) && t.Tolerates(x, comparisons)
	}),

	"first tolerating is the last": changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		m.FirstTolerating = last(list)
	}),
	"first untolerated ignores the effects": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		m.FirstUntolerated = ignoringEffects(m.FirstUntolerated)
	}),
	"first untolerated ignores the predicate": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		right := m.FirstUntolerated
		m.FirstUntoleratedFunc = func(taints []taint.Taint, effects taint.EffectSet, _ func(*taint.Taint) bool) (int, bool) {
			return right(taints, effects)
		}
	}),
	"count has each taint once": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		m.CountUntolerated = deduplicating(m.CountUntolerated)
	}),
	"NoExecute does not refuse": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		m.Decide = notRefusing(m.Decide, m.FirstUntolerated)
	}),
	"the verdict names no taint of scheduling": deciding(func(v *match.Verdict) { v.SchedulingTaint = 0 }),
	"the verdict names no taint of eviction":   deciding(func(v *match.Verdict) { v.EvictionTaint = 0 }),
	"delay is that of the least toleration": changing(func(m *matchtest.Matcher, list []toleration.Toleration) {
		m.EvictionDelay = leastFirst(list)
	}),
	"delay overflows": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		m.EvictionDelay = overflowing(m.EvictionDelay)
	}),
	"the zero time counts": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		m.EvictionDelay = countingZero(m.EvictionDelay)
	}),
	"the taints are sorted": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		right := m.Decide
		m.Decide = func(taints []taint.Taint) match.Verdict {
			v := right(taints)
			slices.SortFunc(taints, func(a, b taint.Taint) int { return cmp.Compare(a.Key, b.Key) })
			return v
		}
	}),

	"filter reverses": filtering(func(right filter) filter {
		return func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			left := right(nil, taints, effects)
			slices.Reverse(left)
			return append(dst, left...)
		}
	}),
	"filter ignores the effects": filtering(func(right filter) filter {
		return func(dst, taints []taint.Taint, _ taint.EffectSet) []taint.Taint {
			return right(dst, taints, taint.AllEffects)
		}
	}),
	"filter drops what dst holds": filtering(func(right filter) filter {
		return func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			return right(dst[:0], taints, effects)
		}
	}),
	"filter makes a new slice": filtering(func(right filter) filter {
		return func(_, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			return right(nil, taints, effects)
		}
	}),
	"filter counts on room": filtering(func(right filter) filter {
		return func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			if cap(dst) > 0 && len(dst) == cap(dst) {
				return dst
			}
			return right(dst, taints, effects)
		}
	}),
	"filter in place overwrites what it has yet to read": filtering(func(right filter) filter {
		return func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			before := len(dst)
			for i := range slices.Backward(taints) { // one by one from the end
				dst = right(dst, taints[i:i+1], effects)
			}
			slices.Reverse(dst[before:])
			return dst
		}
	}),
	"the predicate is asked twice": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		right := m.FirstUntoleratedFunc
		m.FirstUntoleratedFunc = func(taints []taint.Taint, effects taint.EffectSet, keep func(*taint.Taint) bool) (int, bool) {
			if keep != nil && len(taints) > 0 {
				keep(&taints[0])
			}
			return right(taints, effects, keep)
		}
	}),
	"the predicate is asked of copies": changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		right := m.FirstUntoleratedFunc
		m.FirstUntoleratedFunc = func(taints []taint.Taint, effects taint.EffectSet, keep func(*taint.Taint) bool) (int, bool) {
			return right(slices.Clone(taints), effects, keep)
		}
	}),
}

// Run fails for every one of them.
func TestWrongMatchersFail(t *testing.T) {
	for name := range wrong {
		t.Run(name, func(t *testing.T) { mustFail(t, name, "^TestWrong$") })
	}
	t.Run(theGateIsOn, func(t *testing.T) { mustFail(t, theGateIsOn, "^TestWrong$") })
}

// mustFail runs a test that runs the matcher of that name. A failing run would
// fail this test too, so it is made in a process of its own.
func mustFail(t *testing.T, name, pattern string) {
	t.Parallel()
	run := exec.Command(os.Args[0], "-test.run="+pattern, "-test.short", "-test.failfast", "-rapid.nofailfile", "-rapid.checks=2000")
	run.Env = append(os.Environ(), wrongMatcher+"="+name)
	if output, err := run.CombinedOutput(); err == nil {
		t.Errorf("the run passed:\n%s", output)
	} else if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 {
		t.Errorf("%v:\n%s", err, output)
	} else if !strings.Contains(string(output), "--- FAIL") || strings.Contains(string(output), "panic") {
		t.Errorf("the run did not fail in a test:\n%s", output)
	}
}

// theGateIsOn names a matcher that is wrong in a default cluster, unlike the others,
// which are wrong in one with comparisons.
const theGateIsOn = "the gate is on"

// wrongMatcher is the variable that names the matcher to run.
const wrongMatcher = "MATCHTEST_WRONG"

func TestWrong(t *testing.T) {
	name := os.Getenv(wrongMatcher)
	if name == "" {
		t.SkipNow() // this is for the processes of other tests
	}
	if name == theGateIsOn {
		matchtest.Run(t, matchtest.Canonical(comparisons))
	} else if m, found := wrong[name]; found {
		matchtest.Run(t, m, comparisons)
	} else {
		matchtest.Run(t, lawless[name].matcher, comparisons)
	}
}

// tolerating makes a matcher that asks tolerates for each toleration, and
// answers nothing but Tolerates.
func tolerating(tolerates func(*toleration.Toleration, *taint.Taint) bool) matchtest.New {
	return func(tolerations []toleration.Toleration) matchtest.Matcher {
		return matchtest.Matcher{Tolerates: func(x *taint.Taint) bool {
			return slices.ContainsFunc(tolerations, func(t toleration.Toleration) bool { return tolerates(&t, x) })
		}}
	}
}

// comparing makes a matcher that reads integers with parse.
func comparing(parse func(string) (int64, error)) matchtest.New {
	return tolerating(func(t *toleration.Toleration, x *taint.Taint) bool {
		if !t.Operator.Comparison() {
			return t.Tolerates(x, comparisons)
		}
		exists := toleration.Toleration{Key: t.Key, Operator: toleration.OpExists, Effect: t.Effect}
		bound, err1 := parse(t.Value)
		n, err2 := parse(x.Value)
		inOrder := n > bound
		if t.Operator == toleration.OpLt {
			inOrder = n < bound
		}
		return err1 == nil && err2 == nil && inOrder && exists.Tolerates(x)
	})
}

// changing makes the canonical matcher with one answer changed.
func changing(change func(m *matchtest.Matcher, list []toleration.Toleration)) matchtest.New {
	return func(tolerations []toleration.Toleration) matchtest.Matcher {
		m := matchtest.Canonical(comparisons)(tolerations)
		change(&m, tolerations)
		return m
	}
}

// deciding makes the canonical matcher with its verdicts changed.
func deciding(change func(v *match.Verdict)) matchtest.New {
	return changing(func(m *matchtest.Matcher, _ []toleration.Toleration) {
		right := m.Decide
		m.Decide = func(taints []taint.Taint) match.Verdict {
			v := right(taints)
			change(&v)
			return v
		}
	})
}

// filtering makes the canonical matcher with another Filter.
func filtering(change func(right filter) filter) matchtest.New {
	return changing(func(m *matchtest.Matcher, _ []toleration.Toleration) { m.Filter = change(m.Filter) })
}

// The types of the answers that are changed.
type (
	filter  = func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint
	first   = func(taints []taint.Taint, effects taint.EffectSet) (int, bool)
	decide  = func(taints []taint.Taint) match.Verdict
	count   = func(taints []taint.Taint, effects taint.EffectSet) int64
	delayed = func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool)
)

func last(list []toleration.Toleration) func(*taint.Taint) (int, bool) {
	return func(x *taint.Taint) (int, bool) {
		for i := range slices.Backward(list) {
			if list[i].Tolerates(x, comparisons) {
				return i, true
			}
		}
		return 0, false
	}
}

func ignoringEffects(right first) first {
	return func(taints []taint.Taint, _ taint.EffectSet) (int, bool) {
		return right(taints, taint.AllEffects)
	}
}

func deduplicating(right count) count {
	return func(taints []taint.Taint, effects taint.EffectSet) int64 {
		return right(slices.CompactFunc(slices.Clone(taints), func(a, b taint.Taint) bool { return a.Matches(&b) }), effects)
	}
}

func notRefusing(right decide, first first) decide {
	return func(taints []taint.Taint) match.Verdict {
		v := right(taints)
		if _, refused := first(taints, taint.NoSchedule.Set()); !refused {
			v.Scheduling = min(v.Scheduling, match.Avoid)
		}
		return v
	}
}

func leastFirst(list []toleration.Toleration) delayed {
	sorted := slices.SortedStableFunc(slices.Values(list), func(a, b toleration.Toleration) int {
		switch {
		case a.TolerationSeconds == nil && b.TolerationSeconds == nil:
			return 0
		case a.TolerationSeconds == nil:
			return 1
		case b.TolerationSeconds == nil:
			return -1
		}
		return cmp.Compare(*a.TolerationSeconds, *b.TolerationSeconds)
	})
	return matchtest.Canonical(comparisons)(sorted).EvictionDelay
}

func overflowing(right delayed) delayed {
	return func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool) {
		after, evicted := right(taints, p, now)
		if after == match.MaxDelay {
			return 0, false
		}
		return after, evicted
	}
}

// countingZero takes the zero time for a time long ago.
func countingZero(right delayed) delayed {
	return func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool) {
		taints = slices.Clone(taints)
		for i := range taints {
			if added := taints[i].TimeAdded; added != nil && added.IsZero() {
				taints[i].TimeAdded = &taint.Time{Time: now.AddDate(-290, 0, 0)}
			}
		}
		return right(taints, p, now)
	}
}

package gen

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// TestPlansAgreeWithMatch follows the plans of random lists as the code does
// that is made from them. Nothing has to be compiled for
// it, so it gets through many lists.
func TestPlansAgreeWithMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		comparePlans(t, taints, matchtest.Tolerations(taints).Draw(t, "tolerations"))
	})
}

// comparing are the rules of a cluster with Gt and Lt.
var comparing = toleration.Rules{Comparisons: true}

// failer is what a comparison needs of a testing.T or a rapid.T.
type failer interface{ Fatalf(string, ...any) }

func comparePlans(t failer, taints []taint.Taint, list []toleration.Toleration) {
	list = Repaired(list)
	m, _ := toleration.NewMeaning(list)
	p, s := newPlan(list), newStayPlan(m)
	for i := range taints {
		x := &taints[i]
		if got, want := p.first(x) != nil, match.Tolerates(list, x, comparing); got != want {
			t.Fatalf("%q: %v, want %v\n%+v", x, got, want, p)
		}
		if x.Effect != taint.NoExecute {
			continue
		}
		after, evicted := time.Duration(0), true
		if first := s.first(x); first != nil {
			after, evicted = max(0, first.after), first.after >= 0
		}
		if want, wantEvicted := match.EvictionDelay([]taint.Taint{*x}, list, comparing); after != want || evicted != wantEvicted {
			t.Fatalf("%q: %v, %v, want %v, %v\n%+v", x, after, evicted, want, wantEvicted, s)
		}
		if evicted && after > 0 && !s.limited() {
			t.Fatalf("%q: %v, and no time is limited\n%+v", x, after, s)
		}
	}
}

// first returns the first term that holds for x, or nil, as the code does that is made from
// the plan.
func (p *plan) first(x *taint.Taint) *term {
	n, integer := decimal.Parse(x.Value)
	within := func(bound string, inside int) bool {
		b, set := decimal.Parse(bound)
		return set && integer && cmp.Compare(n, b) == inside
	}
	terms := p.anyKey
	for _, g := range p.groups {
		if slices.Contains(g.keys, x.Key) {
			terms = slices.Concat(g.terms, p.anyKey)
		}
	}
	for i := range terms {
		t := &terms[i]
		if (t.effects == nil || slices.Contains(t.effects, x.Effect)) &&
			(t.every || slices.Contains(t.single, x.Value) || within(t.above, 1) || within(t.below, -1)) {
			return t
		}
	}
	return nil
}

// crowded draws tolerations that have so much in common that they cover each
// other in part: a few keys and effects, and numbers beside each other.
func crowded() *rapid.Generator[toleration.Toleration] {
	return rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return toleration.Toleration{
			Key:               rapid.SampledFrom([]string{"", "a", "a", "b"}).Draw(t, "key"),
			Operator:          rapid.SampledFrom([]toleration.Operator{"", toleration.OpExists, toleration.OpGt, toleration.OpGt, toleration.OpLt, toleration.OpLt}).Draw(t, "operator"),
			Value:             rapid.SampledFrom(crowdedValues).Draw(t, "value"),
			Effect:            rapid.SampledFrom([]taint.Effect{"", taint.NoSchedule, taint.NoExecute, taint.NoExecute}).Draw(t, "effect"),
			TolerationSeconds: rapid.Ptr(rapid.SampledFrom([]int64{-1, 0, 1, 2, 9223372036, 9223372037}), true).Draw(t, "seconds"),
		}
	})
}

var crowdedValues = []string{"", "x", "5", "6", "7", "-5", "-6", "9223372036854775806", "9223372036854775807", "-9223372036854775808"}

// TestCrowdedPlansAgreeWithMatch compares plans for tolerations that cover each
// other with package match, for every taint that they can be about.
func TestCrowdedPlansAgreeWithMatch(t *testing.T) {
	u := matchtest.Universe{Keys: []string{"a", "b", "c"}, Values: crowdedValues, Effects: []taint.Effect{taint.NoSchedule, taint.NoExecute, "Other"}}
	taints := u.Taints()
	rapid.Check(t, func(t *rapid.T) {
		comparePlans(t, taints, rapid.SliceOfN(crowded(), 1, 7).Draw(t, "tolerations"))
	})
}

// TestPlansOfPairsAgreeWithMatch takes every list of two that are near to each
// other.
func TestPlansOfPairsAgreeWithMatch(t *testing.T) {
	world := matchtest.Universe{
		Keys: []string{"", "a", "b"}, Values: []string{"5", "6"}, Effects: []taint.Effect{"", taint.NoExecute},
		Operators: []toleration.Operator{toleration.OpExists, toleration.OpEqual, toleration.OpGt, toleration.OpLt},
		Seconds:   []*int64{nil, ptr(int64(2))},
		TaintKeys: []string{"a", "b"}, TaintValues: []string{"4", "5", "6", "7"}, TaintEffects: []taint.Effect{taint.NoSchedule, taint.NoExecute},
	}
	taints := world.Taints()
	for list := range matchtest.Lists(world.Tolerations(), 2) {
		comparePlans(t, taints, list)
	}
}

// What another toleration covers is left out, and what is left has no test twice
// (rules M3, N1; rule E2 for the times).
func TestRedundantTolerationsAreDropped(t *testing.T) {
	for _, test := range []struct {
		list                 string
		groups, terms, stays int // terms count each of their values
	}{
		{"a,a,a=1,a:NoExecute,a=1:NoSchedule", 1, 1, 1},
		{"*,a,b=1,c>5", 0, 0, 1},
		{"*:NoSchedule,a:NoSchedule,a=1:NoSchedule,b:NoExecute", 1, 1, 1},
		{"*:NoExecute,*,a=x,a=x:NoSchedule", 0, 0, 1},
		{"n>5,n>7,n=9,n=6,n=5,n>5:NoSchedule", 1, 1, 1}, // as n>4
		{"a:NoSchedule,b:NoSchedule,c:NoSchedule", 1, 1, 0},
		{"a=1,b=1,c=2", 2, 2, 2},
		{"a:NoSchedule,a:NoExecute", 1, 1, 1},                     // one test for both effects
		{"a:NoExecute@60,a:NoExecute@300,a=1:NoExecute", 1, 1, 1}, // the first one counts
		{"a=1:NoExecute@60,a:NoExecute@300", 1, 1, 2},             // the first one is needed for its time
		{"n>9223372036854775807,n<-9223372036854775808", 0, 0, 0},
	} {
		list, err := notation.Tolerations(test.list)
		if err != nil {
			t.Fatal(err)
		}
		p, s := newPlan(list), newStayPlan(meaningOf(t, test.list))
		terms, stays := 0, len(s.anyKey)
		for _, g := range p.groups {
			for _, t := range g.terms {
				terms += max(1, len(t.single))
			}
		}
		for _, g := range s.groups {
			stays += len(g.terms)
		}
		if len(p.groups) != test.groups || terms != test.terms || stays != test.stays {
			t.Errorf("%s: %d groups, %d terms, %d times\n%+v\n%+v", test.list, len(p.groups), terms, stays, p, s)
		}
	}
}

// Zero seconds are a limit, and one toleration that has seconds is enough.
func TestLimited(t *testing.T) {
	for text, want := range map[string]bool{
		"a": false, "a:NoSchedule": false, "a:NoExecute@0": true, "a:NoExecute@1": true, "a,b:NoExecute@0": true, "*:NoExecute@0": true, "a:NoExecute@-5": true, "a,a:NoExecute@5": false,
	} {
		if s := newStayPlan(meaningOf(t, text)); s.limited() != want {
			t.Errorf("%q: limited is %v", text, s.limited())
		}
	}
}

// What is constant for a list does not depend on its wording.
func TestConstants(t *testing.T) {
	const all = "[NoSchedule PreferNoSchedule NoExecute]"
	for text, want := range map[string]string{ // everything, forever, and the effects of which some taints are refused
		"": "false false " + all,
		"n>9223372036854775807,n<-9223372036854775808": "false false " + all,
		"a":                             "false false " + all,
		"*":                             "true true []",
		"a:NoExecute@5,*":               "true false []",
		"*,a:NoExecute@5":               "true true []",
		"a=1,*:NoExecute,a:NoExecute@5": "false true [NoSchedule PreferNoSchedule]",
		"*:NoExecute@5":                 "false false [NoSchedule PreferNoSchedule]",
		"a:NoExecute@5,*:NoExecute":     "false false [NoSchedule PreferNoSchedule]",
		"*:NoSchedule,*:NoExecute":      "false true [PreferNoSchedule]",
		"*:NoSchedule,*:NoExecute,*:PreferNoSchedule": "false true []",
		"a>5,a<6": "false false " + all,
	} {
		e := emitter{meaning: meaningOf(t, text)}
		if got := fmt.Sprint(e.everything(), e.forever(), e.refused(taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func meaningOf(t *testing.T, text string) *toleration.Meaning {
	t.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := toleration.NewMeaning(list)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

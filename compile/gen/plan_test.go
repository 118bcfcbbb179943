package gen

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestPlansAgreeWithMatch follows the plans of random lists as the code does
// that is made from them, in every order of tests. Nothing has to be compiled for
// it, so it gets through many lists.
func TestPlansAgreeWithMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		comparePlans(t, taints, matchtest.Tolerations(taints).Draw(t, "tolerations"))
	})
}

// failer is what a comparison needs of a testing.T or a rapid.T.
type failer interface{ Fatalf(string, ...any) }

func comparePlans(t failer, taints []taint.Taint, list []toleration.Toleration) {
	p, s := newPlan(toleration.NewSet(list)), newStayPlan(list)
	for i := range taints {
		x := &taints[i]
		want := match.Tolerates(list, x)
		for name, got := range map[string]bool{
			"keys":    p.holds(p.groups, x, x.Effect),
			"effects": p.holdsByEffect(x),
			"lengths": p.holds(withLength(p.groups, len(x.Key)), x, x.Effect),
		} {
			if got != want {
				t.Fatalf("%q by %s: %v\n%+v", x, name, got, p)
			}
		}
		if x.Effect == taint.NoExecute {
			compareStay(t, s, list, x)
		}
	}
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
		Seconds:   []*int64{nil, new(int64(2))},
		TaintKeys: []string{"a", "b"}, TaintValues: []string{"4", "5", "6", "7"}, TaintEffects: []taint.Effect{taint.NoSchedule, taint.NoExecute},
	}
	taints := world.Taints()
	for list := range matchtest.Lists(world.Tolerations(), 2) {
		comparePlans(t, taints, list)
	}
}

// holds reports whether the plan, with the given groups, tolerates x. Where
// groups are those for one effect, effect is empty.
func (p *plan) holds(groups []group, x *taint.Taint, effect taint.Effect) bool {
	test := func(effect taint.Effect) func(t term) bool {
		return func(t term) bool {
			return (t.effects == nil || slices.Contains(t.effects, effect)) && t.values.has(x.Value)
		}
	}
	if slices.ContainsFunc(p.anyKey, test(x.Effect)) {
		return true
	}
	return slices.ContainsFunc(groups, func(g group) bool {
		return slices.Contains(g.keys, x.Key) && slices.ContainsFunc(g.terms, test(effect))
	})
}

// has does what the code for v does.
func (v *values) has(value string) bool {
	n, integer := decimal.Parse(value)
	return v.every || slices.Contains(v.single, value) || integer && (v.above.set && n > v.above.n || v.below.set && n < v.below.n)
}

// holdsByEffect does the same as code that tests the only effect first.
func (p *plan) holdsByEffect(x *taint.Taint) bool {
	effect, ok := p.onlyEffect()
	switch {
	case !ok:
		return p.holds(p.groups, x, x.Effect)
	case effect == x.Effect:
		return p.holds(p.withoutEffects(), x, "")
	}
	return p.holds(nil, x, "")
}

// compareStay compares the time for one NoExecute taint with that of package
// match, also where a list is planned as one that is too long for groups.
func compareStay(t failer, s stayPlan, list []toleration.Toleration, x *taint.Taint) {
	wantAfter, wantEvicted := match.EvictionDelay([]taint.Taint{*x}, list)
	check := func(name string, after time.Duration, evicted bool) {
		if after != wantAfter || evicted != wantEvicted {
			t.Fatalf("%q %s: %v, %v, want %v, %v\n%+v", x, name, after, evicted, wantAfter, wantEvicted, s)
		}
	}
	after, evicted := s.delay(x)
	check("by groups", after, evicted)
	var flat stayPlan
	for i := range list {
		if g, ok := newGrant(&list[i]); ok {
			flat.flat = append(flat.flat, g)
		}
	}
	after, evicted = flat.delay(x)
	check("flat", after, evicted)
	if s.limited != limited(slices.Concat(append(s.all(), s.others)...)) {
		t.Fatalf("limited is %v\n%+v", s.limited, s)
	}
}

func (s *stayPlan) all() [][]grant {
	var all [][]grant
	for _, g := range s.groups {
		all = append(all, g.grants)
	}
	return all
}

// delay is the eviction delay for one NoExecute taint.
func (s *stayPlan) delay(x *taint.Taint) (after time.Duration, evicted bool) {
	grants := s.others
	for _, g := range s.groups {
		if slices.Contains(g.keys, x.Key) {
			grants = g.grants
		}
	}
	for _, g := range slices.Concat(grants, s.flat) {
		if (s.flat == nil || g.toleration.Key == "" || g.toleration.Key == x.Key) && g.values.Contains(x.Value) {
			return max(0, g.after), g.after >= 0
		}
	}
	return 0, true
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
		{"*=x,a=x,a=x:NoSchedule", 0, 0, 1},
		{"n>5,n>7,n=9,n=6,n=5,n>5:NoSchedule", 1, 1, 2}, // n=5 is left
		{"a:NoSchedule,b:NoSchedule,c:NoSchedule", 1, 1, 0},
		{"a=1,b=1,c=2", 2, 2, 2},
		{"a:NoSchedule,a:NoExecute", 1, 1, 1},                     // one test for both effects
		{"a:NoExecute@60,a:NoExecute@300,a=1:NoExecute", 1, 1, 1}, // the first one counts
		{"a=1:NoExecute@60,a:NoExecute@300", 1, 1, 2},             // the first one is needed for its time
		{"a?In x,n>x,n>9223372036854775807,n<-9223372036854775808", 0, 0, 0},
	} {
		list, err := toleration.ParseListLenient(test.list)
		if err != nil {
			t.Fatal(err)
		}
		p, s := newPlan(toleration.NewSet(list)), newStayPlan(list)
		terms, stays := 0, len(s.others)
		for _, g := range p.groups {
			for _, t := range g.terms {
				terms += max(1, len(t.values.single))
			}
		}
		for _, g := range s.groups {
			stays += len(g.grants)
		}
		if len(p.groups) != test.groups || terms != test.terms || stays != test.stays {
			t.Errorf("%s: %d groups, %d terms, %d times\n%+v\n%+v", test.list, len(p.groups), terms, stays, p, s)
		}
	}
}

// The effect is tested first where there is one only and the keys are many.
func TestChooseOrder(t *testing.T) {
	many := "a:NoSchedule,b=1:NoSchedule,c>5:NoSchedule,d:NoSchedule,e:NoSchedule,f:NoSchedule,g:NoSchedule,h:NoSchedule"
	for list, want := range map[string]order{
		many + ",i:NoSchedule":                         effectFirst,
		many + ",*:NoExecute,a:NoExecute,i:NoSchedule": effectFirst,
		many + ",h=1:NoSchedule":                       lengthFirst,
		many + ",i:NoExecute":                          lengthFirst,
		many + ",i":                                    lengthFirst,
		"a:NoSchedule":                                 lengthFirst,
		"":                                             lengthFirst,
	} {
		tolerations, err := toleration.ParseListLenient(list)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlan(toleration.NewSet(tolerations))
		if got := p.chooseOrder(bestOrder); got != want {
			t.Errorf("%q: %d, want %d", list, got, want)
		}
	}
}

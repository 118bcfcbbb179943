package pattern_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/pattern"
)

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// check: the tolerations match exactly those live taints that a pattern matches, and none
// with a key that is not live or that no pattern matches.
func check(t tester, rules toleration.Rules, patterns []pattern.Pattern, live []taint.Taint) {
	t.Helper()
	e, err := pattern.Expand(patterns, live, 0, rules)
	if err != nil {
		t.Fatalf("%v", err)
	}
	list := rules.Active(nil, e.Tolerations())
	if len(list) != len(e.Generated) {
		t.Fatalf("%v does not count", e)
	}
	if err := rules.Validate(list); err != nil && taint.Validate(live) == nil {
		t.Fatalf("%v", err)
	}
	matches := func(x *taint.Taint) bool {
		for i := range patterns {
			if patterns[i].Matches(x) {
				return true
			}
		}
		return false
	}
	for i := range live {
		x := &live[i]
		if got := match.Tolerates(list, x, rules); got != (x.Key != "" && matches(x)) {
			t.Fatalf("patterns %+v, live %s: %s tolerates %s: %v", patterns, taint.FormatList(live), toleration.FormatList(list), x, got)
		}
		// Other values and effects of a live key: never more than the patterns say.
		for _, value := range []string{"", "other", "0", "5", "05"} {
			for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
				y := taint.Taint{Key: x.Key, Value: value, Effect: effect}
				if match.Tolerates(list, &y, rules) && !matches(&y) {
					t.Fatalf("patterns %+v, live %s: %s tolerates %s", patterns, taint.FormatList(live), toleration.FormatList(list), y)
				}
			}
		}
	}
	for _, effect := range []taint.Effect{taint.NoSchedule, taint.NoExecute} {
		if y := (taint.Taint{Key: "not.live/key", Effect: effect}); match.Tolerates(list, &y, rules) {
			t.Fatalf("%s tolerates %s", toleration.FormatList(list), y)
		}
	}
	checkGenerated(t, rules, patterns, live, e.Generated)
	if n := len(e.Generated); n > 0 {
		if _, err := pattern.Expand(patterns, live, n, rules); err != nil {
			t.Fatalf("%v", err)
		}
		var over *pattern.LimitError
		if few, err := pattern.Expand(patterns, live, n-1, rules); n > 1 && (!errors.As(err, &over) || few.Generated != nil) {
			t.Fatalf("%v, limit %d: %v", e, n-1, err)
		}
	}
}

// checkGenerated: each toleration is there once, by the first pattern that gives it, and
// because of the first live taint that both match, if there is one, else that this pattern
// matches or is about.
func checkGenerated(t tester, rules toleration.Rules, patterns []pattern.Pattern, live []taint.Taint, generated []pattern.Generated) {
	t.Helper()
	for i, g := range generated {
		p := patterns[g.Pattern]
		key := p.Key == "" && strings.HasPrefix(g.Taint.Key, p.KeyPrefix) || p.Key == g.Taint.Key
		if _, found := taint.Find(live, &g.Taint); g.Taint.Key != g.Toleration.Key || !found || !key || p.Effect != "" && p.Effect != g.Taint.Effect {
			t.Fatalf("%s", g)
		}
		if want, found := reason(rules, p, g.Toleration, live); found && g.Taint.String() != want.String() {
			t.Fatalf("%s, live %s: want %s", g, taint.FormatList(live), want)
		}
		if g.Toleration.Effect != p.Effect || g.Toleration.TolerationSeconds != p.TolerationSeconds {
			t.Fatalf("%s of %+v", g, p)
		}
		for _, before := range generated[:i] {
			if before.Toleration.Matches(&g.Toleration) || before.Pattern > g.Pattern {
				t.Fatalf("%s after %s", g, before)
			}
		}
	}
}

// reason returns the live taint because of which p gives the toleration, and whether p
// matches one with the key.
func reason(rules toleration.Rules, p pattern.Pattern, of toleration.Toleration, live []taint.Taint) (first taint.Taint, found bool) {
	both := false
	for _, x := range live {
		if x.Key != of.Key || !p.Matches(&x) {
			continue
		}
		tolerated := match.Tolerates([]toleration.Toleration{of}, &x, rules)
		before := cmp.Or(strings.Compare(x.Value, first.Value), strings.Compare(string(x.Effect), string(first.Effect))) < 0
		if !found || tolerated && !both || tolerated == both && before {
			first, found, both = x, true, tolerated
		}
	}
	return first, found
}

// somePatterns are valid and differ in each field.
func somePatterns() []pattern.Pattern {
	low, high, least, most := int64(0), int64(1), int64(math.MinInt64), int64(math.MaxInt64)
	return []pattern.Pattern{
		{}, {Key: "a"}, {KeyPrefix: "example.com/"}, {KeyPrefix: "a", Effect: taint.NoExecute, TolerationSeconds: &high},
		{Values: []string{"x", "1"}}, {Values: []string{}}, {Key: "a", Values: []string{"x", "x"}, Effect: taint.NoSchedule},
		{AtLeast: &low}, {AtMost: &high}, {Key: "a", AtLeast: &low, AtMost: &high}, {AtLeast: &least}, {AtMost: &most}, {AtLeast: &most}, {AtMost: &least},
		{AtLeast: &high, AtMost: &high}, {Effect: taint.PreferNoSchedule, AtLeast: &high},
	}
}

func TestExpandExhaustively(t *testing.T) {
	u := matchtest.Universe{Keys: []string{"a", "example.com/a"}, Values: []string{"", "x", "1", "01", "-1", "9223372036854775807"},
		Effects: []taint.Effect{taint.NoSchedule, taint.NoExecute}}
	for live := range matchtest.Lists(u.Taints(), 2) {
		for _, comparisons := range []bool{false, true} {
			for _, p := range somePatterns() {
				check(t, toleration.Rules{Comparisons: comparisons}, []pattern.Pattern{p}, live)
			}
		}
	}
}

func TestExpandAnyTaints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(rapid.SampledFrom(somePatterns()), 0, 4).Draw(t, "patterns")
		rules := toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}
		check(t, rules, patterns, append(matchtest.Taints().Draw(t, "live"), matchtest.Taints().Draw(t, "more")...))
	})
}

func TestExpand(t *testing.T) {
	eight, most := int64(8), int64(64)
	live, err := notation.Taints("cores=4:NoSchedule,spot.example.com/b:NoSchedule,spot.example.com/a=x:NoExecute,cores=8:NoExecute,cores=16:NoSchedule,cores=016:PreferNoSchedule,other:NoSchedule")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pattern     pattern.Pattern
		comparisons bool
		want        string
	}{
		{pattern.Pattern{KeyPrefix: "spot.example.com/"}, false, "spot.example.com/a,spot.example.com/b"},
		{pattern.Pattern{KeyPrefix: "spot.example.com/", Effect: taint.NoSchedule}, false, "spot.example.com/b:NoSchedule"},
		{pattern.Pattern{Key: "cores", AtLeast: &eight}, false, "cores==16,cores==8"},
		{pattern.Pattern{Key: "cores", AtLeast: &eight}, true, "cores>7"},
		{pattern.Pattern{Key: "cores", AtMost: &eight}, true, "cores<9"},
		{pattern.Pattern{Key: "cores", AtLeast: &eight, AtMost: &most}, true, "cores==16,cores==8"},
		{pattern.Pattern{Key: "cores", AtLeast: &most}, true, "cores>63"},
		{pattern.Pattern{Key: "cores", AtMost: &most}, true, "cores<65"},
		{pattern.Pattern{KeyPrefix: "co", Effect: taint.NoExecute}, false, "cores:NoExecute"},
		{pattern.Pattern{Key: "other", Values: []string{"y", "x"}}, false, "other==y,other==x"},
		{pattern.Pattern{Key: "gone"}, false, ""},
	} {
		e, err := pattern.Expand([]pattern.Pattern{c.pattern}, live, 0, toleration.Rules{Comparisons: c.comparisons})
		if got := toleration.FormatList(e.Tolerations()); got != c.want || err != nil {
			t.Errorf("%+v: %s, %v", c.pattern, got, err)
		}
	}
}

func TestErrors(t *testing.T) {
	n := int64(1)
	bad := []pattern.Pattern{
		{}, {Key: "a b", KeyPrefix: "a"}, {Values: []string{"x", "a b"}, AtMost: &n}, {Effect: "No"}, {Effect: taint.NoSchedule, TolerationSeconds: &n},
		{TolerationSeconds: &n}, {Effect: taint.PreferNoSchedule, TolerationSeconds: &n}, {Effect: taint.NoExecute, TolerationSeconds: &n, AtLeast: &n},
		{Values: []string{}, AtLeast: &n},
	}
	_, err := pattern.Expand(bad, nil, 0)
	var faults *taint.FieldErrors
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	type fault struct {
		field   string
		problem string
		value   string
	}
	var got []fault
	for _, f := range faults.Faults {
		got = append(got, fault{f.Field, f.Problem, f.Value})
	}
	want := []fault{
		{"patterns[1].key", "invalid value", "a b"}, {"patterns[1].keyPrefix", "invalid value", "a"},
		{"patterns[2].values[1]", "invalid value", "a b"}, {"patterns[2].values", "invalid value", "x,a b"},
		{"patterns[3].effect", "unsupported value", "No"},
		{"patterns[4].effect", "invalid value", "NoSchedule"}, {"patterns[5].effect", "invalid value", ""}, {"patterns[6].effect", "invalid value", "PreferNoSchedule"},
		{"patterns[8].values", "invalid value", ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	// Limits between which there is no number: an error that names both, and no empty list.
	nine, minus := int64(90), int64(-1)
	_, err = pattern.Expand([]pattern.Pattern{{Key: "a", AtLeast: &nine, AtMost: &minus}}, nil, 0)
	if err == nil || err.Error() != `patterns[0].atLeast: invalid value "90": must not be greater than atMost, which is -1` {
		t.Error(err)
	}
	live, _ := notation.Taints("a:NoSchedule,b:NoSchedule")
	_, err = pattern.Expand([]pattern.Pattern{{Key: "a"}, {Values: []string{"x"}}}, live, 2)
	if err == nil || err.Error() != "patterns[1]: more than 2 tolerations" {
		t.Error(err)
	}
}

// Only canonical integers are between limits (rule N2).
func TestIntegers(t *testing.T) {
	low, high := int64(-5), int64(5)
	p := pattern.Pattern{AtLeast: &low, AtMost: &high}
	for value, want := range map[string]bool{"0": true, "5": true, "-5": true, "6": false, "-6": false, "": false, "00": false, "01": false, "-0": false, "+1": false, "1.0": false, "x": false} {
		if got := p.Matches(&taint.Taint{Key: "a", Value: value}); got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
}

// The first live taint counts, in the order of values and effects, however they are given.
func TestBecauseOf(t *testing.T) {
	low, five, six := int64(0), int64(5), int64(6)
	gate := toleration.Rules{Comparisons: true}
	for _, c := range []struct {
		rules      toleration.Rules
		pattern    pattern.Pattern
		live, want string
	}{
		{toleration.Rules{}, pattern.Pattern{}, "a=2:NoExecute,a=1:NoSchedule,a=1:NoExecute,a=1:NoExecute", "a, by patterns[0] for a=1:NoExecute"},
		{toleration.Rules{}, pattern.Pattern{Effect: taint.NoSchedule}, "a=2:NoSchedule,a=3:NoSchedule,a=1:NoExecute", "a:NoSchedule, by patterns[0] for a=2:NoSchedule"},
		{toleration.Rules{}, pattern.Pattern{AtLeast: &low}, "a=2:NoSchedule,a=2:NoExecute", "a==2, by patterns[0] for a=2:NoExecute"},
		// Only taints that the pattern matches are reasons, if there are any.
		{gate, pattern.Pattern{AtLeast: &five}, "n=05:NoSchedule,n=4:NoSchedule,n=7:NoSchedule,n=6:NoSchedule,n=6:NoExecute", "n>4, by patterns[0] for n=6:NoExecute"},
		{gate, pattern.Pattern{AtMost: &five}, "n=05:NoSchedule,n=6:NoSchedule,n=5:NoSchedule", "n<6, by patterns[0] for n=5:NoSchedule"},
		{gate, pattern.Pattern{AtLeast: &five, Effect: taint.NoExecute}, "n=6:NoSchedule,n=7:NoExecute", "n>4:NoExecute, by patterns[0] for n=7:NoExecute"},
		{gate, pattern.Pattern{Values: []string{"7"}}, "n=05:NoSchedule,n=7:NoSchedule", "n==7, by patterns[0] for n=7:NoSchedule"},
		{gate, pattern.Pattern{Values: []string{"7"}, Effect: taint.NoExecute}, "n=7:NoSchedule,n=7:NoExecute", "n==7:NoExecute, by patterns[0] for n=7:NoExecute"},
		{gate, pattern.Pattern{Values: []string{"8", "7"}}, "n=05:NoSchedule,n=7:NoSchedule", "n==8, by patterns[0] for n=7:NoSchedule"},
		// A toleration for values that no taint has is there because of the key.
		{gate, pattern.Pattern{AtLeast: &six}, "n=5:NoSchedule,n=05:NoSchedule", "n>5, by patterns[0] for n=05:NoSchedule"},
		{gate, pattern.Pattern{Values: []string{"7"}}, "n=5:NoSchedule,n=05:NoSchedule", "n==7, by patterns[0] for n=05:NoSchedule"},
		{gate, pattern.Pattern{Values: []string{"7"}, Effect: taint.NoExecute}, "n=5:NoSchedule,n=7:NoSchedule,n=8:NoExecute", "n==7:NoExecute, by patterns[0] for n=8:NoExecute"},
		{gate, pattern.Pattern{AtLeast: &six, Effect: taint.NoExecute}, "n=1:NoSchedule,n=5:NoExecute", "n>5:NoExecute, by patterns[0] for n=5:NoExecute"},
	} {
		live, err := notation.Taints(c.live)
		if err != nil {
			t.Fatal(err)
		}
		e, err := pattern.Expand([]pattern.Pattern{c.pattern}, live, 0, c.rules)
		if err != nil || len(e.Generated) == 0 || e.Generated[0].String() != c.want {
			t.Errorf("%s: %v, %v", c.live, e, err)
		}
	}
}

func TestJSON(t *testing.T) {
	one, two := int64(1), int64(2)
	for text, p := range map[string]pattern.Pattern{
		`{}`: {},
		`{"key":"a","values":["x"],"effect":"NoExecute","tolerationSeconds":2}`: {Key: "a", Values: []string{"x"}, Effect: taint.NoExecute, TolerationSeconds: &two},
		`{"keyPrefix":"a","atLeast":1,"atMost":2}`:                              {KeyPrefix: "a", AtLeast: &one, AtMost: &two},
	} {
		if got, err := json.Marshal(p); err != nil || string(got) != text {
			t.Errorf("%s, %v; want %s", got, err, text)
		}
	}
	live, _ := notation.Taints("a=x:NoSchedule")
	e, err := pattern.Expand([]pattern.Pattern{{Key: "a"}}, live, 0)
	const want = `{"generated":[{"toleration":{"key":"a","operator":"Exists"},"pattern":0,"taint":{"key":"a","value":"x","effect":"NoSchedule"}}]}`
	if got, _ := json.Marshal(e); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// Many taints take n log n steps: this would not end otherwise.
func TestManyTaints(t *testing.T) {
	var live []taint.Taint
	for i := range 50_000 {
		live = append(live, taint.Taint{Key: fmt.Sprint("key-", i%500), Value: fmt.Sprint(i), Effect: taint.NoSchedule})
	}
	low := int64(0)
	e, err := pattern.Expand([]pattern.Pattern{{KeyPrefix: "key-", AtLeast: &low}}, live, 0)
	if err != nil || len(e.Generated) != len(live) {
		t.Errorf("%d, %v", len(e.Generated), err)
	}
}

// FuzzExpand checks the law for any taints and one pattern with a prefix and values.
func FuzzExpand(f *testing.F) {
	f.Add("a=1:NoSchedule,ab=2:NoExecute", "a", "1", int64(0), false) // values
	f.Add("a=1:NoSchedule,ab=02:NoExecute", "a", "", int64(1), true)  // a range
	target.Fuzz(f, func(t *testing.T, live, prefix, value string, least int64, comparisons bool) {
		taints := input.Taints(live)
		if !slices.ContainsFunc(taints, func(x taint.Taint) bool { return strings.HasPrefix(x.Key, prefix) }) {
			prefix = ""
		}
		if taint.CheckValue(value) != nil {
			value = "1"
		}
		p := pattern.Pattern{KeyPrefix: prefix, AtLeast: &least}
		if value != "" {
			p = pattern.Pattern{KeyPrefix: prefix, Values: []string{value}}
		}
		check(t, toleration.Rules{Comparisons: comparisons}, []pattern.Pattern{p}, taints)
	})
}

// A list without values matches nothing, also after a trip through JSON: it must not
// become every value.
func TestNoValues(t *testing.T) {
	p := pattern.Pattern{Key: "a", Values: []string{}}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back pattern.Pattern
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	x := taint.Taint{Key: "a", Value: "x", Effect: taint.NoSchedule}
	for _, p := range []pattern.Pattern{p, back} {
		e, err := pattern.Expand([]pattern.Pattern{p}, []taint.Taint{x}, 0)
		if err != nil || len(e.Generated) > 0 || p.Matches(&x) {
			t.Errorf("%s: %v, %v", text, e, err)
		}
	}
}

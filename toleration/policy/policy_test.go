package policy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// tolerates asks match.
func tolerates(r toleration.Rules, list []toleration.Toleration, x *taint.Taint) bool {
	return match.Tolerates(list, x, r)
}

// longest returns how long the list lets a pod stay if the best toleration counts.
func longest(r toleration.Rules, list []toleration.Toleration, x *taint.Taint) time.Duration {
	after, evicted := match.MostLenient.Delay([]taint.Taint{*x}, list, time.Time{}, r)
	if !evicted {
		return 1<<63 - 1
	}
	return after - 1 // the longest delay is before forever
}

// broken returns why x shows that the list is not within the spec, if it does.
func broken(spec *policy.Spec, list []toleration.Toleration, x *taint.Taint) (reason policy.Reason, found bool) {
	switch {
	case !tolerates(spec.Rules, list, x):
		return "", false
	case spec.Allowed != nil && !tolerates(spec.Rules, spec.Allowed, x):
		return policy.NotAllowed, true
	case tolerates(spec.Rules, spec.Denied, x):
		return policy.Denied, true
	case spec.Allowed != nil && x.Effect == taint.NoExecute && longest(spec.Rules, list, x) > longest(spec.Rules, spec.Allowed, x):
		return policy.TooLong, true
	}
	return "", false
}

// valid reports whether those of the list that count are.
func valid(r toleration.Rules, list []toleration.Toleration) bool {
	return toleration.Rules{Comparisons: true}.Validate(r.Active(nil, list)) == nil
}

// mustNew is New for valid lists.
func mustNew(t testing.TB, spec policy.Spec) *policy.Policy {
	t.Helper()
	p, err := policy.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// check compares the answer with what the taints of a universe say.
func check(t tester, spec *policy.Spec, list []toleration.Toleration, universe []taint.Taint) {
	t.Helper()
	p, err := policy.New(*spec)
	if !valid(spec.Rules, spec.Allowed) || !valid(spec.Rules, spec.Denied) {
		if err == nil {
			t.Fatalf("the policy %s, %s has no error", toleration.FormatList(spec.Allowed), toleration.FormatList(spec.Denied))
		}
		return
	}
	if err == nil {
		err = p.Check(list)
	}
	text := fmt.Sprintf("allowed %v %s, denied %s, list %s: %v", spec.Allowed != nil, toleration.FormatList(spec.Allowed),
		toleration.FormatList(spec.Denied), toleration.FormatList(list), err)
	if err == nil {
		if !valid(spec.Rules, list) {
			t.Fatalf("%s\nthe list is not valid", text)
		}
		for i := range universe {
			if reason, found := broken(spec, list, &universe[i]); found {
				t.Fatalf("%s\n%s is %v", text, universe[i], reason)
			}
		}
		return
	}
	v, ok := err.(*policy.Violation)
	if !valid(spec.Rules, list) && !ok {
		return
	}
	reason, found := broken(spec, list, &v.Witness)
	// A taint can be both denied and tolerated for too long.
	if !found || reason != v.Reason && v.Reason != policy.Denied || v.Reason == policy.Denied && !tolerates(spec.Rules, spec.Denied, &v.Witness) {
		t.Fatalf("%s\n%v", text, reason)
	}
	one := list[v.Index : v.Index+1]
	if !v.Toleration.Equal(&one[0]) || !tolerates(spec.Rules, one, &v.Witness) {
		t.Fatalf("%s\ndoes not tolerate the witness", text)
	}
	if v.Reason == policy.TooLong && longest(spec.Rules, one, &v.Witness) != longest(spec.Rules, list, &v.Witness) {
		t.Fatalf("%s\nothers are longer", text)
	}
}

// taintsOf returns the taints that the lists tell apart.
func taintsOf(lists ...[]toleration.Toleration) []taint.Taint {
	u := matchtest.Universe{Keys: []string{"", "other"}, Values: []string{"", "other", "0", "1", "-1", "9"}, Effects: []taint.Effect{"", "Other", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}}
	for _, list := range lists {
		for i := range list {
			u.Keys, u.Values, u.Effects = append(u.Keys, list[i].Key), append(u.Values, list[i].Value), append(u.Effects, list[i].Effect)
		}
	}
	slices.Sort(u.Keys)
	slices.Sort(u.Values)
	slices.Sort(u.Effects)
	u.Keys, u.Values, u.Effects = slices.Compact(u.Keys), slices.Compact(u.Values), slices.Compact(u.Effects)
	return u.Taints()
}

func TestCheckExhaustively(t *testing.T) {
	items, err := notation.Tolerations("*,*:NoExecute@5,a,a:NoExecute@5,a:NoExecute@9,a=1:NoSchedule,a>0:NoSchedule,b")
	if err != nil {
		t.Fatal(err)
	}
	universe := taintsOf(items)
	for allowed := range matchtest.Lists(items, 2) {
		for denied := range matchtest.Lists(items, 1) {
			for list := range matchtest.Lists(items, 2) {
				spec := &policy.Spec{Rules: toleration.Rules{Comparisons: len(denied) == 0}, Allowed: allowed, Denied: denied}
				check(t, spec, list, universe)
			}
		}
	}
}

func TestCheckAnyLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near := matchtest.Taints().Draw(t, "taints")
		list := matchtest.Tolerations(near).Draw(t, "list")
		part := rapid.SliceOfN(rapid.SampledFrom(append(list, matchtest.Toleration().Draw(t, "other"))), 0, 5)
		spec := &policy.Spec{
			Rules:   toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")},
			Allowed: part.Draw(t, "allowed"), Denied: matchtest.Tolerations(near[:len(near)/2]).Draw(t, "denied"),
		}
		if rapid.Bool().Draw(t, "unlimited") {
			spec.Allowed = nil
		}
		check(t, spec, list, append(taintsOf(spec.Allowed, spec.Denied, list), near...))
		// A list is within itself, and what nobody denies is within no policy.
		own, err := policy.New(policy.Spec{Rules: spec.Rules, Allowed: append([]toleration.Toleration{}, list...)})
		if !valid(spec.Rules, list) {
			return
		}
		if err != nil || own.Check(list) != nil {
			t.Fatal(err, own.Check(list))
		}
		if err := new(policy.Policy).Check(list); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzCheck compares the answers for any lists.
func FuzzCheck(f *testing.F) {
	f.Add("a,b:NoExecute@5", "b:NoExecute", "b:NoExecute@9", true) // too long and denied
	f.Add("a<3,a>2", "", "a>0", true)                              // two that allow a third
	f.Add("*:NoSchedule", "a", "*", false)                         // wider than what is allowed
	target.Fuzz(f, func(t *testing.T, allowed, denied, list string, comparisons bool) {
		var lists [3][]toleration.Toleration
		for i, text := range [...]string{allowed, denied, list} {
			list := input.Tolerations(text)
			lists[i] = list[:min(len(list), 8)]
		}
		check(t, &policy.Spec{Rules: toleration.Rules{Comparisons: comparisons}, Allowed: lists[0], Denied: lists[1]}, lists[2], taintsOf(lists[:]...))
	})
}

func parse(t *testing.T, text string) []toleration.Toleration {
	t.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	if list == nil {
		list = []toleration.Toleration{}
	}
	return list
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ allowed, denied, list, want string }{
		{"", "", "", ""},
		{"", "", "a", `tolerations[0]: "a" tolerates a:NoSchedule, which is not allowed`},
		{"a", "", "a==x:NoSchedule", ""},
		{"a:NoSchedule,a:NoExecute,a:PreferNoSchedule", "", "a:NoSchedule", ""},
		{"a:NoExecute@5", "", "a:NoExecute@5", ""},
		{"a:NoExecute@5", "", "a:NoExecute@1,a:NoExecute@9,a:NoExecute@6", `tolerations[1]: "a:NoExecute@9" tolerates a:NoExecute, which is not allowed for so long`},
		{"a:NoExecute@5", "", "a:NoExecute@9,a:NoExecute", `tolerations[1]: "a:NoExecute" tolerates a:NoExecute, which is not allowed for so long`},
		{"a:NoExecute@5", "", "a:NoExecute,a:NoExecute@9", `tolerations[0]: "a:NoExecute" tolerates a:NoExecute, which is not allowed for so long`},
		{"a:NoExecute@5", "", "a:NoExecute@9,a==x:NoExecute@9", `tolerations[0]: "a:NoExecute@9" tolerates a:NoExecute, which is not allowed for so long`},
		{"a:NoExecute@5", "", "a:NoExecute@6,a:NoExecute@9,a:NoExecute@9", `tolerations[1]: "a:NoExecute@9" tolerates a:NoExecute, which is not allowed for so long`}, // the first
		{"a", "", "b:NoExecute@5,b:NoExecute", `tolerations[0]: "b:NoExecute@5" tolerates b:NoExecute, which is not allowed`},                                         // the first
		{"*", "b", "b:NoExecute@5,b:NoExecute", `tolerations[0]: "b:NoExecute@5" tolerates b:NoExecute, which is denied`},
		{"*", "a==x:NoSchedule", "b,a", `tolerations[1]: "a" tolerates a=x:NoSchedule, which is denied`},
		{"*", "a", "a>5,b", ""}, // it does not count
		{"a>5", "", "a>5", ""},
	} {
		got := ""
		if err := mustNew(t, policy.Spec{Allowed: parse(t, c.allowed), Denied: parse(t, c.denied)}).Check(parse(t, c.list)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("allowed %q, denied %q, list %q: %s", c.allowed, c.denied, c.list, got)
		}
	}
	var none *policy.Policy
	if err := none.Check(parse(t, "*")); err != nil {
		t.Error(err)
	}
}

func TestPolicies(t *testing.T) {
	p := policy.Policies{
		Cluster: mustNew(t, policy.Spec{Allowed: parse(t, "a,c"), Denied: parse(t, "c")}),
		Namespaces: map[string]*policy.Policy{
			"own": mustNew(t, policy.Spec{Allowed: parse(t, "b,c")}), "free": mustNew(t, policy.Spec{}), "nil": nil,
		},
	}
	open := policy.Policies{Namespaces: p.Namespaces}
	for _, c := range []struct {
		policies        *policy.Policies
		namespace, list string
		within          bool
	}{
		{&p, "", "a", true}, {&p, "", "b", false}, {&p, "", "c", false},
		{&p, "own", "a", false}, {&p, "own", "b", true}, {&p, "own", "c", false},
		{&p, "free", "a,b", true}, {&p, "free", "c", false}, {&p, "nil", "a,b", true}, {&p, "nil", "c", false},
		{&open, "", "a", true}, {&open, "own", "a", false}, {&open, "own", "c", true},
		{&policy.Policies{}, "", "*", true},
	} {
		if err := c.policies.Check(c.namespace, parse(t, c.list)); (err == nil) != c.within {
			t.Errorf("%q, %q: %v", c.namespace, c.list, err)
		}
	}
}

func TestWords(t *testing.T) {
	for reason, want := range map[policy.Reason]string{policy.NotAllowed: "not allowed", policy.Denied: "denied", policy.TooLong: "too long"} {
		if got := string(reason); got != want {
			t.Errorf("got %q", got)
		}
	}
	v := policy.Violation{Reason: "odd"}
	if got := v.Error(); got != `tolerations[0]: "*=" tolerates "", which is odd` {
		t.Errorf("got %s", got)
	}
}

// No list and the empty list are not the same, as text too.
func TestSpecJSON(t *testing.T) {
	for _, c := range []struct {
		spec policy.Spec
		want string
	}{
		{policy.Spec{}, `{}`},
		{policy.Spec{Allowed: []toleration.Toleration{}, Denied: parse(t, "a")}, `{"allowed":[],"denied":[{"key":"a","operator":"Exists"}]}`},
	} {
		text, err := json.Marshal(c.spec)
		if err != nil || string(text) != c.want {
			t.Errorf("got %s, %v", text, err)
		}
		var back policy.Spec
		if err := json.Unmarshal(text, &back); err != nil || (back.Allowed == nil) != (c.spec.Allowed == nil) {
			t.Errorf("got %+v, %v", back, err)
		}
	}
}

// A policy does not change with the lists that it was made of.
func TestPolicyRetainsNothing(t *testing.T) {
	spec := policy.Spec{Allowed: parse(t, "a:NoExecute@5"), Denied: parse(t, "b")}
	p := mustNew(t, spec)
	*spec.Allowed[0].TolerationSeconds = 99
	spec.Allowed[0].Key, spec.Denied[0].Key = "x", "y"
	if p.Check(parse(t, "a:NoExecute@5")) != nil || p.Check(parse(t, "a:NoExecute@6")) == nil || p.Check(parse(t, "b")) == nil {
		t.Error("changed")
	}
}

// Long lists take n log n steps: this would not end otherwise.
func TestLongLists(t *testing.T) {
	var spec policy.Spec
	for i := range 30_000 {
		spec.Allowed = append(spec.Allowed, toleration.Toleration{Key: "a", Value: fmt.Sprint("x", i), Effect: taint.NoExecute, TolerationSeconds: ptr(int64(i))})
		spec.Denied = append(spec.Denied, toleration.Toleration{Key: "a", Value: fmt.Sprint("y", i), Effect: taint.NoExecute})
	}
	p := mustNew(t, spec)
	if err := p.Check(spec.Allowed); err != nil {
		t.Error(err)
	}
	if err := p.Check(spec.Denied); err == nil {
		t.Error("within")
	}
}

// Lists that the API server refuses are refused, and never found to be within: 260 words
// without a key and 260 keys have more crossings than anyone can look at, and what a policy
// does not allow may come after them.
func TestCrossingsAreInvalid(t *testing.T) {
	var allowed, list []toleration.Toleration
	for i := range 260 {
		allowed = append(allowed, toleration.Toleration{Operator: toleration.OpEqual, Value: fmt.Sprint("w", i), Effect: taint.NoExecute, TolerationSeconds: ptr(int64(i))})
		list = append(list, toleration.Toleration{Key: fmt.Sprint("k", i), Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: ptr(int64(i))})
	}
	p := mustNew(t, policy.Spec{Allowed: parse(t, "*:NoExecute@300")})
	if err := p.Check(slices.Concat(allowed, list, parse(t, "z:NoExecute@301"))); err == nil {
		t.Error("the list is within the policy, for as long")
	}
	if _, err := policy.New(policy.Spec{Allowed: append(allowed, list...)}); err == nil || !strings.HasPrefix(err.Error(), "allowed.tolerations[0].operator: ") {
		t.Errorf("allowed: %v", err)
	}
	if _, err := policy.New(policy.Spec{Denied: allowed}); err == nil || !strings.HasPrefix(err.Error(), "denied.tolerations[0].operator: ") {
		t.Errorf("denied: %v", err)
	}
	// What does not count is not looked at.
	mustNew(t, policy.Spec{Allowed: parse(t, "a>x"), Denied: parse(t, "*>5")})
}

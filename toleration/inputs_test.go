package toleration_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/exported"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// given is one kind of input in all the forms that functions take.
type given struct {
	list []toleration.Toleration
	t    toleration.Toleration // the last of list
	x    taint.Taint           // the taint of t
	text string
}

// kinds are nothing, the same twice, what is not valid, and much of everything.
func kinds() [4]given {
	a := toleration.MustParse("a=1:NoExecute@60")
	seconds := int64(-1 << 63)
	odd := toleration.Toleration{Operator: "In", Key: "\xff,", Value: "-", Effect: "odd", TolerationSeconds: &seconds}
	long := strings.Repeat("9", 1<<20)
	last := toleration.Toleration{Key: long, Operator: toleration.OpEqual, Value: long, Effect: taint.Effect(long)}
	huge := append(overlapping(20_000), last)
	make := func(text string, list ...toleration.Toleration) given {
		g := given{list: list, text: text}
		if len(list) > 0 {
			g.t = list[len(list)-1]
			g.x = taint.Taint{Key: g.t.Key, Value: g.t.Value, Effect: g.t.Effect}
		}
		return g
	}
	return [4]given{make(""), make("a=1:NoExecute@60,a=1:NoExecute@60", a, a), make("\xff", toleration.Toleration{}, odd), make(toleration.FormatList(huge), huge...)}
}

// overlapping returns n different tolerations, of which many overlap.
func overlapping(n int) []toleration.Toleration {
	list := make([]toleration.Toleration, n)
	for i := range list {
		seconds := int64(i)
		list[i] = toleration.Toleration{
			Key: fmt.Sprint("k", i%100), Operator: []toleration.Operator{"", toleration.OpGt, toleration.OpLt, toleration.OpEqual}[i%4],
			Value: fmt.Sprint(i), Effect: taint.NoExecute, TolerationSeconds: &seconds,
		}
	}
	return list
}

// inputs has what each function answers for the four kinds.
var inputs = map[string]struct {
	ask  func(g *given) any
	want [4]string
}{
	"Equal":  {func(g *given) any { return toleration.Equal(g.list, slices.Clone(g.list)) }, [4]string{"true", "true", "true", "true"}},
	"Clone":  {func(g *given) any { return results(len(toleration.Clone(g.list)), toleration.Clone(g.list) == nil) }, [4]string{"0 true", "2 false", "2 false", "20001 false"}},
	"Upsert": {func(g *given) any { return outcome(toleration.Upsert(nil, g.list, g.t)) }, [4]string{"1 true", "2 false", "2 false", "20001 false"}},
	"Remove": {func(g *given) any { return outcome(toleration.Remove(nil, g.list, g.t)) }, [4]string{"0 false", "0 true", "1 true", "20000 true"}},
	"ParseListJSON": {func(g *given) any {
		text, _ := json.Marshal(g.list)
		list, err := toleration.ParseListJSON(text)
		return results(len(list), err)
	}, [4]string{"0 <nil>", "2 <nil>", "2 <nil>", "20001 <nil>"}},
	"MustParseList": {func(g *given) (panicked any) {
		defer func() { panicked = recover() != nil }()
		toleration.MustParseList(g.text)
		return nil
	}, [4]string{"false", "false", "true", "true"}},
	"Toleration.UnmarshalJSON": {func(g *given) any {
		text, _ := json.Marshal(g.t)
		back := g.t
		return json.Unmarshal(text, &back)
	}, [4]string{"<nil>", "<nil>", "<nil>", "<nil>"}},
	"Parse":      {func(g *given) any { return failed(toleration.Parse(g.text)) }, [4]string{"true", "true", "true", "true"}},
	"MustParse":  {func(g *given) any { return panics(func() { toleration.MustParse(g.text) }) }, [4]string{"true", "true", "true", "true"}},
	"ParseList":  {func(g *given) any { return failed(toleration.ParseList(g.text)) }, [4]string{"false", "false", "true", "true"}},
	"AppendList": {func(g *given) any { return len(toleration.AppendList(nil, g.list)) }, [4]string{"0", "33", "40", "3646511"}},
	"FormatList": {func(g *given) any { return len(toleration.FormatList(g.list)) }, [4]string{"0", "33", "40", "3646511"}},
	"For":        {func(g *given) any { t := toleration.For(&g.x); return t.Tolerates(&g.x) }, [4]string{"true", "true", "true", "true"}},
	"Minimize": {func(g *given) any {
		list, err := toleration.Minimize(nil, g.list)
		return results(len(list), err != nil)
	}, [4]string{"0 false", "1 false", "0 true", "0 true"}},
	"NewMeaning":        {func(g *given) any { return failed(toleration.NewMeaning(g.list)) }, [4]string{"false", "false", "true", "true"}},
	"NewLenientMeaning": {func(g *given) any { return failed(toleration.NewLenientMeaning(g.list)) }, [4]string{"false", "false", "true", "true"}},
	"Redundant": {func(g *given) any {
		all, _, _, err := toleration.Redundant(g.list)
		return results(len(all), err != nil)
	}, [4]string{"0 false", "2 false", "0 true", "0 true"}},
	"Meaning.Level": {func(g *given) any { return g.meaning().Level(&g.x) }, [4]string{"not tolerated", "tolerated for 1m0s", "not tolerated", "not tolerated"}},
	"Meaning.Compare": {func(g *given) any {
		n := 0
		for range g.meaning().Compare(new(toleration.Meaning)) {
			n++
		}
		return n
	}, [4]string{"4", "8", "4", "25229"}},
	"Meaning.Equal": {func(g *given) any { return g.meaning().Equal(new(toleration.Meaning)) }, [4]string{"true", "false", "true", "false"}},
	"Meaning.Covers": {func(g *given) any {
		return results(g.meaning().Covers(g.meaning()), new(toleration.Meaning).Covers(g.meaning()))
	}, [4]string{"true true", "true false", "true true", "true false"}},
	"Meaning.Restrict":          {func(g *given) any { return g.meaning().Restrict(taint.Soft).Equal(new(toleration.Meaning)) }, [4]string{"true", "true", "true", "true"}},
	"Meaning.Allows":            {func(g *given) any { return results(g.meaning().Allows(&g.t)) }, [4]string{"\"\" false", "\"\" true", "\"\" false", "\"\" false"}},
	"Meaning.AppendTolerations": {func(g *given) any { return len(g.meaning().AppendTolerations(slices.Clone(g.list))) }, [4]string{"0", "3", "2", "35026"}},
	"Meaning.Signature":         {func(g *given) any { return len(g.meaning().Signature()) }, [4]string{"16", "50", "16", "269478"}},
	"Meaning.String":            {func(g *given) any { return len(g.meaning().String()) }, [4]string{"0", "17", "0", "382426"}},
	"Level.Delay":               {func(g *given) any { return results(g.meaning().Level(&g.x).Delay()) }, [4]string{"0s true", "1m0s true", "0s true", "0s true"}},
	"Level.String":              {func(g *given) any { return g.meaning().Level(&g.x).String() }, [4]string{"not tolerated", "tolerated for 1m0s", "not tolerated", "not tolerated"}},
	"Operator.Comparison":       {func(g *given) any { return g.t.Operator.Comparison() }, [4]string{"false", "false", "false", "false"}},
	"Rules.Active":              {func(g *given) any { return len(toleration.Rules{}.Active(nil, g.list)) }, [4]string{"0", "2", "2", "10001"}},
	"Rules.Holds":               {func(g *given) any { return toleration.Rules{}.Holds(g.t.Operator, g.x.Value, g.t.Value) }, [4]string{"true", "true", "false", "true"}},
	"Rules.Validate":            {func(g *given) any { return countFaults(toleration.Rules{}.Validate(g.list)) }, [4]string{"0", "0", "5", "10003"}},
	"Rules.ValidateUpdate":      {func(g *given) any { return countFaults(toleration.Rules{}.ValidateUpdate(nil, g.list)) }, [4]string{"0", "2", "2", "20001"}},
	"Toleration.Equal": {func(g *given) any {
		u := g.t
		u.TolerationSeconds = new(int64)
		return results(g.t.Equal(&g.t), g.t.Equal(&u))
	}, [4]string{"true false", "true false", "true false", "true false"}},
	"Toleration.Matches":   {func(g *given) any { u := g.t; u.TolerationSeconds = new(int64); return g.t.Matches(&u) }, [4]string{"true", "true", "true", "true"}},
	"Toleration.String":    {func(g *given) any { return len(g.t.String()) }, [4]string{"2", "16", "37", "3145731"}},
	"Toleration.Tolerates": {func(g *given) any { return g.t.Tolerates(&g.x) }, [4]string{"true", "true", "false", "true"}},
	"Toleration.Values":    {func(g *given) any { return g.t.Values().Kind }, [4]string{"one value", "one value", "no value", "one value"}},
	"ValuesKind.String":    {func(g *given) any { return toleration.ValuesKind(len(g.list)).String() }, [4]string{"no value", "one value", "one value", "ValuesKind(33)"}},
}

// Every exported function has an answer for empty, nil, repeated, invalid and huge
// input, and none panics except the Must function.
func TestInputs(t *testing.T) {
	exported.Same(t, inputs)
	all := kinds()
	for name, in := range inputs {
		for i := range all {
			if got := fmt.Sprint(in.ask(&all[i])); got != in.want[i] {
				t.Errorf("%s of %s: %q, want %q", name, [...]string{"nothing", "the same twice", "what is not valid", "very much"}[i], got, in.want[i])
			}
		}
	}
}

// meaning is that of the tolerations that are valid.
func (g *given) meaning() *toleration.Meaning {
	m, _ := toleration.NewMeaning(slices.DeleteFunc(slices.Clone(g.list), func(t toleration.Toleration) bool {
		return toleration.Rules{Comparisons: true}.Validate([]toleration.Toleration{t}) != nil
	}))
	return m
}

// results puts the results of a call together.
func results(all ...any) string { return strings.TrimSuffix(fmt.Sprintln(all...), "\n") }

func outcome[T any](list []toleration.Toleration, second T) string { return results(len(list), second) }

// failed tells whether a call has an error.
func failed[T any](_ T, err error) bool { return err != nil }

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

func countFaults(err error) int {
	if faults, ok := err.(*taint.FieldErrors); ok {
		return len(faults.Faults)
	}
	return 0
}

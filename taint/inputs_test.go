package taint_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/exported"
	"github.com/tolero-dev/tolero/taint"
)

// given is one kind of input in all the forms that functions take.
type given struct {
	taints []taint.Taint
	x      taint.Taint // the last of taints
	text   string
	change taint.Change
	faults taint.FieldErrors
}

// kinds are nothing, the same twice, what is not valid, and much of everything.
func kinds() [4]given {
	a, odd := taint.MustParse("a=1:NoSchedule"), taint.Taint{Key: "\xff,", Value: "-", Effect: "odd"}
	huge, long := many(20_000), strings.Repeat("a", 1<<20)
	last := taint.Taint{Key: long, Value: long, Effect: taint.Effect(long)}
	all := append(huge, last)
	fault := &taint.FieldError{Field: "key", Problem: "\xff", Value: "\xff", Detail: "\xff"}
	return [4]given{
		{},
		{[]taint.Taint{a, a}, a, "a=1:NoSchedule,a=1:NoSchedule", taint.Change{Add: []taint.Taint{a, a}, Remove: []taint.Taint{{Key: "b"}, {Key: "b"}}},
			taint.FieldErrors{Faults: []*taint.FieldError{{}, {}}}},
		{[]taint.Taint{{}, odd}, odd, "\xff,:odd", taint.Change{Add: []taint.Taint{odd}, Remove: []taint.Taint{{}}},
			taint.FieldErrors{Faults: []*taint.FieldError{fault}}},
		{all, last, taint.FormatList(all), taint.Change{Add: all}, taint.FieldErrors{Faults: slices.Repeat([]*taint.FieldError{fault}, 10_000)}},
	}
}

// inputs has what each function answers for the four kinds.
var inputs = map[string]struct {
	ask  func(g *given) any
	want [4]string
}{
	"Find":       {func(g *given) any { return results(taint.Find(g.taints, &g.x)) }, [4]string{"0 false", "0 true", "1 true", "20000 true"}},
	"KeyExists":  {func(g *given) any { return taint.KeyExists(g.taints, g.x.Key) }, [4]string{"false", "true", "true", "true"}},
	"Equal":      {func(g *given) any { return taint.Equal(g.taints, slices.Clone(g.taints)) }, [4]string{"true", "true", "true", "true"}},
	"Clone":      {func(g *given) any { return results(len(taint.Clone(g.taints)), taint.Clone(g.taints) == nil) }, [4]string{"0 true", "2 false", "2 false", "20001 false"}},
	"Upsert":     {func(g *given) any { return outcome(taint.Upsert(nil, g.taints, g.x)) }, [4]string{"1 true", "2 false", "2 false", "20001 false"}},
	"Remove":     {func(g *given) any { return outcome(taint.Remove(nil, g.taints, g.x)) }, [4]string{"0 false", "0 true", "1 true", "20000 true"}},
	"RemoveKey":  {func(g *given) any { return outcome(taint.RemoveKey(nil, g.taints, g.x.Key)) }, [4]string{"0 false", "0 true", "1 true", "20000 true"}},
	"Difference": {func(g *given) any { return len(taint.Difference(nil, g.taints, g.taints[min(1, len(g.taints)):])) }, [4]string{"0", "0", "1", "1"}},
	"Merge":      {func(g *given) any { return len(taint.Merge(nil, g.taints[:len(g.taints)/2], g.taints)) }, [4]string{"0", "1", "2", "20001"}},
	"WithCordon": {func(g *given) any { return len(taint.WithCordon(nil, g.taints, true)) }, [4]string{"1", "3", "3", "20002"}},
	"Validate":   {func(g *given) any { return countFaults(taint.Validate(g.taints)) }, [4]string{"0", "1", "5", "3"}},
	"CheckKey":   {func(g *given) any { return taint.CheckKey(g.x.Key) != nil }, [4]string{"true", "false", "true", "true"}},
	"CheckValue": {func(g *given) any { return taint.CheckValue(g.x.Value) != nil }, [4]string{"false", "false", "true", "true"}},
	"ParseListJSON": {func(g *given) any {
		text, _ := json.Marshal(g.taints)
		list, err := taint.ParseListJSON(text)
		return results(len(list), err)
	}, [4]string{"0 <nil>", "2 <nil>", "2 <nil>", "20001 <nil>"}},
	"MustParseList": {func(g *given) any { return catch(func() { taint.MustParseList(g.text) }) != nil }, [4]string{"false", "true", "true", "true"}},
	"Taint.UnmarshalJSON": {func(g *given) any {
		text, _ := json.Marshal(g.x)
		back := g.x
		return json.Unmarshal(text, &back)
	}, [4]string{"<nil>", "<nil>", "<nil>", "<nil>"}},
	"Parse":            {func(g *given) any { return failed(taint.Parse(g.text)) }, [4]string{"true", "true", "true", "true"}},
	"MustParse":        {func(g *given) any { return catch(func() { taint.MustParse(g.text) }) != nil }, [4]string{"true", "true", "true", "true"}},
	"ParseList":        {func(g *given) any { return failed(taint.ParseList(g.text)) }, [4]string{"false", "true", "true", "true"}},
	"AppendList":       {func(g *given) any { return len(taint.AppendList(nil, g.taints)) }, [4]string{"0", "29", "16", "3659066"}},
	"FormatList":       {func(g *given) any { return len(taint.FormatList(g.taints)) }, [4]string{"0", "29", "16", "3659066"}},
	"ParseChange":      {func(g *given) any { return failed(taint.ParseChange(strings.Split(g.text, ",")...)) }, [4]string{"true", "true", "true", "true"}},
	"Change.Apply":     {func(g *given) any { return outcome(g.change.Apply(nil, g.taints, true)) }, [4]string{"0 <nil>", "0 taint \"b\": not found on the node\ntaint \"b\": not found on the node", "1 <nil>", "20001 <nil>"}},
	"Effect.Known":     {func(g *given) any { return g.x.Effect.Known() }, [4]string{"false", "true", "false", "false"}},
	"Effect.Set":       {func(g *given) any { return g.x.Effect.Set() }, [4]string{"other", "NoSchedule", "other", "other"}},
	"EffectSet.Has":    {func(g *given) any { return taint.AllEffects.Has(g.x.Effect) }, [4]string{"true", "true", "true", "true"}},
	"EffectSet.String": {func(g *given) any { return (effectsOf(g.taints) | 1<<7).String() }, [4]string{"none", "NoSchedule", "other", "NoSchedule|PreferNoSchedule|NoExecute|other"}},
	"FieldError.Error": {func(g *given) any {
		return len((&taint.FieldError{Problem: fmt.Sprint(len(g.taints)), Value: g.x.Value}).Error())
	}, [4]string{"8", "9", "9", "1048588"}},
	"FieldErrors.Add": {func(g *given) any {
		es := taint.FieldErrors{Faults: slices.Clone(g.faults.Faults)}
		es.Add("", "invalid value", g.x.Value, "")
		return len(es.Faults)
	}, [4]string{"1", "3", "2", "10001"}},
	"FieldErrors.Err":   {func(g *given) any { return results(g.faults.Err() != nil, (*taint.FieldErrors)(nil).Err() != nil) }, [4]string{"false false", "true false", "true false", "true false"}},
	"FieldErrors.Error": {func(g *given) any { return results(len(g.faults.Error()), (*taint.FieldErrors)(nil).Error()) }, [4]string{"0 ", "16 ", "16 ", "179998 "}},
	"FieldErrors.Under": {func(g *given) any {
		return results(len(g.faults.Under("x").Faults), (*taint.FieldErrors)(nil).Under("x") == nil)
	}, [4]string{"0 true", "2 true", "1 true", "10000 true"}},
	"FieldErrors.Unwrap": {func(g *given) any { return results(len(g.faults.Unwrap()), (*taint.FieldErrors)(nil).Unwrap() == nil) }, [4]string{"0 true", "2 true", "1 true", "10000 true"}},
	"Taint.Equal":        {func(g *given) any { y := g.x; y.TimeAdded = &taint.Time{}; return y.Equal(&g.x) }, [4]string{"true", "true", "true", "true"}},
	"Taint.Matches":      {func(g *given) any { y := g.x; y.Value = "other"; return y.Matches(&g.x) }, [4]string{"true", "true", "true", "true"}},
	"Taint.String":       {func(g *given) any { return len(g.x.String()) }, [4]string{"2", "14", "13", "3145730"}},
	"Time.IsZero":        {func(g *given) any { return results(g.x.TimeAdded.IsZero(), (&taint.Time{}).IsZero()) }, [4]string{"true true", "true true", "true true", "true true"}},
	"Time.MarshalJSON": {func(g *given) any {
		return failed(json.Marshal(taint.Time{Time: time.Unix(1<<40*int64(len(g.taints)), 0)}))
	}, [4]string{"false", "true", "true", "true"}},
	"Time.UnmarshalJSON": {func(g *given) any {
		var at taint.Time
		return json.Unmarshal([]byte(fmt.Sprintf("%q", g.text)), &at) != nil
	}, [4]string{"true", "true", "true", "true"}},
}

// Every exported function has an answer for empty, nil, repeated, invalid and huge
// input, and none panics except the Must functions.
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

// results puts the results of a call together.
func results(all ...any) string { return strings.TrimSuffix(fmt.Sprintln(all...), "\n") }

func outcome[T any](list []taint.Taint, second T) string { return results(len(list), second) }

// failed tells whether a call has an error.
func failed[T any](_ T, err error) bool { return err != nil }

func countFaults(err error) int {
	if faults, ok := err.(*taint.FieldErrors); ok {
		return len(faults.Faults)
	}
	return 0
}

func effectsOf(taints []taint.Taint) (effects taint.EffectSet) {
	for i := range taints {
		effects |= taints[i].Effect.Set()
	}
	return effects
}

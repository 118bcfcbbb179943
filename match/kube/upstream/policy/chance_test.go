package policy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	tolero "github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// lists draws valid lists of few keys, and values and seconds around every limit.
func lists(rules toleration.Rules, length int) *rapid.Generator[[]toleration.Toleration] {
	operators := []toleration.Operator{"", toleration.OpEqual, toleration.OpExists}
	if rules.Comparisons {
		operators = append(operators, toleration.OpGt, toleration.OpLt, toleration.OpGt, toleration.OpLt)
	}
	one := rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return toleration.Toleration{
			Key:      rapid.SampledFrom([]string{"a", "b", "c.example/d", ""}).Draw(t, "key"),
			Operator: rapid.SampledFrom(operators).Draw(t, "operator"),
			Value: rapid.SampledFrom([]string{"", "x", "X", "0", "1", "2", "3", "5", "01", "-1", "-3", "1e3", "9223372036854775805", "9223372036854775806",
				"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775807", "-9223372036854775806"}).Draw(t, "value"),
			Effect:            rapid.SampledFrom([]taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, taint.NoExecute}).Draw(t, "effect"),
			TolerationSeconds: rapid.SampledFrom([]*int64{nil, nil, seconds(-1), seconds(0), seconds(1), seconds(60), seconds(300), seconds(9223372036), seconds(9223372037), seconds(math.MaxInt64)}).Draw(t, "seconds"),
		}
	})
	return rapid.Map(rapid.SliceOfN(one, 0, length), func(list []toleration.Toleration) []toleration.Toleration {
		return slices.DeleteFunc(list, func(t toleration.Toleration) bool { return rules.Validate([]toleration.Toleration{t}) != nil })
	})
}

func TestPoliciesByChance(t *testing.T) {
	rapid.Check(t, againstLibrary)
}

func FuzzPolicies(f *testing.F) {
	target.Fuzz(f, target.Rapid(againstLibrary))
}

// againstLibrary asks about single tolerations, about a new object and about an update.
func againstLibrary(t *rapid.T) {
	rules := toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}
	list := lists(rules, 40)
	written := policy.Spec{Rules: rules}
	if rapid.Bool().Draw(t, "allow") {
		written.Allowed = append([]toleration.Toleration{}, lists(rules, 30).Draw(t, "allowed")...)
	}
	if written.Allowed == nil || rapid.Bool().Draw(t, "deny") {
		written.Denied = append(lists(rules, 8).Draw(t, "denied"), toleration.Toleration{Key: "d", Operator: toleration.OpExists})
	}
	p, err := policy.New(written)
	if err != nil {
		t.Fatal(err)
	}
	s := install(t, &tolero.Policy{Name: "p", Spec: written})
	asked := list.Draw(t, "asked")
	compare(t, s, p, asked)

	old := list.Draw(t, "old")
	updated := append(slices.Clone(old), asked[:min(3, len(asked))]...)
	updated = updated[rapid.IntRange(0, len(updated)).Draw(t, "gone"):]
	kind := rapid.SampledFrom(names).Draw(t, "kind")
	for _, r := range []request{{object: kinds[kind](spec(asked))}, {object: kinds[kind](spec(updated)), old: kinds[kind](spec(old))}} {
		judged := asked
		if r.old != nil {
			judged = slices.DeleteFunc(slices.Clone(updated), func(u toleration.Toleration) bool { return contains(old, &u) })
		}
		got, want := s.judge(r), p.Check(judged)
		if (got == "") != (want == nil) || strings.HasPrefix(got, "error") {
			t.Fatalf("%s with %s, before %s\nAPI server: %q\npolicy.Check: %v\n%+v", kind, text(judged), text(old), got, want, s.policy.Spec.Variables)
		}
	}
}

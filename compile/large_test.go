package compile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Long lists over many keys, which the proof kit does not make, against match.
func TestLargeListsAgreeWithMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	keys := append(corpus.Keys(), "", "a", "b", "ab")
	values := []string{"", "true", "1", "2", "3", "10", "x", "05"}
	effects := []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Other", "Another"}
	operators := []toleration.Operator{"", toleration.OpEqual, toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt, "In"}
	pick := func(n int) int { return random.IntN(n) }
	for round := range 2000 {
		n := 1 + pick(1+round%80)
		some := keys[:1+pick(len(keys))] // few keys make long groups, many make long tables
		var tolerations []toleration.Toleration
		for range n {
			tol := toleration.Toleration{
				Key: some[pick(len(some))], Operator: operators[pick(len(operators))],
				Value: values[pick(len(values))], Effect: effects[pick(len(effects))],
			}
			if pick(4) == 0 {
				seconds := int64(pick(400))
				tol.TolerationSeconds = &seconds
			}
			tolerations = append(tolerations, tol)
		}
		m := compile.New(tolerations)
		var taints []taint.Taint
		for range 30 {
			taints = append(taints, taint.Taint{Key: some[pick(len(some))], Value: values[pick(len(values))], Effect: effects[pick(len(effects))]})
		}
		for i := range taints {
			if got, want := m.Tolerates(&taints[i]), match.Tolerates(tolerations, &taints[i]); got != want {
				t.Fatalf("%q with %q: got %v\n%s", taints[i], toleration.FormatList(tolerations), got, m)
			}
			one := taints[i : i+1]
			if got, want := m.Decide(one), match.Decide(one, tolerations); got != want {
				t.Fatalf("%q with %q: got %v, want %v\n%s", one, toleration.FormatList(tolerations), got, want, m)
			}
		}
		if got, want := m.Filter(nil, taints, taint.AllEffects), match.Filter(nil, taints, tolerations, taint.AllEffects); !taint.Equal(got, want) {
			t.Fatalf("%q with %q: left %q, want %q\n%s", taints, toleration.FormatList(tolerations), got, want, m)
		}
	}
}

// 10,000 tolerations: with as many keys, with one key, and with keys that the
// quick hash function does not tell apart.
func TestEnormousLists(t *testing.T) {
	for name, format := range map[string]struct{ key, value string }{
		"keys":     {"key-%d", "x"},
		"values":   {"key", "%d"},
		"alike":    {"%06d/same.in.the.end.and.in.the.middle.and.of.the.same.length", "x"},
		"evicting": {"key-%d", ""},
	} {
		t.Run(name, func(t *testing.T) {
			const n = 10_000
			tolerations := make([]toleration.Toleration, n)
			for i := range tolerations {
				seconds := int64(i)
				tolerations[i] = toleration.Toleration{Key: text(format.key, i), Value: text(format.value, i), TolerationSeconds: &seconds}
			}
			m := compile.New(tolerations)
			for i := 0; i < n; i += 97 {
				x := taint.Taint{Key: text(format.key, i), Value: text(format.value, i), Effect: taint.NoSchedule}
				if !m.Tolerates(&x) {
					t.Fatalf("%v is not tolerated", x)
				}
				if x.Key += "?"; m.Tolerates(&x) {
					t.Fatalf("%v is tolerated", x)
				}
			}
			last := []taint.Taint{{Key: text(format.key, n-1), Value: text(format.value, n-1), Effect: taint.NoExecute}}
			if got, want := m.Decide(last), match.Decide(last, tolerations); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// text puts i into the text if it has a verb for it.
func text(format string, i int) string {
	if strings.Contains(format, "%") {
		return fmt.Sprintf(format, i)
	}
	return format
}

func TestMatcherKeepsACopy(t *testing.T) {
	tolerations := []toleration.Toleration{{Key: "a", Operator: toleration.OpExists}}
	m := compile.New(tolerations)
	tolerations[0] = toleration.Toleration{Operator: toleration.OpExists}
	if a, b := (taint.Taint{Key: "a"}), (taint.Taint{Key: "b"}); !m.Tolerates(&a) || m.Tolerates(&b) {
		t.Errorf("the matcher changed with the list: %v", m)
	}
	if got := m.AppendTolerations(nil); len(got) != 1 || got[0].Key != "a" {
		t.Errorf("the list of the matcher is %v", got)
	}
}

func TestZeroMatcher(t *testing.T) {
	var m compile.Matcher
	x := []taint.Taint{{Effect: taint.NoExecute}}
	if got, want := m.Decide(x), match.Decide(x, nil); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := m.String(); got != "nothing\n" {
		t.Errorf("printed as %q", got)
	}
}

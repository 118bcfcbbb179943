package policy

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	tolero "github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/policy"
)

func seconds(n int64) *int64 { return &n }

// valid returns what the API server accepts.
func valid(u *matchtest.Universe, rules toleration.Rules) (list []toleration.Toleration) {
	for _, t := range u.Tolerations() {
		if rules.Validate([]toleration.Toleration{t}) == nil {
			list = append(list, t)
		}
	}
	return list
}

// universe has all that a policy tells apart: its own keys and values and others, every operator and
// effect, and seconds around those of others.
func universe(comparisons bool) *matchtest.Universe {
	u := &matchtest.Universe{
		Keys:      []string{"", "a", "b"},
		Values:    []string{"", "x"},
		Effects:   []taint.Effect{"", taint.NoSchedule, taint.NoExecute},
		Operators: []toleration.Operator{"", toleration.OpEqual, toleration.OpExists},
		Seconds:   []*int64{nil, seconds(-1), seconds(60)},
	}
	if comparisons {
		u.Values = []string{"", "x", "1", "5"}
		u.Keys = u.Keys[:2]
		u.Effects = u.Effects[1:]
		u.Seconds = u.Seconds[:1]
		u.Operators = append(u.Operators[1:], toleration.OpGt, toleration.OpLt)
	}
	return u
}

// compare holds the answers of the server for single tolerations against those of the library.
func compare(t rapid.TB, s *server, p *policy.Policy, list []toleration.Toleration) {
	refused, _ := s.refuses(t, list)
	for i := range list {
		want := p.Check(list[i : i+1])
		if got := contains(refused, &list[i]); got != (want != nil) {
			t.Fatalf("toleration %s\nrefused by the API server: %v\npolicy.Check: %v\n%+v", text(list[i:i+1]), got, want, s.policy.Spec.Variables)
		}
	}
}

func contains(list []toleration.Toleration, t *toleration.Toleration) bool {
	return slices.ContainsFunc(list, func(u toleration.Toleration) bool {
		return toleration.Equal([]toleration.Toleration{u}, []toleration.Toleration{*t})
	})
}

// Every policy of one or two tolerations, allowed or denied, is asked about every toleration: all
// policies with TOLERO_LONG, and otherwise some, because compiling each takes 30 ms.
func TestPoliciesExhaustively(t *testing.T) {
	for _, comparisons := range []bool{false, true} {
		rules := toleration.Rules{Comparisons: comparisons}
		all := valid(universe(comparisons), rules)
		policies := 0
		for i := range all {
			for j := range all[:i+1] {
				if (i*j)%17 != 0 && os.Getenv("TOLERO_LONG") == "" {
					continue
				}
				for _, spec := range specs(rules, []toleration.Toleration{all[i], all[j]}) {
					p, err := policy.New(spec)
					if err != nil {
						t.Fatal(err)
					}
					compare(t, install(t, &tolero.Policy{Name: "p", Spec: spec}), p, all)
					policies++
				}
			}
		}
		t.Logf("comparisons %v: %d policies, %d questions", comparisons, policies, policies*len(all))
	}
}

func specs(rules toleration.Rules, list []toleration.Toleration) []policy.Spec {
	return []policy.Spec{{Rules: rules, Allowed: list}, {Rules: rules, Denied: list}}
}

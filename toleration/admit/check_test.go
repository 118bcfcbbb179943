package admit_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// refused returns which of the tolerations a restriction refuses.
func refused(r admit.Restriction, tolerations []toleration.Toleration) map[string]bool {
	all := make(map[string]bool)
	var errs *taint.FieldErrors
	if errors.As(r.Check(tolerations), &errs) {
		for _, fault := range errs.Faults {
			all[fault.Field] = true
		}
	}
	return all
}

// Without Exact the plugin's test decides, for one entry of the whitelist at a time
// (rule A5).
func TestA5CheckIsThePluginsOwn(t *testing.T) {
	u := matchtest.Universe{
		Keys:      []string{"", "a", "b"},
		Operators: []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpGt, "In"},
		Values:    []string{"", "1"},
		Effects:   []taint.Effect{"", taint.NoSchedule, taint.NoExecute},
		Seconds:   []*int64{nil, admit.Seconds(-1), admit.Seconds(60)},
	}
	all := u.Tolerations()
	compare := func(t rapid.TB, whitelist []toleration.Toleration) {
		got := refused(admit.Restriction{Whitelist: whitelist}, all)
		for i := range all {
			allowed := false
			for j := range whitelist {
				allowed = allowed || admit.UpstreamIsSuperset(&whitelist[j], &all[i])
			}
			if got[field(i)] == allowed {
				t.Fatalf("whitelist %q, %q: allowed %v", whitelist, all[i], !allowed)
			}
		}
	}
	for i := range all {
		compare(t, all[i:i+1])
	}
	rapid.Check(t, func(t *rapid.T) {
		compare(t, rapid.SliceOfN(rapid.SampledFrom(all), 1, 6).Draw(t, "whitelist"))
	})
}

// What a single entry covers is allowed with Exact, and what is allowed is covered by
// the whitelist as a set (rule A5).
func TestA5ExactCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		whitelist := append(matchtest.Tolerations(taints).Draw(t, "whitelist"), matchtest.Toleration().Draw(t, "entry"))
		tolerations := matchtest.Tolerations(taints).Draw(t, "tolerations")
		got := refused(admit.Restriction{Whitelist: whitelist, Exact: true}, tolerations)
		set, grants := toleration.NewSet(whitelist), toleration.NewLenientGrants(whitelist)
		for i := range tolerations {
			one := tolerations[i : i+1]
			if covered := set.Covers(toleration.NewSet(one)) && grants.Covers(toleration.NewGrants(one)); covered == got[field(i)] {
				t.Fatalf("%q by %q: allowed %v, covered %v", one, whitelist, !got[field(i)], covered)
			}
			for j := range whitelist {
				if whitelist[j].Covers(&tolerations[i]) && got[field(i)] {
					t.Fatalf("%q covers %q", whitelist[j], one)
				}
			}
		}
	})
}

// The message names a taint, if a node can have it.
func TestA5ExactCheckNamesATaint(t *testing.T) {
	for _, c := range []struct{ whitelist, list, want string }{
		{"a<3,a>2", "a>0", ""},
		{"a=1", "a", `tolerations[0]: forbidden: "a" is not on the whitelist, which does not tolerate "a:NoSchedule"`},
		{"a:NoExecute@60", "a:NoExecute@60,a:NoExecute@61", `tolerations[1]: forbidden: "a:NoExecute@61" is not on the whitelist, which does not tolerate "a:NoExecute", or not for as long`},
		{"a", "a:Odd,b:Odd", `tolerations[1]: forbidden: "b:Odd" is not on the whitelist`},
	} {
		r := admit.Restriction{ClusterWhitelist: list(t, c.whitelist), Exact: true}
		got := ""
		if err := r.Check(list(t, c.list)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s by %s: %s", c.list, c.whitelist, got)
		}
	}
}

func field(i int) string { return fmt.Sprintf("tolerations[%d]", i) }

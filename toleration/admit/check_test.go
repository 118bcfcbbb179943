package admit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// comparisons are the rules of a cluster in which Gt and Lt count.
var comparisons = toleration.Rules{Comparisons: true}

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
		Seconds:   []*int64{nil, ptr(int64(-1)), ptr(int64(60))},
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

// With Exact, what the meaning of the whitelist covers is allowed (rule A5). What is not valid
// is not, and allows nothing.
func TestA5ExactCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		whitelist := append(matchtest.Tolerations(taints).Draw(t, "whitelist"), matchtest.Toleration().Draw(t, "entry"))
		tolerations := matchtest.Tolerations(taints).Draw(t, "tolerations")
		r := admit.Restriction{Whitelist: whitelist, Exact: true, Rules: comparisons}
		m, invalid := toleration.NewLenientMeaning(whitelist)
		if err := r.Check(tolerations); invalid != nil && (err == nil || !strings.HasPrefix(err.Error(), "whitelist.tolerations[")) {
			t.Fatalf("%q: %v", whitelist, err)
		}
		got := refused(r, tolerations)
		for i := 0; i < len(tolerations) && invalid == nil; i++ {
			one, err := toleration.NewMeaning(tolerations[i : i+1])
			if covered := err == nil && m.Covers(one); covered == got[field(i)] {
				t.Fatalf("%q by %q: allowed %v, covered %v", tolerations[i], whitelist, !got[field(i)], covered)
			}
		}
	})
}

// Long lists have the answers of short ones. Package fuzz/steps counts their steps.
func TestA5ExactCheckOfLongLists(t *testing.T) {
	const n = 3000
	var whitelist, within []toleration.Toleration
	for i := range n {
		above := toleration.Toleration{Key: "a", Operator: toleration.OpGt, Value: fmt.Sprint(n - i), Effect: taint.NoExecute, TolerationSeconds: ptr(int64(n - i))}
		word := toleration.Toleration{Key: "a", Value: fmt.Sprint("w", i), Effect: taint.NoSchedule}
		whitelist, within = append(whitelist, above, word), append(within, word, above)
	}
	r := admit.Restriction{Whitelist: whitelist, Exact: true, Rules: comparisons}
	if err := r.Check(within); err != nil {
		t.Error("an equal whitelist does not allow all")
	}
	if merged := (admit.Restriction{Exact: true, Class: admit.Burstable, Rules: comparisons}).Append(nil, within); len(merged) != len(within)+1 {
		t.Errorf("%d are needed", len(merged))
	}
	for i := range within {
		within[i].Effect, within[i].TolerationSeconds = taint.NoExecute, nil
	}
	if got := len(refused(r, within)); got != len(within) {
		t.Errorf("%d of %d are refused", got, len(within))
	}
	// Nor may each of many wide tolerations cost a look at all words.
	whitelist, within = append(whitelist, list(t, fmt.Sprintf("a:NoExecute@%d", n))...), nil
	for i := range n {
		within = append(within, toleration.Toleration{Key: "a", Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: ptr(int64(i))})
		whitelist = append(whitelist, toleration.Toleration{Key: "a", Value: fmt.Sprint("w", i), Effect: taint.NoExecute})
	}
	if err := (admit.Restriction{Whitelist: whitelist, Exact: true, Rules: comparisons}).Check(within); err != nil {
		t.Error("a wide entry does not allow all")
	}
}

// The message names a taint, if a node can have it.
func TestA5ExactCheckNamesATaint(t *testing.T) {
	for _, c := range []struct{ whitelist, list, want string }{
		{"a<3,a>2", "a>0", ""},
		{"a=1", "a", `tolerations[0]: forbidden: "a" is not on the whitelist, which does not tolerate "a:NoSchedule"`},
		{"a:NoExecute@60", "a:NoExecute@60,a:NoExecute@61", `tolerations[1]: forbidden: "a:NoExecute@61" is not on the whitelist, which does not tolerate "a:NoExecute", or not for as long`},
		{"a", "a,b:Odd", `tolerations[1]: forbidden: "b:Odd" is not on the whitelist: it is not valid`},
	} {
		r := admit.Restriction{ClusterWhitelist: list(t, c.whitelist), Exact: true, Rules: comparisons}
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

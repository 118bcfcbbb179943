package toleration_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// overruling returns, by asking each taint, the earliest toleration that decides
// for a valid taint which list[i] matches, with other seconds.
func overruling(list []toleration.Toleration, taints []taint.Taint, i int) int {
	earliest := i
	for j := range taints {
		x := &taints[j]
		if first := firstMatch(list, x); list[i].Tolerates(x) && first >= 0 && validTaint(x) && otherSeconds(&list[first], &list[i]) {
			earliest = min(earliest, first)
		}
	}
	return earliest
}

func otherSeconds(t, u *toleration.Toleration) bool {
	a, b := t.TolerationSeconds, u.TolerationSeconds
	if a == nil || b == nil {
		return a != b
	}
	return min(max(0, *a), 9223372037) != min(max(0, *b), 9223372037)
}

func TestE2LintIsExact(t *testing.T) {
	eachOrder(t, func(t *testing.T, taints []taint.Taint, lists [][]toleration.Toleration) {
		remarked := 0
		for _, list := range lists {
			if slices.ContainsFunc(list, func(t toleration.Toleration) bool { return t.Key == "" && t.Operator != toleration.OpExists }) {
				continue
			}
			got := make(map[string]bool)
			for _, r := range (toleration.Rules{Comparisons: true}).Lint(list) {
				if strings.Contains(r.Text, "overlaps") {
					got[r.String()] = true
				}
			}
			want := make(map[string]bool)
			for i := range list {
				if j := overruling(list, taints, i); j < i {
					want[fmt.Sprintf("tolerations[%d]: %q overlaps tolerations[%d], which comes first and has other seconds: "+
						"the eviction time depends on their order", i, list[i], j)] = true
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q:\n%v, want\n%v", list, got, want)
			}
			remarked += len(got)
		}
		t.Logf("%d lists, %d remarks", len(lists), remarked)
	})
}

// The earliest one with other seconds, for valid taints only.
func TestE2LintNamesTheEarliest(t *testing.T) {
	for text, want := range map[string]string{
		`"-k":NoExecute@60,"-k":NoExecute@300,x:NoExecute@60,x:NoExecute@300`:     "3 by 2;",
		`"-k":NoExecute@60,*:NoExecute@300`:                                       "",
		"x=1:NoExecute@60,x=2:NoExecute@300,x=3:NoExecute@400,x:NoExecute@60":     "3 by 1;",
		"x=1:NoExecute@60,x=2:NoExecute@10,x:NoExecute@60":                        "2 by 1;",
		"*=1:NoExecute@60,*==2:NoExecute@60,*>3:NoExecute@60,*:NoExecute@300,x@5": "4 by 3;",
	} {
		got := ""
		for _, r := range (toleration.Rules{Comparisons: true}).Lint(mustParseList(t, text)) {
			var by int
			if _, after, found := strings.Cut(r.Text, " overlaps tolerations["); found {
				fmt.Sscanf(after, "%d]", &by)
				got += fmt.Sprintf("%d by %d;", r.Index, by)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestN3N4LintFindsWhatNeverMatches(t *testing.T) {
	const gate = " matches nothing without the feature gate TaintTolerationComparisonOperators"
	list := mustParseList(t, "a>5,a<1,a<0,a>9223372036854775807,a=x,a=-x,a=5,a=-5,a?In x,a,*=")
	never := []string{
		`tolerations[5]: "a=-x" matches no valid taint`,
		`tolerations[7]: "a=-5" matches no valid taint`,
		`tolerations[8]: "a?In x" matches no valid taint`,
	}
	for _, c := range []struct {
		rules toleration.Rules
		want  []string
	}{
		{toleration.Rules{}, append([]string{
			`tolerations[0]: "a>5"` + gate,
			`tolerations[1]: "a<1"` + gate,
			`tolerations[2]: "a<0"` + gate,
			`tolerations[3]: "a>9223372036854775807"` + gate,
		}, never...)},
		{toleration.Rules{Comparisons: true}, append([]string{
			`tolerations[2]: "a<0" matches no valid taint`,
			`tolerations[3]: "a>9223372036854775807" matches no valid taint`,
		}, never...)},
	} {
		var got []string
		for _, r := range c.rules.Lint(list) {
			got = append(got, r.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v:\ngot  %q\nwant %q", c.rules, got, c.want)
		}
	}
}

// The order of the last two does not matter, because neither can ever be first.
func TestLintHasNoFalseRemark(t *testing.T) {
	for _, r := range (toleration.Rules{}).Lint(mustParseList(t, "*:NoExecute,a:NoExecute@60,a:NoExecute@300")) {
		if !strings.Contains(r.Text, "overlaps tolerations[0],") {
			t.Error(r)
		}
	}
}

func TestLintIsLinear(t *testing.T) {
	var list []toleration.Toleration
	for i := range 1500 {
		list = append(list, toleration.Toleration{Key: "a", Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: ptr(int64(i))})
		list = append(list, toleration.Toleration{Key: "a", Operator: toleration.OpGt, Value: strconv.Itoa(i), Effect: taint.NoExecute})
	}
	if n := len((toleration.Rules{}).Lint(list)); n > 2*len(list) {
		t.Errorf("%d remarks on %d tolerations", n, len(list))
	}
}

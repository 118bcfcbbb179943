package matchtest_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
)

func TestLists(t *testing.T) {
	var got []string
	for list := range matchtest.Lists([]string{"a", "b"}, 2) {
		got = append(got, "["+join(list)+"]")
	}
	want := []string{"[]", "[a]", "[b]", "[aa]", "[ab]", "[ba]", "[bb]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for range matchtest.Lists([]string{"a", "b"}, 2) {
		break // stopping early must not panic
	}
}

func join(list []string) (s string) {
	for _, item := range list {
		s += item
	}
	return s
}

func TestUniverseIsComplete(t *testing.T) {
	for name, u := range map[string]*matchtest.Universe{"wide": matchtest.Wide(), "numbers": matchtest.Numbers(), "narrow": matchtest.Narrow()} {
		tolerations, taints := u.Tolerations(), u.Taints()
		seen := map[string]bool{}
		for i := range tolerations {
			seen[tolerations[i].String()] = true
		}
		if want := len(u.Keys) * len(u.Operators) * len(u.Values) * len(u.Effects) * len(u.Seconds); len(seen) != want || len(tolerations) != want {
			t.Errorf("%s: %d tolerations, %d of them different, want %d", name, len(tolerations), len(seen), want)
		}
		different := map[taint.Taint]bool{}
		for _, x := range taints {
			different[x] = true
		}
		if len(different) != len(taints) || len(taints) == 0 {
			t.Errorf("%s: %d taints, %d of them different", name, len(taints), len(different))
		}
	}
}

// Spec is an oracle; these are the cases that are easiest to get wrong, as
// literals.
func TestSpec(t *testing.T) {
	for _, c := range []struct {
		toleration string
		taint      taint.Taint
		want       bool
	}{
		{"*", taint.Taint{Key: "k", Value: "v", Effect: "Other"}, true},
		{"*:NoSchedule", taint.Taint{Key: "k", Effect: "NoExecute"}, false},
		{"*=", taint.Taint{Key: "k", Effect: "NoExecute"}, true},
		{"k", taint.Taint{Key: "k", Value: "v", Effect: "Other"}, true},
		{"k?In v", taint.Taint{Key: "k", Value: "v"}, false},
		{"k>4", taint.Taint{Key: "k", Value: "5"}, true},
		{"k>4", taint.Taint{Key: "k", Value: "05"}, false},
		{"k<6", taint.Taint{Key: "k", Value: "5"}, true},
		{"k<9223372036854775808", taint.Taint{Key: "k", Value: "5"}, false},
	} {
		list, err := notation.Tolerations(c.toleration)
		if err != nil {
			t.Fatal(err)
		}
		if got := matchtest.Spec(comparisons)(list).Tolerates(&c.taint); got != c.want {
			t.Errorf("%s tolerates %+q: %v", c.toleration, c.taint, got)
		}
		want := c.want && !list[0].Operator.Comparison() // N4
		if got := matchtest.Spec()(list).Tolerates(&c.taint); got != want {
			t.Errorf("in a default cluster, %s tolerates %+q: %v", c.toleration, c.taint, got)
		}
	}
}

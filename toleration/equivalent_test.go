package toleration_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/toleration"
)

func TestEquivalent(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"empty", "", "", true},
		{"order", "a,b=c", "b=c,a", true},
		{"repetition", "a,a", "a", true},
		{"wording", "a=b", "a==b", true},
		{"what is covered", "a,a=b:NoSchedule", "a", true},
		{"other taints", "a", "a:NoExecute", false},
		{"only the seconds", "a:NoExecute@1", "a:NoExecute@2", false},
		{"only the taints", "a", "a:NoExecute,a:NoSchedule", false}, // unknown effects
		{"order that decides", "a:NoExecute@1,a", "a,a:NoExecute@1", false},
		{"seconds that evict at once are not toleration", "a:NoExecute@0", "", false},
		{"seconds below zero", "a:NoExecute@0", "a:NoExecute@-1", true},
	} {
		a, b := mustParseList(t, c.a), mustParseList(t, c.b)
		if got, back := toleration.Equivalent(a, b), toleration.Equivalent(b, a); got != c.want || back != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, got, back, c.want)
		}
	}
	if !toleration.Equivalent(nil, []toleration.Toleration{}) {
		t.Error("nil and empty")
	}
}

// A list is equivalent to what Merge makes of it.
func TestEquivalentMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := lawLists(6).Draw(t, "list")
		if merged := toleration.Merge(nil, list); !toleration.Equivalent(list, merged) {
			t.Fatalf("%v: not equivalent to %v", list, merged)
		}
	})
}

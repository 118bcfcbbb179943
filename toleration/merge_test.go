package toleration_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct{ list, want, lenient string }{
		{"", "", ""},
		{"a", "a", "a"},
		{"a,a", "a", "a"},
		{"a=1,a", "a", "a"},
		{"a,a=1", "a", "a"},
		{"a=1,a==1", "a=1", "a=1"}, // they mean the same: the first is kept
		{"a==1,a=1", "a==1", "a==1"},
		{"a:NoExecute@60,a:NoExecute@300,b", "a:NoExecute@60,b", "b,a:NoExecute@300"},
		{"a:NoExecute@60,a:NoSchedule", "a:NoExecute@60,a:NoSchedule", "a:NoSchedule,a:NoExecute@60"},
		{"a>5,a>3,a<10,a=7", "a>5,a<10", "a>5,a<10"}, // 4 and 5 are less than 10,
		{"a=4,a>3", "a>3", "a>3"},
		{"b,*,c=1:NoSchedule", "*", "*"},
		{"a?In x,b", "b", "b"}, // matches nothing
		// The last three match all integers and the empty value, and no other words.
		{"a:NoSchedule,a=,a<0,a>-1", "a:NoSchedule,a=,a<0,a>-1", "a:NoSchedule,a=,a<0,a>-1"},
		// Dropping the first would give 10 seconds for a=1.
		{"a==1:NoExecute@60,*:NoExecute@10,a:NoExecute@300", "a==1:NoExecute@60,*:NoExecute@10", "a:NoExecute@300,*:NoExecute@10"},
		{"*:NoExecute@60,a:NoExecute@300,*:NoExecute@60", "*:NoExecute@60", "a:NoExecute@300,*:NoExecute@60"},
		{"a=1:NoExecute@60,a=1,a:NoExecute@60", "a=1:NoExecute@60,a=1,a:NoExecute@60", "a=1,a:NoExecute@60"},
		{"a@0,a@-5", "a@0", "a@0"},
		{"a=5:NoExecute@60,a>5:NoExecute@90,a>3:NoExecute@60", "a>5:NoExecute@90,a>3:NoExecute@60", "a>5:NoExecute@90,a>3:NoExecute@60"},
		// The equivalent of what no valid list has: only repetitions go.
		{"a=6,*>5", "a=6,*>5", "a=6,*>5"},
		{"*=1,a=1,a", "*=1,a", "*=1,a"},
		{"*=1,*,a:NoSchedule", "*=1,*", "*=1,*"},
		{"*=1,*:NoSchedule,a:NoSchedule,b", "*=1,*:NoSchedule,b", "*=1,*:NoSchedule,b"},
		{"*=1,a,a:NoSchedule", "*=1,a", "*=1,a"},
		{"*=1,a:NoSchedule,a=x:NoSchedule", "*=1,a:NoSchedule", "*=1,a:NoSchedule"},
		{"*=x,a=2,a=1,a=0", "*=x,a=2,a=1,a=0", "*=x,a=2,a=1,a=0"},
		{"*=x,a>5,a>7,a=8,a>3,a<2,a=4,a<1,a=0", "*=x,a>5,a>3,a<2", "*=x,a>5,a>3,a<2"},
		{"a:Odd,a:Odd,a", "a:Odd,a", "a:Odd,a"},
	} {
		list := mustParseList(t, c.list)
		if got := toleration.FormatList(toleration.Merge(nil, list)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.list, got, c.want)
		}
		if got := toleration.FormatList(toleration.MergeLenient(nil, list)); got != c.lenient {
			t.Errorf("%s, lenient: got %s, want %s", c.list, got, c.lenient)
		}
	}
	prefix := mustParseList(t, "z")
	if got := toleration.FormatList(toleration.Merge(prefix, mustParseList(t, "a,a,z"))); got != "z,a,z" {
		t.Errorf("after a prefix: %s", got)
	}
	if got := toleration.FormatList(toleration.MergeLenient(prefix, mustParseList(t, "a@1,a,z"))); got != "z,a,z" {
		t.Errorf("lenient, after a prefix: %s", got)
	}
}

// A list means, for each taint, whether it is tolerated, and the delay.
func meaning(list []toleration.Toleration, taints []taint.Taint, p match.EvictionPolicy) []time.Duration {
	all := delays(list, taints, p)
	for i := range taints {
		if !tolerates(list, &taints[i]) {
			all = append(all, time.Duration(i))
		}
	}
	return all
}

// unusual reports whether a list has something for which Merge does not promise
// that nothing can be dropped.
func unusual(list []toleration.Toleration) bool {
	return slices.ContainsFunc(list, func(t toleration.Toleration) bool {
		return t.Key == "" && t.Operator != toleration.OpExists || t.Effect != "" && !t.Effect.Known()
	})
}

func checkMerge(t rapid.TB, list []toleration.Toleration, taints []taint.Taint) {
	t.Helper()
	merged, lenient := toleration.Merge(nil, list), toleration.MergeLenient(nil, list)
	want := meaning(list, taints, match.FirstMatch)
	if !slices.Equal(meaning(merged, taints, match.FirstMatch), want) {
		t.Fatalf("%q: merged %q has another meaning", list, merged)
	}
	wantLenient := meaning(list, taints, match.MostLenient)
	if !slices.Equal(meaning(lenient, taints, match.FirstMatch), wantLenient) {
		t.Fatalf("%q: lenient %q has another meaning", list, lenient)
	}
	if !isSubsequence(merged, list) {
		t.Fatalf("%q: merged %q is in another order", list, merged)
	}
	if inPlace := slices.Clone(list); !toleration.Equal(toleration.Merge(inPlace[:0], inPlace), merged) {
		t.Fatalf("%q: in place other than %q", list, merged)
	}
	if unusual(list) {
		return
	}
	if again := toleration.Merge(nil, merged); !toleration.Equal(again, merged) {
		t.Fatalf("%q: merged %q, and again %q", list, merged, again)
	}
	for i := range merged {
		if slices.Equal(meaning(slices.Delete(slices.Clone(merged), i, i+1), taints, match.FirstMatch), want) {
			t.Fatalf("%q: %q can be dropped from %q", list, merged[i], merged)
		}
	}
	for i := range lenient {
		if slices.Equal(meaning(slices.Delete(slices.Clone(lenient), i, i+1), taints, match.FirstMatch), wantLenient) {
			t.Fatalf("%q: %q can be dropped from lenient %q", list, lenient[i], lenient)
		}
	}
}

func isSubsequence(list, of []toleration.Toleration) bool {
	for i := range of {
		if len(list) > 0 && list[0].Equal(&of[i]) {
			list = list[1:]
		}
	}
	return len(list) == 0
}

var merges = map[string]string{
	"keys":     `*,*:NoExecute@60,*:NoExecute@300,*:NoSchedule,a,a:NoExecute@60,a:NoExecute@300,a:NoSchedule,a=x,a=x:NoExecute@60,a=x@60,b@60,a?In x`,
	"integers": `a,a:NoExecute@60,a>5,a>5:NoExecute@60,a>6@60,a<7,a<6:NoExecute@60,a=6,a=6:NoExecute@60,a=5@60,a=7:NoSchedule,*:NoExecute@60`,
	"unusual":  `*,*=x,*>5,*<9@60,a,a>5@60,a>7,a=6,a=x,a:Odd,*:Odd@60,b=6:Odd,a>6:Odd,a<5,a<4`,
}

func TestMergeIsExact(t *testing.T) {
	for name, text := range merges {
		t.Run(name, func(t *testing.T) {
			alphabet := mustParseList(t, text)
			lists, taints := arrangements(alphabet, 3), span(alphabet)
			taints = slices.DeleteFunc(taints, func(x taint.Taint) bool {
				return strings.Contains(x.Key+x.Value, "-") || x.Effect == taint.PreferNoSchedule
			})
			for _, list := range lists {
				checkMerge(t, list, taints)
			}
			t.Logf("%d lists, %d taints", len(lists), len(taints))
		})
	}
}

func TestMergeOfLongLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		list := matchtest.Tolerations(taints).Draw(t, "list")
		few := rapid.SliceOfN(rapid.SampledFrom(append(list, toleration.Toleration{Key: "a"})), 0, 12)
		list = append(list, few.Draw(t, "repeated")...)
		checkMerge(t, list, span(list))
	})
}

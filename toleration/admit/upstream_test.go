package admit_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Each line is a way in which the plugin's answer differs from the correct one.
func TestA5UpstreamIsSupersetDiffersFromCovers(t *testing.T) {
	for _, c := range []struct {
		ss, t              string
		isSuperset, covers bool
	}{
		{"a==1", "a==1:NoSchedule", true, true}, // no difference
		{"a==1", "a=1", false, true},
		{"a=1", "a=1", true, true}, // equal in every field
		{"a=1", "a=1:NoSchedule", false, true},
		{"a=1", "a==1", true, true},
		{"a>5", "a>5", true, true},
		{"a>5", "a>7", false, true},
		{"a>5", "a==7", false, true},
		{"*==1", "a==1", false, true},
		{"a@60", "a:NoExecute@300", true, false},
		{"a:NoExecute@60", "a:NoExecute@300", false, false},
		{"a:NoExecute@60", "a:NoExecute", false, false},
		{"a:NoExecute@60", "a:NoExecute@60", true, true},
		{"a:NoExecute@60", "a=1:NoExecute@60", true, true},
		{"a:NoExecute@60", "a=1:NoExecute@59", true, true},
		{"a:NoExecute@60", "a=1:NoExecute@61", false, false},
		{"a:NoSchedule@60", "a=1:NoSchedule", true, true},
		{"a:NoExecute@-5", "a:NoExecute@0", false, true},
		{"a", "a?In x", true, true},
		{"a?In x", "a?In x", true, true},
		{"a?In x", "a?In x:NoSchedule", false, true}, // both match nothing
		{"a:NoSchedule", "a", false, false},
		{"a:NoSchedule", "a:NoExecute", false, false},
		{"a:NoSchedule", "a:PreferNoSchedule", false, false},
		{"a=1", "a==2", false, false},
		{"a=2", "a==1", false, false},
		{"a=1", "a>1", false, false},
		{"a", "b", false, false},
		{"a", "*", false, false},
		{"*", "b=1:NoExecute", true, true},
		{"*:NoExecute", "b=1:NoExecute", true, true},
	} {
		ss, tol := list(t, c.ss)[0], list(t, c.t)[0]
		if got := admit.UpstreamIsSuperset(&ss, &tol); got != c.isSuperset {
			t.Errorf("UpstreamIsSuperset(%s, %s) = %v", ss, tol, got)
		}
		m, err := toleration.NewMeaning([]toleration.Toleration{ss})
		if err != nil || (toleration.Rules{Comparisons: true}).Validate([]toleration.Toleration{tol}) != nil {
			continue // only valid ones have an answer
		}
		if _, got := m.Allows(&tol); got != c.covers {
			t.Errorf("%s covers %s: %v", ss, tol, got)
		}
	}
}

func TestA5UpstreamMerge(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"", "", ""},
		{"a", "", "a"},
		{"", "a", "a"},
		{"a", "a", "a"},
		{"a==1", "a", "a"},
		{"a", "a==1", "a"},
		{"a=1", "a=1", "a=1"},
		{"a=1", "a==1", "a=1"},       // the empty operator is a superset of Equal
		{"a==1", "a=1", "a=1"},       // also when it comes later
		{"a>5", "a>7", "a>5,a>7"},    // Merge keeps one
		{"a==1,b", "*,c", "*"},       //
		{"b,c", "d,a", "b,c,d,a"},    //
		{"a:NoExecute@60", "a", "a"}, //
	} {
		first, second := list(t, c.first), list(t, c.second)
		if got := toleration.FormatList(admit.UpstreamMerge(nil, first, second)); got != c.want {
			t.Errorf("%s + %s: got %s, want %s", c.first, c.second, got, c.want)
		}
	}
	prefix := list(t, "*")
	if got := toleration.FormatList(admit.UpstreamMerge(prefix, list(t, "a"), list(t, "a"))); got != "*,a" {
		t.Errorf("after a prefix: %s", got)
	}
}

// plainMerge is the plugin's algorithm: each toleration is compared with each.
func plainMerge(all []toleration.Toleration) []toleration.Toleration {
	var kept []toleration.Toleration
	for i := range all {
		t := &all[i]
		covers := func(u toleration.Toleration) bool { return admit.UpstreamIsSuperset(&u, t) }
		other := func(u toleration.Toleration) bool { return (u.Operator != t.Operator || !u.Equal(t)) && covers(u) }
		if !slices.ContainsFunc(kept, covers) && !slices.ContainsFunc(all[i+1:], other) {
			kept = append(kept, *t)
		}
	}
	return kept
}

// Lists of every length get the same answer, whichever way they are merged.
func TestA5UpstreamMergeOfLongLists(t *testing.T) {
	u := matchtest.Universe{
		Keys:      []string{"", "a"},
		Operators: []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, "In"},
		Values:    []string{"", "1"},
		Effects:   []taint.Effect{"", taint.NoExecute},
		Seconds:   []*int64{nil, ptr(int64(-1)), ptr(int64(0)), ptr(int64(60)), ptr(int64(61))},
	}
	all := u.Tolerations()
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(from []toleration.Toleration, n int) (list []toleration.Toleration) {
		for range n {
			list = append(list, from[random.IntN(len(from))])
		}
		return list
	}
	for range 3000 {
		some := draw(all, 1+random.IntN(6)) // few, so that not everything is covered by "*"
		first, second := draw(some, random.IntN(40)), draw(some, random.IntN(40))
		want := plainMerge(slices.Concat(first, second))
		if got := admit.UpstreamMerge(nil, first, second); !toleration.Equal(got, want) {
			t.Fatalf("%q + %q:\ngot  %q\nwant %q", first, second, got, want)
		}
		if got := admit.UpstreamMerge(slices.Clip(first)[:0], first, second); !toleration.Equal(got, want) {
			t.Fatalf("in place: got %q, want %q", got, want)
		}
	}
}

// Comparing each with each would take minutes.
func TestA5UpstreamMergeOfVeryLongLists(t *testing.T) {
	var first, want []toleration.Toleration
	for i := range 40_000 {
		x := toleration.Toleration{Key: strconv.Itoa(i), Operator: toleration.OpEqual, Value: "1"}
		first = append(first, x)
		if i%2 == 0 {
			want = append(want, x)
		}
	}
	var second []toleration.Toleration
	for i := 1; i < len(first); i += 2 {
		second = append(second, toleration.Toleration{Key: first[i].Key, Operator: toleration.OpExists})
	}
	want = append(want, second...)
	if got := admit.UpstreamMerge(nil, first, second); !toleration.Equal(got, want) {
		t.Errorf("got %d tolerations, want %d", len(got), len(want))
	}
}

func TestUpstreamMergeDoesNotAllocate(t *testing.T) {
	first, second := list(t, "a,b==1,c:NoExecute@60"), list(t, "b,d>5")
	dst := make([]toleration.Toleration, 0, 5)
	if n := testing.AllocsPerRun(100, func() { dst = admit.UpstreamMerge(dst[:0], first, second) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package toleration_test

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// parts from which lists are drawn that overlap often.
var (
	lawKeys      = []string{"", "a", "b", "-k"}
	lawOperators = []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt, "In", "And"}
	lawEffects   = []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Odd"}
	lawValues    = []string{"", "x", "-x", "05", "-2", "-1", "0", "1", "2", "3", "4", "5", "6", "7",
		"-9223372036854775808", "-9223372036854775807", "9223372036854775806", "9223372036854775807", "9223372036854775808"}
	lawSeconds = []*int64{nil, nil, ptr(-1), ptr(0), ptr(60), ptr(300), ptr(9223372036), ptr(9223372037), ptr(1 << 62)}
)

// lawToleration makes a toleration of the parts by five numbers.
func lawToleration(part func(n int) int) toleration.Toleration {
	return toleration.Toleration{
		Key:               lawKeys[part(len(lawKeys))],
		Operator:          lawOperators[part(len(lawOperators))],
		Effect:            lawEffects[part(len(lawEffects))],
		Value:             lawValues[part(len(lawValues))],
		TolerationSeconds: lawSeconds[part(len(lawSeconds))],
	}
}

func lawLists(longest int) *rapid.Generator[[]toleration.Toleration] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return lawToleration(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "part") })
	}), 0, longest)
}

// checkPair fails unless the sets and grants of two lists say what the lists say
// when each taint is asked, and keep the laws.
func checkPair(t rapid.TB, a, b []toleration.Toleration) {
	t.Helper()
	w := &world{taints: span(a, b)}
	w.valid = w.validTaints()
	x, y := newSubject(a, w.taints), newSubject(b, w.taints)
	checkSetPair(t, w, x, y)
	checkMembers(t, w, x)
	checkFewest(t, w, y)
	checkGrantsPair(t, w.taints, a, b)
}

func newSubject(list []toleration.Toleration, taints []taint.Taint) *subject {
	return &subject{list, membersOf(list, taints), toleration.NewSet(list)}
}

func checkGrantsPair(t rapid.TB, taints []taint.Taint, a, b []toleration.Toleration) {
	t.Helper()
	g, h := toleration.NewGrants(a), toleration.NewGrants(b)
	checkDelays(t, a, taints, &g, match.FirstMatch)
	lenient := toleration.NewLenientGrants(a)
	checkDelays(t, a, taints, &lenient, match.MostLenient)
	same := slices.Equal(delays(a, taints, match.FirstMatch), delays(b, taints, match.FirstMatch))
	if got := g.Equal(h); got != same {
		t.Fatalf("grants of %q and %q: equal: %v", a, b, got)
	}
	if got := bytes.Equal(g.AppendSignature(nil), h.AppendSignature(nil)); got != same {
		t.Fatalf("grants of %q and %q: same signature: %v", a, b, got)
	}
	if counting := toleration.NewGrants(picked(a, g.AppendIndexes(nil))); !counting.Equal(g) {
		t.Fatalf("%q: those that count grant something else", a)
	}
}

func picked(list []toleration.Toleration, indexes []int) []toleration.Toleration {
	var some []toleration.Toleration
	for _, i := range indexes {
		some = append(some, list[i])
	}
	return some
}

func TestSetOfLongLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := lawLists(30).Draw(t, "a"), lawLists(30).Draw(t, "b")
		checkPair(t, a, b)
		// Lists that differ in little, which are often equal.
		checkPair(t, a, slices.Concat(a, b[:min(len(b), 1)]))
		shuffled := rapid.Permutation(a).Draw(t, "shuffled")
		if s := toleration.NewSet(a); !s.Equal(toleration.NewSet(shuffled)) || s.String() != toleration.NewSet(shuffled).String() {
			t.Fatalf("%q and %q have different sets", a, shuffled)
		}
	})
}

func TestMergeOfAnyList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := lawLists(12).Draw(t, "list")
		checkMerge(t, list, span(list))
		usual := slices.DeleteFunc(slices.Clone(list), func(t toleration.Toleration) bool { return unusual([]toleration.Toleration{t}) })
		checkMerge(t, usual, span(usual))
	})
}

// Covers is a partial order, with Union as the least upper bound.
func TestSetCoversIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := rapid.SliceOfN(lawLists(4), 3, 3).Draw(t, "lists")
		a, b, c := toleration.NewSet(lists[0]), toleration.NewSet(lists[1]), toleration.NewSet(lists[2])
		if !a.Covers(a) || !a.Covers(toleration.Set{}) || toleration.NewSet([]toleration.Toleration{{Operator: toleration.OpExists}}).Covers(a) == false {
			t.Fatalf("%q: not reflexive, or without a least or a greatest", a)
		}
		if a.Covers(b) && b.Covers(a) && !a.Equal(b) {
			t.Fatalf("%q and %q cover each other", a, b)
		}
		ab := a.Union(b)
		if ac := ab.Union(c); !ac.Covers(ab) || !ac.Covers(a) {
			t.Fatalf("%q, %q, %q: not transitive", a, ab, ac)
		}
		if !ab.Covers(a) || !ab.Covers(b) || c.Covers(a) && c.Covers(b) && !c.Covers(ab) {
			t.Fatalf("%q is not the least that covers %q and %q", ab, a, b)
		}
		if !ab.Equal(b.Union(a)) || !ab.Union(c).Equal(a.Union(b.Union(c))) || !a.Union(a).Equal(a) {
			t.Fatalf("union of %q, %q, %q: not a lattice", a, b, c)
		}
		if a.Intersects(b) != b.Intersects(a) || a.Intersects(a) == a.Empty() {
			t.Fatalf("%q and %q: intersects is not symmetrical", a, b)
		}
		if a.Covers(b) && !a.Restrict(taint.Hard).Covers(b.Restrict(taint.Hard)) {
			t.Fatalf("%q covers %q, but not if restricted", a, b)
		}
	})
}

func FuzzSet(f *testing.F) {
	f.Add([]byte{0, 2, 0, 0, 0}, []byte{1, 1, 1, 1, 0})                                 // * and a==x:NoSchedule
	f.Add([]byte{1, 3, 0, 11, 0, 1, 4, 0, 9, 0}, []byte{1, 0, 3, 10, 4, 0, 2, 3, 0, 5}) // a>5,a<3 and a=4:NoExecute@60,*:NoExecute@300
	f.Add([]byte{1, 3, 0, 14, 0, 1, 1, 0, 14, 0}, []byte{1, 4, 0, 17, 4, 1, 1, 0, 17})  // all integers in two ways
	f.Add([]byte{2, 0, 4, 5, 6, 0, 1, 4, 5, 7}, []byte{3, 2, 0, 0, 0})                  // an unknown effect, an invalid key
	f.Fuzz(func(t *testing.T, a, b []byte) {
		listA, listB := lawDecode(a), lawDecode(b)
		checkPair(t, listA, listB)
		checkMerge(t, listA, span(listA))
	})
}

// lawDecode makes a list of up to twelve tolerations, five bytes for each.
func lawDecode(data []byte) []toleration.Toleration {
	var list []toleration.Toleration
	for ; len(data) > 0 && len(list) < 12; data = data[min(5, len(data)):] {
		i := -1
		list = append(list, lawToleration(func(n int) int {
			if i++; i < len(data) {
				return int(data[i]) % n
			}
			return 0
		}))
	}
	return list
}

package toleration_test

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// find returns the index of the first toleration that matches x, or -1.
func find(list []toleration.Toleration, x toleration.Toleration) int {
	return slices.IndexFunc(list, func(t toleration.Toleration) bool { return t.Matches(&x) })
}

func TestA6Matches(t *testing.T) {
	list := mustParseList(t, "a==1:NoExecute@5,b,a==1:NoExecute@6,a=1:NoExecute,*=")
	for _, c := range []struct {
		text  string
		index int
	}{
		{"a==1:NoExecute", 0}, // whatever the seconds
		{"b", 1},
		{"a=1:NoExecute@7", 0}, // an empty operator is Equal
		{"*=", 4},
		{"a==2:NoExecute", -1},
		{"a==1:NoSchedule", -1},
		{"a==1", -1},
		{"c==1:NoExecute", -1},
		{"*", -1},
	} {
		if index := find(list, mustParse(c.text)); index != c.index {
			t.Errorf("%s: %d", c.text, index)
		}
	}
}

func TestNilLists(t *testing.T) {
	zero := toleration.Toleration{}
	if !toleration.Equal(nil, []toleration.Toleration{}) {
		t.Error("a nil list differs from an empty one")
	}
	if got, removed := toleration.Remove(nil, nil, zero); got != nil || removed {
		t.Errorf("Remove from nothing = %v, %v", got, removed)
	}
	if got := toleration.Clone(nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
	if got := toleration.FormatList(nil); got != "" {
		t.Errorf("written as %q", got)
	}
	rules := toleration.Rules{}
	if rules.Validate(nil) != nil || rules.ValidateUpdate(nil, nil) != nil || rules.Active(nil, nil) != nil {
		t.Error("nothing is at fault")
	}
}

// eachWay runs a list operation the three ways in which it may be called: on a
// nil dst, after a prefix, and in place.
func eachWay(t *testing.T, name, list, want string, changed bool, operate func(dst, list []toleration.Toleration) ([]toleration.Toleration, bool)) {
	t.Helper()
	tolerations := mustParseList(t, list)
	if got, ok := operate(nil, tolerations); toleration.FormatList(got) != want || ok != changed {
		t.Errorf("%s: got %v, %v, want %s, %v", name, got, ok, want, changed)
	}
	prefix := mustParseList(t, "p,a")
	got, ok := operate(slices.Grow(slices.Clone(prefix), 1), tolerations)
	if !toleration.Equal(got[:2], prefix) || toleration.FormatList(got[2:]) != want || ok != changed {
		t.Errorf("%s, after a prefix: got %v, %v", name, got, ok)
	}
	if toleration.FormatList(tolerations) != list {
		t.Errorf("%s: the argument became %v", name, tolerations)
	}
	if got, ok := operate(tolerations[:0], tolerations); toleration.FormatList(got) != want || ok != changed {
		t.Errorf("%s, in place: got %v, %v", name, got, ok)
	}
}

// Adding what is there already changes the seconds only.
func TestA6Upsert(t *testing.T) {
	for _, c := range []struct {
		list, add, want string
		changed         bool
	}{
		{"", "a", "a", true},
		{"a,b", "a", "a,b", false},
		{"b,a@5,c", "a@6", "b,a@6,c", true},
		{"b,a@5,c", "a@5", "b,a@5,c", false},
		{"a@5,b,a@6", "a@7", "a@7,b,a@7", true},
		{"a@7,b,a@6", "a@7", "a@7,b,a@7", true},
		{"a@5", "a", "a", true},
		{"a=x", "a==x", "a=x", false},
		{"a=x,b,a==x@4", "a==x@5", "a=x@5,b,a==x@5", true}, // as they are written
		{"a:NoExecute", "a", "a:NoExecute,a", true},
		{"a==x", "a==y", "a==x,a==y", true},
	} {
		x := mustParse(c.add)
		eachWay(t, c.list+" and "+c.add, c.list, c.want, c.changed, func(dst, list []toleration.Toleration) ([]toleration.Toleration, bool) {
			return toleration.Upsert(dst, list, x)
		})
	}
	old, same := ptr(5), ptr(5)
	got, changed := toleration.Upsert(nil, []toleration.Toleration{{Key: "a", TolerationSeconds: old}}, toleration.Toleration{Key: "a", TolerationSeconds: same})
	if changed || got[0].TolerationSeconds != old {
		t.Errorf("the same seconds: changed %v, %v", changed, got)
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []struct {
		list, x, want string
		removed       bool
	}{
		{"", "a", "", false},
		{"a", "a@5", "", true},
		{"c,a@1,b,a@2", "a", "c,b", true},
		{"a==1,b,a=1", "a==1", "b", true},
		{"a,a=", "a=", "a", true},
		{"a,b", "a:NoSchedule", "a,b", false},
		{"*,a", "*", "a", true}, // the empty key is no wildcard
	} {
		x := mustParse(c.x)
		eachWay(t, c.list+" without "+c.x, c.list, c.want, c.removed, func(dst, list []toleration.Toleration) ([]toleration.Toleration, bool) {
			return toleration.Remove(dst, list, x)
		})
	}
	list := mustParseList(t, "a,b@1,c,b@2,d")
	if got, removed := toleration.Remove(list[:0], list, list[1]); !removed || toleration.FormatList(got) != "a,c,d" {
		t.Errorf("an item of the list: %v, %v", got, removed)
	}
}

func TestEqualLists(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{"", "", true},
		{"a@1,b", "a@1,b", true},
		{"a@1,b", "b,a@1", false},
		{"a,a,b", "a,b,a", false},
		{"a,a,b", "a,b,b", false},
		{"a,a", "a", false},
		{"a@1", "a@2", false},
		{"a@0", "a", false},
		{"a=", "a==", true},
		{"a", "b", false},
	} {
		a, b := mustParseList(t, c.a), mustParseList(t, c.b)
		if toleration.Equal(a, b) != c.equal || toleration.Equal(b, a) != c.equal {
			t.Errorf("Equal(%v, %v) = %v", a, b, !c.equal)
		}
	}
}

// few draws from so few tolerations that lists of them meet often. Some lists
// are longer than those that are searched.
var (
	few = rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return toleration.Toleration{
			Key:               rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "key"),
			Operator:          rapid.SampledFrom([]toleration.Operator{"", "Equal", "Exists", "In"}).Draw(t, "operator"),
			Value:             rapid.SampledFrom([]string{"", "v"}).Draw(t, "value"),
			Effect:            rapid.SampledFrom([]taint.Effect{"", "NoSchedule", "NoExecute"}).Draw(t, "effect"),
			TolerationSeconds: rapid.SampledFrom([]*int64{nil, nil, ptr(0), ptr(5)}).Draw(t, "seconds"),
		}
	})
	fewLists = rapid.OneOf(rapid.SliceOfN(few, 0, 6), rapid.SliceOfN(few, 14, 40))
)

// matching and whole are what Matches and Equal compare, as texts.
func matching(t toleration.Toleration) string {
	t.TolerationSeconds = nil
	return whole(t)
}

func whole(t toleration.Toleration) string {
	if t.Operator == "" {
		t.Operator = toleration.OpEqual
	}
	return t.String()
}

// filter is a list operation in a naive way.
func filter(list []toleration.Toleration, keep func(toleration.Toleration) bool) (kept []toleration.Toleration) {
	for _, t := range list {
		if keep(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

func counts(list []toleration.Toleration, of func(toleration.Toleration) string) map[string]int {
	n := map[string]int{}
	for _, t := range list {
		n[of(t)]++
	}
	return n
}

func TestListLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, x := fewLists.Draw(t, "a"), few.Draw(t, "x")
		inA := counts(a, matching)

		got, removed := toleration.Remove(nil, a, x)
		want := filter(a, func(t toleration.Toleration) bool { return matching(t) != matching(x) })
		if !slices.Equal(got, want) || removed != (inA[matching(x)] > 0) {
			t.Fatalf("Remove(%v, %v) = %v, %v", a, x, got, removed)
		}
		got, changed := toleration.Upsert(nil, a, x)
		if changed == toleration.Equal(got, a) || find(got, x) < 0 || len(got) != len(a)+1-min(inA[matching(x)], 1) {
			t.Fatalf("Upsert(%v, %v) = %v, %v", a, x, got, changed)
		}
		if again, changed := toleration.Upsert(nil, got, x); changed || !slices.Equal(again, got) {
			t.Fatalf("a second time: %v, %v", again, changed)
		}
	})
}

// many returns n tolerations, all different in key.
func many(n int) []toleration.Toleration {
	list := make([]toleration.Toleration, n)
	for i := range list {
		list[i] = toleration.Toleration{Key: "key-" + strconv.Itoa(i), Operator: toleration.OpExists, Effect: "NoExecute", TolerationSeconds: ptr(int64(i))}
	}
	return list
}

// A pod has no limit on its number of tolerations.
func TestManyTolerations(t *testing.T) {
	const n = 100_000 // at the square of it, the test would take minutes
	list := many(n)
	reversed := slices.Clone(list)
	slices.Reverse(reversed)
	rules := toleration.Rules{}
	if err := rules.Validate(list); err != nil {
		t.Error(err)
	}
	if err := rules.ValidateUpdate(list, reversed); err != nil {
		t.Error(err)
	}
	if err := rules.ValidateUpdate(list[1:], reversed); err == nil || err.Error() != `tolerations: forbidden: "key-0:NoExecute@0" is missing; only its tolerationSeconds may change` {
		t.Error(err)
	}
	if back, err := toleration.ParseList(toleration.FormatList(list)); err != nil || !toleration.Equal(back, list) {
		t.Errorf("%d come back, %v", len(back), err)
	}
}

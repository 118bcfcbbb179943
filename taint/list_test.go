package taint_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

func TestK3Find(t *testing.T) {
	taints := list("a=1:NoSchedule b:NoExecute a=2:NoExecute a=3:NoSchedule c")
	tests := []struct {
		key    string
		effect taint.Effect
		index  int
		found  bool
	}{
		{"a", taint.NoSchedule, 0, true},
		{"b", taint.NoExecute, 1, true},
		{"a", taint.NoExecute, 2, true},
		{"c", "", 4, true},
		{"a", taint.PreferNoSchedule, 0, false},
		{"b", taint.NoSchedule, 0, false},
		{"A", taint.NoSchedule, 0, false},
		{"", taint.NoSchedule, 0, false},
		{"a", "", 0, false},
	}
	for _, tt := range tests {
		if index, found := taint.Find(taints, &taint.Taint{Key: tt.key, Value: "other", Effect: tt.effect}); index != tt.index || found != tt.found {
			t.Errorf("Find(%q, %q) = %d, %v", tt.key, tt.effect, index, found)
		}
	}
}

func TestKeyExists(t *testing.T) {
	taints := list("a=1:NoSchedule b:NoExecute c")
	for key, want := range map[string]bool{"a": true, "b": true, "c": true, "d": false, "": false, "A": false} {
		if got := taint.KeyExists(taints, key); got != want {
			t.Errorf("KeyExists(%q) = %v", key, got)
		}
	}
	if taint.KeyExists(nil, "a") {
		t.Error("KeyExists of nothing")
	}
}

func TestK3F3Upsert(t *testing.T) {
	tests := []struct {
		name, taints, taint, want string
		changed                   bool
	}{
		{"into nothing", "", "a:NoSchedule", "a:NoSchedule", true},
		{"a new one comes last", "b:NoSchedule c:NoSchedule", "a:NoSchedule", "b:NoSchedule c:NoSchedule a:NoSchedule", true},
		{"a new effect comes last", "a:NoSchedule c:NoSchedule", "a:NoExecute", "a:NoSchedule c:NoSchedule a:NoExecute", true},
		{"a new value stays in place", "b:NoSchedule a=1:NoSchedule c:NoSchedule", "a=2:NoSchedule", "b:NoSchedule a=2:NoSchedule c:NoSchedule", true},
		{"the same", "b:NoSchedule a=1:NoSchedule", "a=1:NoSchedule", "b:NoSchedule a=1:NoSchedule", false},
		{"every duplicate", "a=1:NoSchedule b:NoSchedule a=2:NoSchedule", "a=2:NoSchedule", "a=2:NoSchedule b:NoSchedule a=2:NoSchedule", true},
		{"the other duplicate", "a=1:NoSchedule b:NoSchedule a=2:NoSchedule", "a=1:NoSchedule", "a=1:NoSchedule b:NoSchedule a=1:NoSchedule", true},
		{"duplicates that are equal", "a:NoSchedule a:NoSchedule", "a:NoSchedule", "a:NoSchedule a:NoSchedule", false},
	}
	for _, tt := range tests {
		item := list(tt.taint)[0]
		eachWay(t, tt.name, list(tt.taints), tt.want, tt.changed, func(dst, taints []taint.Taint) ([]taint.Taint, bool) {
			return taint.Upsert(dst, taints, item)
		})
	}
}

func TestUpsertKeepsTheTimePointerOfEqualTaints(t *testing.T) {
	old, updated := instant(1), sameInstantElsewhere(1)
	taints := []taint.Taint{{Key: "a", Effect: taint.NoExecute, TimeAdded: old}}
	got, changed := taint.Upsert(nil, taints, taint.Taint{Key: "a", Effect: taint.NoExecute, TimeAdded: updated})
	if changed || got[0].TimeAdded != old {
		t.Errorf("the same instant: changed %v, %v", changed, got)
	}
	later := instant(2)
	got, changed = taint.Upsert(nil, taints, taint.Taint{Key: "a", Effect: taint.NoExecute, TimeAdded: later})
	if !changed || got[0].TimeAdded != later {
		t.Errorf("another instant: changed %v, %v", changed, got)
	}
}

func TestK3F3Remove(t *testing.T) {
	tests := []struct {
		name, taints string
		key          string
		effect       taint.Effect
		want         string
		removed      bool
	}{
		{"from nothing", "", "a", taint.NoSchedule, "", false},
		{"the only one", "a:NoSchedule", "a", taint.NoSchedule, "", true},
		{"the middle one", "c:NoSchedule a=1:NoSchedule b:NoSchedule", "a", taint.NoSchedule, "c:NoSchedule b:NoSchedule", true},
		{"every duplicate", "a=1:NoSchedule b:NoSchedule a=2:NoSchedule", "a", taint.NoSchedule, "b:NoSchedule", true},
		{"another effect", "a:NoSchedule b:NoSchedule", "a", taint.NoExecute, "a:NoSchedule b:NoSchedule", false},
		{"another key", "a:NoSchedule b:NoSchedule", "c", taint.NoSchedule, "a:NoSchedule b:NoSchedule", false},
		{"no effect is no wildcard", "a:NoSchedule a", "a", "", "a:NoSchedule", true},
	}
	for _, tt := range tests {
		eachWay(t, tt.name, list(tt.taints), tt.want, tt.removed, func(dst, taints []taint.Taint) ([]taint.Taint, bool) {
			return taint.Remove(dst, taints, taint.Taint{Key: tt.key, Effect: tt.effect})
		})
	}
}

func TestF3RemoveKey(t *testing.T) {
	tests := []struct {
		name, taints, key, want string
		removed                 bool
	}{
		{"from nothing", "", "a", "", false},
		{"every effect", "c:NoSchedule a:NoSchedule b:NoSchedule a=1:NoExecute a", "a", "c:NoSchedule b:NoSchedule", true},
		{"another key", "a:NoSchedule b:NoSchedule", "c", "a:NoSchedule b:NoSchedule", false},
		{"the empty key is no wildcard", "a:NoSchedule :NoSchedule", "", "a:NoSchedule", true},
	}
	for _, tt := range tests {
		eachWay(t, tt.name, list(tt.taints), tt.want, tt.removed, func(dst, taints []taint.Taint) ([]taint.Taint, bool) {
			return taint.RemoveKey(dst, taints, tt.key)
		})
	}
}

// eachWay runs a list operation the three ways in which it may be called: on a
// nil dst, after a prefix, and in place.
func eachWay(t *testing.T, name string, taints []taint.Taint, want string, changed bool, operate func(dst, taints []taint.Taint) ([]taint.Taint, bool)) {
	t.Helper()
	before := slices.Clone(taints)
	if got, ok := operate(nil, taints); text(got) != want || ok != changed {
		t.Errorf("%s: got %v, %v, want %s, %v", name, got, ok, want, changed)
	}
	prefix := list("p:NoSchedule a:NoSchedule")
	got, ok := operate(roomy(prefix, 1), taints)
	if text(got[:2]) != text(prefix) || text(got[2:]) != want || ok != changed {
		t.Errorf("%s, after a prefix: got %v, %v", name, got, ok)
	}
	if !slices.Equal(taints, before) {
		t.Errorf("%s: the argument became %v", name, taints)
	}
	if got, ok := operate(taints[:0], taints); text(got) != want || ok != changed {
		t.Errorf("%s, in place: got %v, %v", name, got, ok)
	}
}

func TestK3F3Difference(t *testing.T) {
	tests := []struct{ a, b, want string }{
		{"", "", ""},
		{"", "a:NoSchedule", ""},
		{"b:NoSchedule a=1:NoSchedule", "", "b:NoSchedule a=1:NoSchedule"},
		{"c:NoSchedule a=1:NoSchedule b:NoSchedule", "a=2:NoSchedule", "c:NoSchedule b:NoSchedule"},
		{"a:NoSchedule a:NoExecute", "a:NoExecute", "a:NoSchedule"},
		{"a:NoSchedule b:NoSchedule", "b:NoSchedule a:NoSchedule", ""},
		{"a=1:NoSchedule a=2:NoSchedule", "b:NoSchedule", "a=1:NoSchedule a=2:NoSchedule"},
	}
	for _, tt := range tests {
		if got := taint.Difference(nil, list(tt.a), list(tt.b)); text(got) != tt.want {
			t.Errorf("Difference(%s, %s) = %v, want %s", tt.a, tt.b, got, tt.want)
		}
		prefix := list("a:NoSchedule")
		if got := taint.Difference(prefix, list(tt.a), list(tt.b)); text(got[:1]) != "a:NoSchedule" || text(got[1:]) != tt.want {
			t.Errorf("Difference(%s, %s) after a prefix = %v", tt.a, tt.b, got)
		}
	}
}

func TestF3Equal(t *testing.T) {
	tests := []struct {
		a, b  string
		equal bool
	}{
		{"", "", true},
		{"a=1:NoSchedule", "a=1:NoSchedule", true},
		{"a=1:NoSchedule b:NoExecute", "a=1:NoSchedule b:NoExecute", true},
		{"a=1:NoSchedule b:NoExecute", "b:NoExecute a=1:NoSchedule", false},
		{"a:NoSchedule a:NoSchedule", "a:NoSchedule", false},
		{"a:NoSchedule a:NoSchedule b:NoSchedule", "b:NoSchedule b:NoSchedule a:NoSchedule", false},
		{"a:NoSchedule a:NoSchedule b:NoSchedule", "a:NoSchedule b:NoSchedule a:NoSchedule", false},
		{"a:NoSchedule", "", false},
		{"a:NoSchedule", "a:NoSchedule b:NoSchedule", false},
		{"a=1:NoSchedule", "a=2:NoSchedule", false},
		{"a:NoSchedule", "a:NoExecute", false},
		{"a:NoSchedule b:NoSchedule", "a:NoSchedule c:NoSchedule", false},
	}
	for _, tt := range tests {
		for _, pair := range [][2][]taint.Taint{{list(tt.a), list(tt.b)}, {list(tt.b), list(tt.a)}} {
			if got := taint.Equal(pair[0], pair[1]); got != tt.equal {
				t.Errorf("Equal(%v, %v) = %v", pair[0], pair[1], got)
			}
		}
	}
	if !taint.Equal(nil, []taint.Taint{}) {
		t.Error("a nil list differs from an empty one")
	}
}

func TestCloneSharesNothingButStrings(t *testing.T) {
	added := *instant(1)
	original := []taint.Taint{{Key: "a", TimeAdded: &added}, {Key: "b"}}
	clone := taint.Clone(original)
	if !taint.Equal(clone, original) || clone[1].TimeAdded != nil {
		t.Errorf("the clone is %v", clone)
	}
	added, original[1].Key = *instant(2), "c"
	if !clone[0].TimeAdded.Equal(instant(1).Time) || clone[1].Key != "b" {
		t.Errorf("the clone changes with the original: %v", clone)
	}
	if taint.Clone(nil) != nil {
		t.Error("the clone of nil is not nil")
	}
}

// An item of the list itself may be named, also when the list is edited in
// place.
func TestRemoveAnItemOfTheList(t *testing.T) {
	taints := list("a:NoSchedule b=1:NoSchedule c:NoSchedule b=2:NoSchedule d:NoSchedule")
	if got, removed := taint.Remove(taints[:0], taints, taints[1]); !removed || text(got) != "a:NoSchedule c:NoSchedule d:NoSchedule" {
		t.Errorf("got %v, %v", got, removed)
	}
	taints = list("a:NoSchedule b:NoSchedule a:NoExecute")
	if got := taint.Difference(taints[:0], taints, list("a=1:NoSchedule")); text(got) != "b:NoSchedule a:NoExecute" {
		t.Errorf("got %v", got)
	}
}

// The zero time is no time, and times are compared as instants.
func TestEqualComparesInstants(t *testing.T) {
	for _, n := range []int{0, 40} {
		at := func(added *taint.Time) []taint.Taint {
			return append(many(n), taint.Taint{Key: "a", TimeAdded: added})
		}
		later := instant(1)
		later.Time = later.Add(1) // a nanosecond
		for _, c := range []struct {
			a, b *taint.Time
			want bool
		}{
			{nil, nil, true},
			{nil, &taint.Time{}, true},
			{nil, instant(0), false},
			{instant(1), sameInstantElsewhere(1), true},
			{instant(1), instant(2), false},
			{instant(1), later, false},
		} {
			if got := taint.Equal(at(c.a), at(c.b)); got != c.want {
				t.Errorf("with %d others: %v and %v: %v", n, c.a, c.b, got)
			}
		}
	}
}

// A taint with another value is no difference, because its identity is the same:
// Upsert updates it.
func TestK3ChangedValue(t *testing.T) {
	present, wanted := list("a=1:NoSchedule b:NoExecute"), list("a=2:NoSchedule b:NoExecute")
	if missing := taint.Difference(nil, wanted, present); len(missing) != 0 {
		t.Errorf("missing: %v", missing)
	}
	if gone := taint.Difference(nil, present, wanted); len(gone) != 0 {
		t.Errorf("gone: %v", gone)
	}
	got := present
	for _, x := range wanted {
		got, _ = taint.Upsert(nil, got, x)
	}
	if text(got) != "a=2:NoSchedule b:NoExecute" {
		t.Errorf("after Upsert of each: %v", got)
	}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"", "", ""},
		{"a=1:NoSchedule", "", "a=1:NoSchedule"},
		{"", "a=1:NoSchedule", "a=1:NoSchedule"},
		{"a=1:NoSchedule b:NoExecute", "c:NoSchedule a=2:NoSchedule a=2:NoExecute", "a=1:NoSchedule b:NoExecute c:NoSchedule a=2:NoExecute"},
		{"a:NoSchedule", "b=1:NoSchedule b=2:NoSchedule", "a:NoSchedule b=1:NoSchedule"},
		{"a:NoSchedule a:NoSchedule", "a:NoSchedule", "a:NoSchedule a:NoSchedule"}, // as they are
	} {
		for _, more := range [][]taint.Taint{nil, many(40)} { // long lists go through tables
			first := append(slices.Clone(more), list(c.first)...)
			got := taint.Merge(list("p:NoSchedule"), first, list(c.second))
			if text(got[:1]) != "p:NoSchedule" || !taint.Equal(got[1:1+len(more)], more) || text(got[1+len(more):]) != c.want {
				t.Errorf("%s and %s: %s", c.first, c.second, text(got))
			}
		}
	}
}

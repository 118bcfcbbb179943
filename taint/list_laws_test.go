package taint_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

// After Upsert the taint is there, the rest is as it was, and a second Upsert
// changes nothing.
func TestK3F3UpsertLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints, item := smallList.Draw(t, "taints"), smallTaint.Draw(t, "taint")
		got, changed := taint.Upsert(nil, taints, item)
		if changed == taint.Equal(got, taints) {
			t.Fatalf("changed is %v from %v to %v", changed, taints, got)
		}
		matching := 0
		for _, u := range got {
			if identity(u) == identity(item) {
				matching++
				if !u.Equal(&item) {
					t.Fatalf("%v is still there beside %v", u, item)
				}
			}
		}
		if matching == 0 {
			t.Fatalf("%v is not there", item)
		}
		if !slices.Equal(without(got, item), without(taints, item)) {
			t.Fatalf("another taint changed: %v became %v", taints, got)
		}
		again, changed := taint.Upsert(nil, got, item)
		if changed || !slices.Equal(again, got) {
			t.Fatalf("a second time: %v, %v", again, changed)
		}
		inPlace, _ := taint.Upsert(taints[:0], taints, item)
		if !slices.Equal(inPlace, got) {
			t.Fatalf("in place: %v, want %v", inPlace, got)
		}
	})
}

// without is the taints that are not item, in a naive way.
func without(taints []taint.Taint, item taint.Taint) []taint.Taint {
	var rest []taint.Taint
	for _, t := range taints {
		if identity(t) != identity(item) {
			rest = append(rest, t)
		}
	}
	return rest
}

func TestK3F3RemoveLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints, item := smallList.Draw(t, "taints"), smallTaint.Draw(t, "taint")
		got, removed := taint.Remove(nil, taints, item)
		_, found := taint.Find(taints, &item)
		if !slices.Equal(got, without(taints, item)) || removed != found {
			t.Fatalf("Remove(%v, %v) = %v, %v", taints, item, got, removed)
		}
		if _, again := taint.Remove(nil, got, item); again {
			t.Fatalf("%v can be removed twice", item)
		}
		byEffect := slices.Clone(taints)
		for _, e := range append([]taint.Effect{"", "Evict"}, effects...) {
			byEffect, _ = taint.Remove(byEffect[:0], byEffect, taint.Taint{Key: item.Key, Effect: e})
		}
		byKey, removed := taint.RemoveKey(nil, taints, item.Key)
		if !slices.Equal(byKey, byEffect) || removed != taint.KeyExists(taints, item.Key) {
			t.Fatalf("RemoveKey(%v, %q) = %v, %v, want %v", taints, item.Key, byKey, removed, byEffect)
		}
	})
}

// Difference is removing one by one, in any order, and what it takes away is
// the difference to itself.
func TestK3F3DifferenceLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := smallList.Draw(t, "a"), smallList.Draw(t, "b")
		want := slices.Clone(a)
		for _, u := range slices.Backward(b) {
			want = without(want, u)
		}
		got := taint.Difference(nil, a, b)
		if !slices.Equal(got, want) {
			t.Fatalf("Difference(%v, %v) = %v, want %v", a, b, got, want)
		}
		if rest := taint.Difference(nil, a, got); len(rest)+len(got) != len(a) {
			t.Fatalf("%v splits into %v and %v", a, got, rest)
		}
		if none := taint.Difference(nil, a, a); len(none) != 0 {
			t.Fatalf("Difference(%v, itself) = %v", a, none)
		}
	})
}

func TestF3EqualListLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := smallList.Draw(t, "a"), smallList.Draw(t, "b")
		shuffled := rapid.Permutation(a).Draw(t, "shuffled")
		if !taint.Equal(a, slices.Clone(a)) {
			t.Fatalf("%v does not equal itself", a)
		}
		if taint.Equal(a, shuffled) != sameInOrder(a, shuffled) {
			t.Fatalf("Equal(%v, %v) = %v", a, shuffled, taint.Equal(a, shuffled))
		}
		if taint.Equal(a, b) != sameInOrder(a, b) || taint.Equal(b, a) != sameInOrder(a, b) {
			t.Fatalf("Equal(%v, %v) = %v", a, b, taint.Equal(a, b))
		}
	})
}

// canonical is t with a time that can be compared with ==.
func canonical(t taint.Taint) [4]string {
	added := "none"
	if !t.TimeAdded.IsZero() {
		added = t.TimeAdded.UTC().String()
	}
	return [4]string{t.Key, t.Value, string(t.Effect), added}
}

func sameInOrder(a, b []taint.Taint) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if canonical(a[i]) != canonical(b[i]) {
			return false
		}
	}
	return true
}

package taint

import "slices"

// Find returns the index of the first taint with the given key and effect, and
// whether there is one. It does not allocate.
func Find(taints []Taint, key string, effect Effect) (index int, found bool) {
	for i := range taints {
		if taints[i].Key == key && taints[i].Effect == effect {
			return i, true
		}
	}
	return 0, false
}

// Exists reports whether taints holds one with the key and effect of t.
func Exists(taints []Taint, t *Taint) bool {
	_, found := Find(taints, t.Key, t.Effect)
	return found
}

// KeyExists reports whether taints holds one with the given key, whatever its
// effect.
func KeyExists(taints []Taint, key string) bool {
	return slices.ContainsFunc(taints, func(t Taint) bool { return t.Key == key })
}

// Upsert appends taints to dst with t added or updated, and returns the
// extended slice and whether the list differs from taints. Every taint with the
// key and effect of t is replaced by t, in its place; if there is none, t comes
// last. A taint that equals t is kept with its own TimeAdded pointer. (Of several
// taints with that key and effect, which no valid list has, Kubernetes keeps all
// if one of them equals t; rule K3.)
//
// dst may be taints[:0], which edits the list in place; it must not overlap
// taints in any other way. The result shares TimeAdded with the arguments.
func Upsert(dst, taints []Taint, t Taint) (list []Taint, changed bool) {
	found := false
	for i := range taints {
		old := taints[i]
		switch {
		case !old.Matches(&t):
			dst = append(dst, old)
		case old.Equal(&t):
			found = true
			dst = append(dst, old)
		default:
			found, changed = true, true
			dst = append(dst, t)
		}
	}
	if !found {
		return append(dst, t), true
	}
	return dst, changed
}

// Remove appends taints to dst without those that have the given key and
// effect, in their order, and returns the extended slice and whether there were
// any. dst may be taints[:0] but must not overlap taints in any other way.
func Remove(dst, taints []Taint, key string, effect Effect) (list []Taint, removed bool) {
	for i := range taints {
		if taints[i].Key == key && taints[i].Effect == effect {
			removed = true
			continue
		}
		dst = append(dst, taints[i])
	}
	return dst, removed
}

// RemoveKey appends taints to dst without those that have the given key,
// whatever their effect. In all else it is like [Remove].
func RemoveKey(dst, taints []Taint, key string) (list []Taint, removed bool) {
	for i := range taints {
		if taints[i].Key == key {
			removed = true
			continue
		}
		dst = append(dst, taints[i])
	}
	return dst, removed
}

// Difference appends to dst the taints of a that have no counterpart of the
// same key and effect in b, in the order of a, and returns the extended slice.
// The taints to add to a node are Difference(nil, wanted, present), those to
// remove Difference(nil, present, wanted). dst must not overlap b. The time is
// proportional to the product of the lengths.
func Difference(dst, a, b []Taint) []Taint {
	for i := range a {
		if !Exists(b, &a[i]) {
			dst = append(dst, a[i])
		}
	}
	return dst
}

// Equal reports whether a and b hold equal taints (see [Taint.Equal]) in the
// same order. A nil list equals an empty one.
func Equal(a, b []Taint) bool {
	return slices.EqualFunc(a, b, func(t, u Taint) bool { return t.Equal(&u) })
}

// EqualSets reports whether a and b hold the same taints, whatever the order
// and however often each occurs. Taints that are equal as sets get the same
// answer to every question but those that depend on order (rule F3) or count
// duplicates (rule F4). It does not allocate; the time is proportional to the
// product of the lengths.
func EqualSets(a, b []Taint) bool {
	return isSubset(a, b) && isSubset(b, a)
}

func isSubset(a, b []Taint) bool {
	for i := range a {
		if !slices.ContainsFunc(b, func(t Taint) bool { return t.Equal(&a[i]) }) {
			return false
		}
	}
	return true
}

package taint

import "slices"

// Package toleration has the same verbs for its lists, written out once more. As one
// generic function for both, Upsert took four times as long and allocated, because
// generic code calls the methods of a type through a table.

// Find returns the index of the first taint that matches x ([Taint.Matches]:
// the same key and effect), and whether there is one; else the index is 0.
func Find(taints []Taint, x *Taint) (index int, ok bool) {
	for i := range taints {
		if taints[i].Matches(x) {
			return i, true
		}
	}
	return 0, false
}

// KeyExists reports whether a taint of the list has the given key, whatever its
// effect.
func KeyExists(taints []Taint, key string) bool {
	for i := range taints {
		if taints[i].Key == key {
			return true
		}
	}
	return false
}

// Equal reports whether a and b hold equal taints ([Taint.Equal]) in the same
// order. A nil list equals an empty one.
func Equal(a, b []Taint) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(&b[i]) {
			return false
		}
	}
	return true
}

// Clone returns a copy of a list that shares strings with it and nothing else:
// TimeAdded is copied too. The clone of a nil list is nil.
func Clone(taints []Taint) []Taint {
	clone := slices.Clone(taints)
	for i := range clone {
		if added := clone[i].TimeAdded; added != nil {
			own := *added
			clone[i].TimeAdded = &own
		}
	}
	return clone
}

// Upsert appends taints to dst with x added or updated, and returns the
// extended slice and whether the list differs from taints. Every taint that
// matches x (the same key and effect) is replaced by x, in its place; if there
// is none, x comes last. A taint that equals x is kept with its own TimeAdded
// pointer. (Of several taints that match x, which no valid list has, Kubernetes
// keeps all if one of them equals x; rule K3.)
//
// dst may be taints[:0], which edits the list in place; it must not overlap
// taints in any other way. The result shares TimeAdded with the arguments.
func Upsert(dst, taints []Taint, x Taint) (list []Taint, changed bool) {
	found := false
	for i := range taints {
		old := taints[i]
		switch {
		case !old.Matches(&x):
			dst = append(dst, old)
		case old.Equal(&x):
			found = true
			dst = append(dst, old)
		default:
			found, changed = true, true
			dst = append(dst, x)
		}
	}
	if !found {
		return append(dst, x), true
	}
	return dst, changed
}

// Remove appends taints to dst without those that match x (the same key and
// effect), in their order, and returns the extended slice and whether there were
// any. dst may be taints[:0], which edits the list in place; it must not overlap
// taints in any other way.
func Remove(dst, taints []Taint, x Taint) (list []Taint, removed bool) {
	for i := range taints {
		if taints[i].Matches(&x) {
			removed = true
			continue
		}
		dst = append(dst, taints[i])
	}
	return dst, removed
}

// RemoveKey appends taints to dst without those that have the given key,
// whatever their effect. Otherwise it is like [Remove].
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

// Difference appends to dst the taints of a that no taint of b matches (the
// same key and effect), in the order of a, and returns the extended slice.
// Duplicates in a are kept or dropped together.
//
// The taints to remove from a node are Difference(nil, present, wanted). To add
// those that are missing and to update those with another value, [Upsert] each
// of wanted: Difference(nil, wanted, present) has only the missing ones.
//
// dst may be a[:0], which edits a in place; it must not overlap a in any other
// way, nor b. It allocates if both a and b have more than 16 taints.
func Difference(dst, a, b []Taint) []Taint {
	known := newKnown(len(a), b)
	for i := range a {
		if !known.has(&a[i]) {
			dst = append(dst, a[i])
		}
	}
	return dst
}

// Merge appends to dst the taints of first, and then those of second that match none before
// them (the same key and effect), and returns the extended slice. Where both have a taint,
// that of first wins.
//
// dst must not overlap second. It allocates if both lists together have more than 16 taints.
func Merge(dst, first, second []Taint) []Taint {
	start := len(dst)
	dst = append(dst, first...)
	present := newSeen(len(first) + len(second))
	for i := range first {
		present.repeats(first[:i], &first[i])
	}
	for i := range second {
		if !present.repeats(dst[start:], &second[i]) {
			dst = append(dst, second[i])
		}
	}
	return dst
}

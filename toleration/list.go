package toleration

import "slices"

// Equal reports whether a and b hold equal tolerations ([Toleration.Equal]) in
// the same order. A nil list equals an empty one.
func Equal(a, b []Toleration) bool {
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
// the seconds are copied too. The clone of a nil list is nil.
func Clone(tolerations []Toleration) []Toleration {
	clone := slices.Clone(tolerations)
	for i := range clone {
		if seconds := clone[i].TolerationSeconds; seconds != nil {
			own := *seconds
			clone[i].TolerationSeconds = &own
		}
	}
	return clone
}

// Upsert appends tolerations to dst with x added or updated, and returns the
// extended slice and whether the list differs from tolerations. Every toleration
// that matches x (the same key, operator, value and effect; rule A6) gets the
// seconds of x; if there is none, x comes last. A toleration that equals x is kept
// with its own pointer to the seconds. An operator stays as it is written, empty or
// Equal, because the API server refuses to change it ([Rules.ValidateUpdate]).
//
// dst may be tolerations[:0], which edits the list in place; it must not overlap
// tolerations in any other way. The result shares TolerationSeconds with the
// arguments.
func Upsert(dst, tolerations []Toleration, x Toleration) (list []Toleration, changed bool) {
	found := false
	for i := range tolerations {
		old := tolerations[i]
		switch {
		case !old.Matches(&x):
			dst = append(dst, old)
		case old.Equal(&x):
			found = true
			dst = append(dst, old)
		default:
			found, changed = true, true
			old.TolerationSeconds = x.TolerationSeconds
			dst = append(dst, old)
		}
	}
	if !found {
		return append(dst, x), true
	}
	return dst, changed
}

// Remove appends tolerations to dst without those that match x (the same key,
// operator, value and effect), in their order, and returns the extended slice
// and whether there were any. dst may be tolerations[:0], which edits the list
// in place; it must not overlap tolerations in any other way.
func Remove(dst, tolerations []Toleration, x Toleration) (list []Toleration, removed bool) {
	for i := range tolerations {
		if tolerations[i].Matches(&x) {
			removed = true
			continue
		}
		dst = append(dst, tolerations[i])
	}
	return dst, removed
}

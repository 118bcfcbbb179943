package toleration

import "slices"

// Find returns the index of the first toleration that matches x
// ([Toleration.Matches]: the same key, operator, value and effect), and whether
// there is one; else the index is 0. It takes linear time and does not allocate.
func Find(tolerations []Toleration, x *Toleration) (index int, found bool) {
	for i := range tolerations {
		if tolerations[i].Matches(x) {
			return i, true
		}
	}
	return 0, false
}

// Exists reports whether a toleration of the list matches x (the same key,
// operator, value and effect). It takes linear time and does not allocate.
func Exists(tolerations []Toleration, x *Toleration) bool {
	_, found := Find(tolerations, x)
	return found
}

// KeyExists reports whether a toleration of the list has the given key,
// whatever its other fields. The empty key is a key like any other here. It
// takes linear time and does not allocate.
func KeyExists(tolerations []Toleration, key string) bool {
	for i := range tolerations {
		if tolerations[i].Key == key {
			return true
		}
	}
	return false
}

// Equal reports whether a and b hold equal tolerations ([Toleration.Equal]) in
// the same order. A nil list equals an empty one. It does not allocate.
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

// EqualUnordered reports whether a and b hold equal tolerations
// ([Toleration.Equal]) in any order, each as often. Such lists tolerate the same
// taints; only the eviction delay may differ, which depends on order (rule E2).
// A nil list equals an empty one.
//
// It takes expected linear time, and does not allocate for lists of up to 16
// tolerations.
func EqualUnordered(a, b []Toleration) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) > shortList {
		return equalCounts(a, b)
	}
	var used [shortList]bool // the items of b that have a counterpart in a
	for i := range a {
		if !useOne(b, &used, &a[i]) {
			return false
		}
	}
	return true
}

// useOne takes an item that equals x and is not yet in use, and reports whether
// there is one.
func useOne(tolerations []Toleration, used *[shortList]bool, x *Toleration) bool {
	for i := range tolerations {
		if !used[i] && tolerations[i].Equal(x) {
			used[i] = true
			return true
		}
	}
	return false
}

// content is what two equal tolerations have in common.
type content struct {
	identity
	timed   bool
	seconds int64
}

func (t *Toleration) content() content {
	c := content{identity: t.identity()}
	if t.TolerationSeconds != nil {
		c.timed, c.seconds = true, *t.TolerationSeconds
	}
	return c
}

// equalCounts is EqualUnordered for long lists of the same length.
func equalCounts(a, b []Toleration) bool {
	counts := make(map[content]int, len(a))
	for i := range a {
		counts[a[i].content()]++
	}
	for i := range b {
		c := b[i].content()
		counts[c]--
		if counts[c] < 0 {
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
			clone[i].TolerationSeconds = new(*seconds)
		}
	}
	return clone
}

// Upsert appends tolerations to dst with x added or updated, and returns the
// extended slice and whether the list differs from tolerations. Every toleration
// that matches x (the same key, operator, value and effect; rule A6) is replaced
// by x, in its place, so that the seconds are those of x; if there is none, x
// comes last. A toleration that equals x is kept with its own pointer to the
// seconds. An empty operator and Equal are not the same here.
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
			dst = append(dst, x)
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
// in place; it must not overlap tolerations in any other way. x may point into
// tolerations. Remove does not allocate if dst has room.
func Remove(dst, tolerations []Toleration, x *Toleration) (list []Toleration, removed bool) {
	id := x.identity()
	for i := range tolerations {
		if tolerations[i].identity() == id {
			removed = true
			continue
		}
		dst = append(dst, tolerations[i])
	}
	return dst, removed
}

// RemoveKey appends tolerations to dst without those that have the given key,
// whatever their other fields. Otherwise it is like [Remove].
func RemoveKey(dst, tolerations []Toleration, key string) (list []Toleration, removed bool) {
	for i := range tolerations {
		if tolerations[i].Key == key {
			removed = true
			continue
		}
		dst = append(dst, tolerations[i])
	}
	return dst, removed
}

// Difference appends to dst the tolerations of a that no toleration of b matches
// (the same key, operator, value and effect), in the order of a, and returns the
// extended slice. It compares how tolerations are written, not what they
// tolerate. A toleration that occurs twice in a is kept or left out twice. One
// that differs from one of b only in its seconds is left out; [Upsert] updates it.
//
// dst may be a[:0], which edits a in place; it must not overlap a in any other
// way, nor b. It takes expected linear time, and does not allocate if dst has
// room and a or b has at most 16 tolerations.
func Difference(dst, a, b []Toleration) []Toleration {
	known := newKnown(len(a), b)
	for i := range a {
		if !known.has(&a[i]) {
			dst = append(dst, a[i])
		}
	}
	return dst
}

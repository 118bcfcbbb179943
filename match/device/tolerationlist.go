package device

import "github.com/tolero-dev/tolero/toleration"

// FindToleration returns the index of the first toleration that matches x
// ([Toleration.Matches]), and whether there is one; else the index is 0. It takes linear
// time and does not allocate.
func FindToleration(tolerations []Toleration, x *Toleration) (index int, found bool) {
	return find(tolerations, x)
}

// TolerationExists reports whether a toleration of the list matches x
// ([Toleration.Matches]). It takes linear time and does not allocate.
func TolerationExists(tolerations []Toleration, x *Toleration) bool {
	_, found := find(tolerations, x)
	return found
}

// TolerationKeyExists reports whether a toleration of the list has the given key. The
// empty key stands for itself: it is that of a toleration for every key. It takes linear time and does not allocate.
func TolerationKeyExists(tolerations []Toleration, key string) bool {
	return keyExists(tolerations, key)
}

// EqualTolerations reports whether a and b hold equal tolerations ([Toleration.Equal]) in
// the same order. A nil list equals an empty one. It does not allocate.
func EqualTolerations(a, b []Toleration) bool { return equal(a, b) }

// EqualTolerationsUnordered reports whether a and b hold equal tolerations in any order,
// each as often. Such lists get the same answer to every question, because order plays no
// part on devices (rule D6). A nil list equals an empty one. It takes expected linear
// time, and does not allocate for lists of up to 16 tolerations.
func EqualTolerationsUnordered(a, b []Toleration) bool { return equalUnordered(a, b) }

// CloneTolerations returns a copy of the list that shares nothing with it except
// strings. Nil gives nil.
func CloneTolerations(tolerations []Toleration) []Toleration {
	return clone(tolerations, func(t *Toleration) {
		if t.TolerationSeconds != nil {
			t.TolerationSeconds = new(*t.TolerationSeconds)
		}
	})
}

// UpsertToleration appends tolerations to dst with x added or updated, and returns the
// extended slice and whether the list differs from tolerations. The first toleration that
// matches x ([Toleration.Matches]: all but the seconds) is replaced by x, and others that
// match it are left out, because the least of their seconds would count and not those of
// x (rule D6); if there is none, x comes last.
//
// It is for claims and templates that are yet to be created: the tolerations of a claim
// never change. dst may be tolerations[:0], which edits the list in place; it must not
// overlap tolerations in any other way. The result shares TolerationSeconds with the
// arguments. It takes linear time.
func UpsertToleration(dst, tolerations []Toleration, x Toleration) (list []Toleration, changed bool) {
	return upsert(dst, tolerations, x)
}

// RemoveToleration appends tolerations to dst without those that match x
// ([Toleration.Matches]), in their order, and returns the extended slice and whether there
// were any. x may point into tolerations. For dst and the rest see [UpsertToleration].
func RemoveToleration(dst, tolerations []Toleration, x *Toleration) (list []Toleration, removed bool) {
	id := *x // x may be overwritten
	return remove(dst, tolerations, func(t *Toleration) bool { return t.Matches(&id) })
}

// RemoveTolerationKey appends tolerations to dst without those that have the given key.
// The empty key removes the tolerations for every key, and no others. Otherwise it is like [RemoveToleration].
func RemoveTolerationKey(dst, tolerations []Toleration, key string) (list []Toleration, removed bool) {
	return remove(dst, tolerations, func(t *Toleration) bool { return t.Key == key })
}

// TolerationDifference appends to dst the tolerations of a that no toleration of b
// matches ([Toleration.Matches]), in the order of a, and returns the extended slice. A
// toleration that occurs twice in a is kept or left out twice. dst may be a[:0], which
// edits a in place; it must not overlap a in any other way, nor b. It takes expected
// linear time, and does not allocate if dst has room and a or b has at most 16
// tolerations.
func TolerationDifference(dst, a, b []Toleration) []Toleration { return difference(dst, a, b) }

// FromTolerations appends node tolerations to dst as device tolerations: the same
// fields. Gt and Lt match nothing on devices.
func FromTolerations(dst []Toleration, tolerations []toleration.Toleration) []Toleration {
	for i := range tolerations {
		dst = append(dst, Toleration(tolerations[i]))
	}
	return dst
}

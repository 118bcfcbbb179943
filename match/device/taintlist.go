package device

import "github.com/tolero-dev/tolero/taint"

// FindTaint returns the index of the first taint that matches x ([Taint.Matches]: the
// same key and effect), and whether there is one; else the index is 0. There may be more
// of them (rule D1). It takes linear time and does not allocate.
func FindTaint(taints []Taint, x *Taint) (index int, found bool) { return find(taints, x) }

// TaintExists reports whether a taint of the list matches x (the same key and effect). It
// takes linear time and does not allocate.
func TaintExists(taints []Taint, x *Taint) bool {
	_, found := find(taints, x)
	return found
}

// TaintKeyExists reports whether a taint of the list has the given key, whatever its
// effect. It takes linear time and does not allocate.
func TaintKeyExists(taints []Taint, key string) bool { return keyExists(taints, key) }

// EqualTaints reports whether a and b hold equal taints ([Taint.Equal]) in the same
// order. A nil list equals an empty one. It does not allocate.
func EqualTaints(a, b []Taint) bool { return equal(a, b) }

// EqualTaintsUnordered reports whether a and b hold equal taints in any order, each as
// often. Devices with such lists get the same answers, except for which taint is the
// first. A nil list equals an empty one. It takes expected linear time, and does not
// allocate for lists of up to 16 taints.
func EqualTaintsUnordered(a, b []Taint) bool { return equalUnordered(a, b) }

// CloneTaints returns a copy of the list that shares nothing with it except strings. Nil
// gives nil.
func CloneTaints(taints []Taint) []Taint {
	return clone(taints, func(t *Taint) {
		if t.TimeAdded != nil {
			t.TimeAdded = &taint.Time{Time: t.TimeAdded.Time}
		}
	})
}

// UpsertTaint appends taints to dst with x added or updated, and returns the extended
// slice and whether the list differs from taints. The first taint that matches x (the
// same key and effect) is replaced by x, and others that match it are left out; if there
// is none, x comes last.
//
// If x has no TimeAdded, it gets that of the taint that it replaces. A driver that
// publishes its slices without it lets the seconds of tolerations start anew with each
// write, because the API server sets what is missing (rule D11); and a change of the value
// does not let them start anew for rules either.
//
// dst may be taints[:0], which edits the list in place; it must not overlap taints in any
// other way. The result shares TimeAdded with the arguments. It takes linear time.
func UpsertTaint(dst, taints []Taint, x Taint) (list []Taint, changed bool) {
	if i, found := find(taints, &x); found && !x.added() {
		x.TimeAdded = taints[i].TimeAdded
	}
	return upsert(dst, taints, x)
}

// RemoveTaint appends taints to dst without those that match x (the same key and effect),
// in their order, and returns the extended slice and whether there were any. x may point
// into taints. For dst and the rest see [UpsertTaint].
func RemoveTaint(dst, taints []Taint, x *Taint) (list []Taint, removed bool) {
	key, effect := x.Key, x.Effect // x may be overwritten
	return remove(dst, taints, func(t *Taint) bool { return t.Key == key && t.Effect == effect })
}

// RemoveTaintKey appends taints to dst without those that have the given key, whatever
// their effect. Otherwise it is like [RemoveTaint].
func RemoveTaintKey(dst, taints []Taint, key string) (list []Taint, removed bool) {
	return remove(dst, taints, func(t *Taint) bool { return t.Key == key })
}

// TaintDifference appends to dst the taints of a that no taint of b matches (the same key
// and effect), in the order of a, and returns the extended slice. A taint that occurs
// twice in a is kept or left out twice. dst may be a[:0], which edits a in place; it must
// not overlap a in any other way, nor b. It takes expected linear time, and does not
// allocate if dst has room and a or b has at most 16 taints.
func TaintDifference(dst, a, b []Taint) []Taint { return difference(dst, a, b) }

// FromTaints appends node taints to dst as device taints: the same fields. Package
// device gives PreferNoSchedule no meaning.
func FromTaints(dst []Taint, taints []taint.Taint) []Taint {
	for i := range taints {
		dst = append(dst, Taint(taints[i]))
	}
	return dst
}

package kube

import v1 "k8s.io/api/core/v1"

// UpsertTaint is [taint.Upsert] on v1 lists: it appends taints to dst with x added
// or updated, and returns the extended slice and whether the list differs from
// taints. Every taint with the key and effect of x is replaced by x, in its place;
// one that equals x is kept. If there is none, x comes last.
//
// dst may be taints[:0], which edits the list in place; it must not overlap taints
// in any other way. The result shares TimeAdded with the arguments. UpsertTaint
// does not allocate if dst has room.
func UpsertTaint(dst, taints []v1.Taint, x v1.Taint) (list []v1.Taint, changed bool) {
	found := false
	for i := range taints {
		old := taints[i]
		switch {
		case !sameTaint(&old, &x):
			dst = append(dst, old)
		case equalTaint(&old, &x):
			found, dst = true, append(dst, old)
		default:
			found, changed, dst = true, true, append(dst, x)
		}
	}
	if !found {
		return append(dst, x), true
	}
	return dst, changed
}

// RemoveTaint is [taint.Remove] on v1 lists: it appends taints to dst without those
// that have the key and effect of x, and returns the extended slice and whether
// there were any. dst is as in [UpsertTaint]. x may point into taints.
func RemoveTaint(dst, taints []v1.Taint, x *v1.Taint) (list []v1.Taint, removed bool) {
	id := *x // x may be overwritten
	for i := range taints {
		if old := taints[i]; !sameTaint(&old, &id) {
			dst = append(dst, old)
		} else {
			removed = true
		}
	}
	return dst, removed
}

// RemoveTaintKey is [taint.RemoveKey] on v1 lists: RemoveTaint by key alone.
func RemoveTaintKey(dst, taints []v1.Taint, key string) (list []v1.Taint, removed bool) {
	for i := range taints {
		if old := taints[i]; old.Key != key {
			dst = append(dst, old)
		} else {
			removed = true
		}
	}
	return dst, removed
}

// EqualTaints is [taint.Equal] on v1 lists: the same taints in the same order, with
// equal times. A nil list equals an empty one. It does not allocate.
func EqualTaints(a, b []v1.Taint) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equalTaint(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

func sameTaint(a, b *v1.Taint) bool { return a.Key == b.Key && a.Effect == b.Effect }

func equalTaint(a, b *v1.Taint) bool {
	ours, theirs := Taint(a), Taint(b)
	return ours.Equal(&theirs)
}

package kube

import (
	"slices"

	v1 "k8s.io/api/core/v1"
)

// UpsertTaint is [taint.Upsert] on v1 lists: it appends taints to dst with x added
// or updated, and returns the extended slice and whether the list differs from
// taints. Every taint with the key and effect of x is replaced by x, in its place;
// one that equals x is kept. If there is none, x comes last.
//
// dst may be taints[:0], which edits the list in place; it must not overlap taints
// in any other way. The result shares TimeAdded with the arguments.
func UpsertTaint(dst, taints []v1.Taint, x v1.Taint) (list []v1.Taint, changed bool) {
	return upsert(dst, taints, x, func(old *v1.Taint) (same, equal bool) {
		return sameTaint(old, &x), equalTaint(old, &x)
	})
}

// RemoveTaint is [taint.Remove] on v1 lists: it appends taints to dst without those
// that have the key and effect of x, and returns the extended slice and whether
// there were any. dst is as in [UpsertTaint].
func RemoveTaint(dst, taints []v1.Taint, x v1.Taint) (list []v1.Taint, removed bool) {
	return remove(dst, taints, func(old *v1.Taint) bool { return sameTaint(old, &x) })
}

// RemoveTaintKey is [taint.RemoveKey] on v1 lists: RemoveTaint by key alone.
func RemoveTaintKey(dst, taints []v1.Taint, key string) (list []v1.Taint, removed bool) {
	return remove(dst, taints, func(old *v1.Taint) bool { return old.Key == key })
}

// EqualTaints is [taint.Equal] on v1 lists: the same taints in the same order, with
// equal times. A nil list equals an empty one.
func EqualTaints(a, b []v1.Taint) bool {
	return slices.EqualFunc(a, b, func(a, b v1.Taint) bool { return equalTaint(&a, &b) })
}

func sameTaint(a, b *v1.Taint) bool { return a.Key == b.Key && a.Effect == b.Effect }

func equalTaint(a, b *v1.Taint) bool {
	ours, theirs := Taint(a), Taint(b)
	return ours.Equal(&theirs)
}

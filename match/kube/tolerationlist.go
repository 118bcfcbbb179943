package kube

import v1 "k8s.io/api/core/v1"

// UpsertToleration is [toleration.Upsert] on v1 lists: it appends tolerations to
// dst with x added or updated, and returns the extended slice and whether the list
// differs from tolerations. Every toleration with the key, operator, value and
// effect of x is replaced by x, in its place; one that equals x is kept. If there is
// none, x comes last. An empty operator and Equal are not the same here (rule A6).
//
// dst may be tolerations[:0], which edits the list in place; it must not overlap
// tolerations in any other way. The result shares TolerationSeconds with the
// arguments. UpsertToleration does not allocate if dst has room.
func UpsertToleration(dst, tolerations []v1.Toleration, x v1.Toleration) (list []v1.Toleration, changed bool) {
	found := false
	for i := range tolerations {
		old := tolerations[i]
		switch {
		case !sameToleration(&old, &x):
			dst = append(dst, old)
		case equalToleration(&old, &x):
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

// RemoveToleration is [toleration.Remove] on v1 lists: it appends tolerations to
// dst without those that have the key, operator, value and effect of x, and returns
// the extended slice and whether there were any. dst is as in [UpsertToleration]. x
// may point into tolerations.
func RemoveToleration(dst, tolerations []v1.Toleration, x *v1.Toleration) (list []v1.Toleration, removed bool) {
	id := *x // x may be overwritten
	for i := range tolerations {
		if old := tolerations[i]; !sameToleration(&old, &id) {
			dst = append(dst, old)
		} else {
			removed = true
		}
	}
	return dst, removed
}

// RemoveTolerationKey is [toleration.RemoveKey] on v1 lists: RemoveToleration by
// key alone.
func RemoveTolerationKey(dst, tolerations []v1.Toleration, key string) (list []v1.Toleration, removed bool) {
	for i := range tolerations {
		if old := tolerations[i]; old.Key != key {
			dst = append(dst, old)
		} else {
			removed = true
		}
	}
	return dst, removed
}

// EqualTolerations is [toleration.Equal] on v1 lists: the same tolerations in the
// same order, with equal seconds. A nil list equals an empty one. It does not
// allocate. Whether two lists tolerate the same taints is a question to the sets
// that [TolerationSet] returns.
func EqualTolerations(a, b []v1.Toleration) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equalToleration(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

func sameToleration(a, b *v1.Toleration) bool {
	return a.Key == b.Key && a.Operator == b.Operator && a.Value == b.Value && a.Effect == b.Effect
}

func equalToleration(a, b *v1.Toleration) bool {
	ours, theirs := Toleration(a), Toleration(b)
	return ours.Equal(&theirs)
}

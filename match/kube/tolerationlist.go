package kube

import (
	"slices"

	v1 "k8s.io/api/core/v1"
)

// UpsertToleration is [toleration.Upsert] on v1 lists: it appends tolerations to
// dst with x added or updated, and returns the extended slice and whether the list
// differs from tolerations. Every toleration with the key, operator, value and
// effect of x gets the seconds of x; one that equals x is kept. If there is none, x
// comes last. An empty operator is Equal, and stays as it is written (rule A6).
//
// dst may be tolerations[:0], which edits the list in place; it must not overlap
// tolerations in any other way. The result shares TolerationSeconds with the
// arguments.
func UpsertToleration(dst, tolerations []v1.Toleration, x v1.Toleration) (list []v1.Toleration, changed bool) {
	ours, found := Toleration(&x), false
	for i := range tolerations {
		old := tolerations[i]
		if theirs := Toleration(&old); theirs.Matches(&ours) {
			found = true
			if !theirs.Equal(&ours) {
				old.TolerationSeconds, changed = x.TolerationSeconds, true
			}
		}
		dst = append(dst, old)
	}
	if !found {
		return append(dst, x), true
	}
	return dst, changed
}

// RemoveToleration is [toleration.Remove] on v1 lists: it appends tolerations to
// dst without those that have the key, operator, value and effect of x, and returns
// the extended slice and whether there were any. dst is as in [UpsertToleration].
func RemoveToleration(dst, tolerations []v1.Toleration, x v1.Toleration) (list []v1.Toleration, removed bool) {
	return remove(dst, tolerations, func(old *v1.Toleration) bool { return sameToleration(old, &x) })
}

// EqualTolerations is [toleration.Equal] on v1 lists: the same tolerations in the
// same order, with equal seconds. A nil list equals an empty one. To compare what two lists
// mean, compare what [TolerationMeaning] returns for each.
func EqualTolerations(a, b []v1.Toleration) bool {
	return slices.EqualFunc(a, b, func(a, b v1.Toleration) bool { return equalToleration(&a, &b) })
}

func sameToleration(a, b *v1.Toleration) bool {
	ours, theirs := Toleration(a), Toleration(b)
	return ours.Matches(&theirs)
}

func equalToleration(a, b *v1.Toleration) bool {
	ours, theirs := Toleration(a), Toleration(b)
	return ours.Equal(&theirs)
}

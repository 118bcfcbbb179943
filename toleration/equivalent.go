package toleration

// Equivalent reports whether a and b mean the same: whether they tolerate the same
// taints, valid or not, and give the same eviction delay for every list of taints.
// That is, their [Set] and their [Grants] are equal. Length, wording and, where it
// makes no difference, order do not matter; a list and its [Merge] are equivalent.
//
// Gt and Lt count like any other operator; for a default cluster pass the lists of
// [Rules.Active]. A nil list is an empty one. Duplicates and invalid tolerations are
// allowed. With n as the sum of the lengths, Equivalent takes n log n steps for
// valid lists; [Set] and [Grants] say what they take for invalid ones. To compare a
// list with many others, keep the signatures of both.
func Equivalent(a, b []Toleration) bool {
	return NewSet(a).Equal(NewSet(b)) && NewGrants(a).Equal(NewGrants(b))
}

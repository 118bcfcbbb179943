package kube

// upsert appends list to dst with x added or updated, and reports whether the result
// differs from list. compare tells of an item whether it is the same as x, so that x
// replaces it, and whether it equals x, so that nothing changes.
func upsert[T any](dst, list []T, x T, compare func(old *T) (same, equal bool)) (result []T, changed bool) {
	found := false
	for i := range list {
		item := list[i]
		if same, equal := compare(&list[i]); same {
			found, changed, item = true, changed || !equal, x
			if equal {
				item = list[i]
			}
		}
		dst = append(dst, item)
	}
	if !found {
		return append(dst, x), true
	}
	return dst, changed
}

// remove appends list to dst without the items that drop selects, and reports whether
// there were any.
func remove[T any](dst, list []T, drop func(old *T) bool) (result []T, removed bool) {
	for i := range list {
		if drop(&list[i]) {
			removed = true
		} else {
			dst = append(dst, list[i])
		}
	}
	return dst, removed
}

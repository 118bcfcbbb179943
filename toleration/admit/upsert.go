package admit

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Upsert appends tolerations to dst with t added or updated, and returns the
// extended slice. Every toleration with the key, effect, operator and value of t
// is replaced by t, in its place, so that the seconds are those of t; if there is
// none, t comes last (rule A6). An empty operator and Equal are not the same
// here.
//
// dst may be tolerations[:0], which edits the list in place; it must not overlap
// tolerations in any other way.
func Upsert(dst, tolerations []toleration.Toleration, t toleration.Toleration) []toleration.Toleration {
	found := false
	for i := range tolerations {
		if u := tolerations[i]; !u.Matches(&t) {
			dst = append(dst, u)
			continue
		}
		found = true
		dst = append(dst, t)
	}
	if !found {
		dst = append(dst, t)
	}
	return dst
}

// upsertAll appends tolerations to dst with each of added added or updated, in
// their order.
func upsertAll(dst, tolerations, added []toleration.Toleration) []toleration.Toleration {
	dst = slices.Grow(dst, len(tolerations)+len(added))
	start := len(dst)
	dst = append(dst, tolerations...)
	for i := range added {
		dst = dst[:start+len(Upsert(dst[start:start], dst[start:], added[i]))]
	}
	return dst
}

// exists returns the toleration of every taint with that key and effect.
func exists(key string, effect taint.Effect) toleration.Toleration {
	return toleration.Toleration{Key: key, Operator: toleration.Exists, Effect: effect}
}

package admit

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// upsertAll appends tolerations to dst with each of added added or updated, in
// their order.
func upsertAll(dst, tolerations, added []toleration.Toleration) []toleration.Toleration {
	dst = slices.Grow(dst, len(tolerations)+len(added))
	start := len(dst)
	dst = append(dst, tolerations...)
	for i := range added {
		list, _ := toleration.Upsert(dst[start:start], dst[start:], added[i])
		dst = dst[:start+len(list)]
	}
	return dst
}

// exists returns the toleration of every taint with that key and effect.
func exists(key string, effect taint.Effect) toleration.Toleration {
	return toleration.Toleration{Key: key, Operator: toleration.OpExists, Effect: effect}
}

package admit

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Part is a source of tolerations that a pod gets without asking.
type Part interface {
	// Append appends to dst the tolerations with those that the part adds or
	// updates, and returns the extended slice. dst may be tolerations[:0],
	// which edits the list in place; it must not overlap tolerations in any
	// other way.
	Append(dst, tolerations []toleration.Toleration) []toleration.Toleration
}

// The parts of this package.
var (
	_ Part = DefaultSeconds{}
	_ Part = DaemonSet{}
	_ Part = StaticPod{}
	_ Part = ExtendedResources{}
	_ Part = Restriction{}
	_ Part = RuntimeClass{}
	_ Part = Chain{}
)

// Chain is several parts that are applied one after the other, the first one
// first. The zero Chain adds nothing. A copy shares the parts. A Chain may be
// used concurrently if its parts may, as those of this package may.
type Chain []Part

// Append applies the parts in order; see [Part]. A part may occur twice.
func (c Chain) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	start := len(dst)
	dst = append(dst, tolerations...)
	for _, part := range c {
		// The part may have moved the list to a larger array.
		dst = append(dst[:start], part.Append(dst[start:start], dst[start:])...)
	}
	return dst
}

// fewAdditions is up to how many additions are compared with each toleration
// one by one: the DaemonSet controller has eight at most.
const fewAdditions = 8

// upsert appends tolerations to dst with each of added added or updated, in
// their order. None of added has seconds. dst may be tolerations[:0]. Expected
// time is linear in the length of both lists.
func upsert(dst, tolerations, added []toleration.Toleration) []toleration.Toleration {
	find := finder(added)
	found := make([]bool, len(added))
	dst = append(dst, tolerations...)
	for i, start := 0, len(dst)-len(tolerations); i < len(tolerations); i++ {
		if j := find(&dst[start+i]); j >= 0 {
			found[j] = true
			dst[start+i] = added[j]
		}
	}
	for j := range added {
		if first := find(&added[j]); !found[first] {
			found[first] = true
			dst = append(dst, added[j])
		}
	}
	return dst
}

// finder returns a function that finds the first of list with the key, operator, value and
// effect of another, as Kubernetes compares them: an empty operator is not Equal (rule A6). It
// returns -1 if there is none.
func finder(list []toleration.Toleration) func(*toleration.Toleration) int {
	if len(list) <= fewAdditions {
		return func(t *toleration.Toleration) int {
			return slices.IndexFunc(list, func(u toleration.Toleration) bool {
				return u.Key == t.Key && u.Operator == t.Operator && u.Value == t.Value && u.Effect == t.Effect
			})
		}
	}
	index := make(map[toleration.Toleration]int, len(list)) // none has seconds
	for i := len(list) - 1; i >= 0; i-- {
		index[list[i]] = i
	}
	return func(t *toleration.Toleration) int {
		key := *t
		key.TolerationSeconds = nil
		if i, found := index[key]; found {
			return i
		}
		return -1
	}
}

// exists returns the toleration for every taint with that key and effect.
func exists(key string, effect taint.Effect) toleration.Toleration {
	return toleration.Toleration{Key: key, Operator: toleration.OpExists, Effect: effect}
}

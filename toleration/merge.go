package toleration

import (
	"math"
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// Merge appends to dst those of tolerations that make a difference, in their
// order, and returns the extended slice. The merged list tolerates the same
// taints and gives the same eviction delay for every list of taints: its [Set]
// and its [Grants] are equal to those of tolerations. If tolerations are valid,
// each toleration of the merged list is needed: without it, one of the two would
// change. Of several that do equally well, Merge keeps the earliest.
//
// Invalid taints count too: a toleration that matches no others, such as a<0, is
// kept. If some toleration has an unknown effect, or an empty key and another
// operator than Exists, which no valid one has, Merge drops only the tolerations
// that match nothing and those that a single earlier one makes redundant.
//
// dst may be tolerations[:0], which edits the list in place; it must not overlap
// tolerations in any other way. The result shares TolerationSeconds with
// tolerations. Merge takes n log n steps.
func Merge(dst, tolerations []Toleration) []Toleration {
	return appendMerged(dst, tolerations, indexes(len(tolerations)))
}

// MergeLenient is like [Merge], except that for each taint the toleration with the
// most seconds counts, of those that match it, and not the first. The merged list
// is ordered by descending seconds, so that Kubernetes gives these delays: its
// [Grants] are the [NewLenientGrants] of tolerations. It never evicts a pod earlier
// than tolerations do. dst must not overlap tolerations.
func MergeLenient(dst, tolerations []Toleration) []Toleration {
	return appendMerged(dst, tolerations, lenientOrder(tolerations))
}

// appendMerged merges the list of tolerations in the given order, which is the
// order of the list if dst overlaps it.
func appendMerged(dst, tolerations []Toleration, order []int) []Toleration {
	var kept []bool // by position
	if slices.ContainsFunc(tolerations, unusual) {
		kept = notRepeated(tolerations, order)
	} else {
		kept = needed(tolerations, order)
	}
	for position, i := range order {
		if kept[position] {
			dst = append(dst, tolerations[i])
		}
	}
	return dst
}

// unusual reports whether t has an unknown effect, or an empty key without Exists,
// which no valid toleration has.
func unusual(t Toleration) bool {
	return t.Key == "" && t.Operator != OpExists || t.Effect != "" && !t.Effect.Known()
}

// notRepeated returns which tolerations, by position, match something and are
// not wholly matched by a single earlier one.
func notRepeated(tolerations []Toleration, order []int) []bool {
	type place struct {
		key    string
		effect taint.Effect
	}
	result, seen := make([]bool, len(order)), make(map[place]*matchedValues)
	for position, i := range order {
		t := &tolerations[i]
		values := t.values()
		covered := values.kind == noValue
		for _, wider := range [...]place{{"", ""}, {"", t.Effect}, {t.Key, ""}, {t.Key, t.Effect}} {
			covered = covered || seen[wider].contain(values)
		}
		if covered {
			continue
		}
		result[position] = true
		at := place{t.Key, t.Effect}
		if seen[at] == nil {
			seen[at] = newMatchedValues()
		}
		seen[at].add(values)
	}
	return result
}

// matchedValues is the values of some tolerations with the same key and effect.
// The nil one has none.
type matchedValues struct {
	single map[valueSet]bool // what is no run, and single integers
	above  run               // the longest without an upper bound
	below  run               // the longest without a lower bound
}

func newMatchedValues() *matchedValues {
	empty := run{lo: 1, hi: 0}
	return &matchedValues{single: make(map[valueSet]bool), above: empty, below: empty}
}

// contain reports whether the values of one of the tolerations contain v.
func (m *matchedValues) contain(v valueSet) bool {
	return m != nil && (m.single[valueSet{kind: everyValue}] || m.single[v] ||
		v.kind == integers && (m.above.contains(v.run) || m.below.contains(v.run)))
}

func (m *matchedValues) add(v valueSet) {
	switch {
	case v.run.lo == v.run.hi:
		m.single[v] = true
	case v.run.hi == math.MaxInt64:
		m.above = v.run // it is not contained in the one before, so longer
	default:
		m.below = v.run
	}
}

package toleration

import (
	"math"
	"strconv"
)

// valueSet is the set of taint values that an operator with its value matches:
// none, every string, one string, or the canonical integers of a range. A range
// has at least two members; one of a single integer is the string of it, and
// one without any is none. Thus equal sets have equal representations.
type valueSet struct {
	kind   valueKind
	single string // with oneValue
	lo, hi int64  // with integerRange: both included
}

type valueKind uint8

const (
	noValue valueKind = iota
	oneValue
	integerRange
	everyValue
)

// values returns the set of taint values that t matches, key and effect aside
// (rules M2, N1, N2).
func (t *Toleration) values() valueSet {
	switch t.Operator {
	case OpExists:
		return valueSet{kind: everyValue}
	case OpEqual, "":
		return valueSet{kind: oneValue, single: t.Value}
	}
	bound, ok := parseInteger(t.Value)
	switch {
	case !ok:
		return valueSet{}
	case t.Operator == OpGt && bound < math.MaxInt64:
		return newRange(bound+1, math.MaxInt64)
	case t.Operator == OpLt && bound > math.MinInt64:
		return newRange(math.MinInt64, bound-1)
	}
	return valueSet{}
}

// newRange returns the set of the integers from lo to hi, of which there must
// be at least one.
func newRange(lo, hi int64) valueSet {
	if lo == hi {
		return valueSet{kind: oneValue, single: strconv.FormatInt(lo, 10)}
	}
	return valueSet{kind: integerRange, lo: lo, hi: hi}
}

// contains reports whether every member of b is one of a.
func (a valueSet) contains(b valueSet) bool {
	switch {
	case b.kind == noValue || a.kind == everyValue:
		return true
	case a.kind == oneValue:
		return a == b
	case a.kind == integerRange && b.kind == oneValue:
		n, ok := parseInteger(b.single)
		return ok && a.lo <= n && n <= a.hi
	case a.kind == integerRange && b.kind == integerRange:
		return a.lo <= b.lo && b.hi <= a.hi
	}
	return false
}

// intersects reports whether a and b have a member in common.
func (a valueSet) intersects(b valueSet) bool {
	if a.kind == integerRange && b.kind == integerRange {
		return a.lo <= b.hi && b.lo <= a.hi
	}
	// Of two sets that are not both ranges, the smaller kind lies within the
	// other or apart from it.
	if a.kind > b.kind {
		a, b = b, a
	}
	return a.kind != noValue && b.contains(a)
}

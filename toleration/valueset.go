package toleration

import "math"

// valueSet is the set of taint values that one operator with its value matches:
// none, every string, one string that is no integer, or a run of integers.
// Equal sets have equal representations.
type valueSet struct {
	kind valueKind
	word string // with oneWord
	run  run    // with integers
}

type valueKind uint8

const (
	noValue valueKind = iota
	everyValue
	oneWord
	integers
)

// values returns the set of taint values that t matches, key and effect aside
// (rules M2, N1, N2).
func (t *Toleration) values() valueSet {
	if t.Operator == OpExists {
		return valueSet{kind: everyValue}
	}
	n, isInteger := parseInteger(t.Value)
	switch {
	case t.Operator == OpEqual || t.Operator == "":
		if isInteger {
			return valueSet{kind: integers, run: run{n, n}}
		}
		return valueSet{kind: oneWord, word: t.Value}
	case !isInteger:
		return valueSet{}
	case t.Operator == OpGt && n < math.MaxInt64:
		return valueSet{kind: integers, run: run{n + 1, math.MaxInt64}}
	case t.Operator == OpLt && n > math.MinInt64:
		return valueSet{kind: integers, run: run{math.MinInt64, n - 1}}
	}
	return valueSet{}
}

// contains reports whether every member of b is one of a.
func (a valueSet) contains(b valueSet) bool {
	switch {
	case b.kind == noValue || a.kind == everyValue:
		return true
	case a.kind != b.kind:
		return false
	case a.kind == oneWord:
		return a.word == b.word
	}
	return a.run.contains(b.run)
}

// intersects reports whether a and b have a member in common.
func (a valueSet) intersects(b valueSet) bool {
	switch {
	case a.kind == noValue || b.kind == noValue:
		return false
	case a.kind == everyValue || b.kind == everyValue:
		return true
	case a.kind != b.kind:
		return false
	case a.kind == oneWord:
		return a.word == b.word
	}
	return a.run.intersects(b.run)
}

package toleration

import "math"

// valueSet is a [Values] for the algebra of sets, in which integers are numbers: none,
// every string, one string that is no integer, or a run of integers. Equal sets have
// equal representations.
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

// values returns the set of taint values that t matches.
func (t *Toleration) values() valueSet {
	switch v := t.Values(); v.Kind {
	case EveryValue:
		return valueSet{kind: everyValue}
	case OneValue:
		if n, ok := parseInteger(v.Value); ok {
			return valueSet{kind: integers, run: run{n, n}}
		}
		return valueSet{kind: oneWord, word: v.Value}
	case IntegersAbove:
		return valueSet{kind: integers, run: run{v.Bound + 1, math.MaxInt64}}
	case IntegersBelow:
		return valueSet{kind: integers, run: run{math.MinInt64, v.Bound - 1}}
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

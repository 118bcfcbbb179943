package toleration

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// atom is a group of taints with one effect that some tolerations treat alike: the integers
// from n up to the next atom of the key, or one value that is no integer, or all values of
// the key that are in no other atom. The zero atom is all keys that are in no other atom.
type atom struct {
	key  string
	kind atomKind
	word string
	n    int64
}

type atomKind uint8

const (
	otherValues atomKind = iota
	oneWord
	integers
)

func (a atom) compare(b atom) int {
	if order := strings.Compare(a.key, b.key); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(a.kind, b.kind), strings.Compare(a.word, b.word), cmp.Compare(a.n, b.n))
}

// atomsOf returns, in ascending order, the atoms of the taints with an effect that a valid
// list treats alike.
func atomsOf(list []Toleration, e taint.Effect) []atom {
	atoms := []atom{{}}
	for i := range list {
		t := &list[i]
		if t.Effect != "" && t.Effect != e {
			continue
		}
		atoms = append(atoms, atom{key: t.Key})
		v := t.Values()
		if lo, hi, ok := v.integers(); ok {
			atoms = append(atoms, atom{key: t.Key, kind: integers, n: math.MinInt64}, atom{key: t.Key, kind: integers, n: lo})
			if hi < math.MaxInt64 {
				atoms = append(atoms, atom{key: t.Key, kind: integers, n: hi + 1})
			}
		} else if v.Kind == OneValue {
			atoms = append(atoms, atom{key: t.Key, kind: oneWord, word: v.Value})
		}
	}
	slices.SortFunc(atoms, atom.compare)
	return slices.Compact(atoms)
}

// integers returns the range of integers that v is, and whether it is one.
func (v *Values) integers() (lo, hi int64, ok bool) {
	switch v.Kind {
	case IntegersAbove:
		return v.Bound + 1, math.MaxInt64, true
	case IntegersBelow:
		return math.MinInt64, v.Bound - 1, true
	case OneValue:
		lo, ok = parseInteger(v.Value)
	}
	return lo, lo, ok
}

// none is the position of no toleration. It is after all others.
const none = math.MaxInt

// firsts finds, for each effect, the first toleration that matches an atom, of those that were
// added, in descending order of their positions.
type firsts [len(columnEffects)]first

type first struct {
	same         map[atom]int       // those that match one value, all of a key, or all
	above, below map[string][]bound // those that match a range of integers, by key
}

// bound is the least integer that the toleration at a position matches, or the greatest. In a
// list of bounds each was added after the one before it and matches less: one that matches no
// more than another that was added later is never the first.
type bound struct {
	n        int64
	position int
}

func newFirsts() (f firsts) {
	for i := range f {
		f[i] = first{make(map[atom]int), make(map[string][]bound), make(map[string][]bound)}
	}
	return f
}

func firstsOf(list []Toleration) firsts {
	f := newFirsts()
	for i := len(list) - 1; i >= 0; i-- {
		f.add(&list[i], i)
	}
	return f
}

func (f *firsts) add(t *Toleration, position int) {
	for i, e := range columnEffects {
		if t.Effect == "" || t.Effect == e {
			f[i].add(t, position)
		}
	}
}

func (f *first) add(t *Toleration, position int) {
	v := t.Values()
	lo, hi, ok := v.integers()
	switch {
	case v.Kind == EveryValue:
		f.same[atom{key: t.Key}] = position
	case ok && lo == hi:
		f.same[atom{key: t.Key, kind: integers, n: lo}] = position
	case v.Kind == OneValue:
		f.same[atom{key: t.Key, kind: oneWord, word: v.Value}] = position
	case !ok: // it matches nothing
	case hi == math.MaxInt64:
		f.above[t.Key] = append(prefix(f.above[t.Key], func(n int64) bool { return n < lo }), bound{lo, position})
	default:
		f.below[t.Key] = append(prefix(f.below[t.Key], func(n int64) bool { return n > hi }), bound{hi, position})
	}
}

// of returns the position of the first that matches a, or none.
func (f *first) of(a atom) int {
	first := none
	for _, b := range [...]atom{{}, {key: a.key}, a} {
		if position, found := f.same[b]; found {
			first = min(first, position)
		}
	}
	if a.kind != integers {
		return first
	}
	for _, bounds := range [...][]bound{
		prefix(f.above[a.key], func(n int64) bool { return n <= a.n }),
		prefix(f.below[a.key], func(n int64) bool { return n >= a.n }),
	} {
		if len(bounds) > 0 {
			first = min(first, bounds[len(bounds)-1].position)
		}
	}
	return first
}

// prefix returns the bounds that is holds for, which come before the others.
func prefix(bounds []bound, is func(n int64) bool) []bound {
	return bounds[:sort.Search(len(bounds), func(i int) bool { return !is(bounds[i].n) })]
}

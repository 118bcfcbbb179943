package toleration

import "math/bits"

// latest answers which of the first matches of the integers in a range comes last in
// the list. It takes n log n memory for n parts.
type latest struct {
	parts []firstPart
	of    [][]int // of[k][i] is the index of the latest of the 1<<k parts from i on
}

// newLatest is for parts of all integers.
func newLatest(parts []firstPart) latest {
	l := latest{parts, [][]int{indexes(len(parts))}}
	for width := 1; 2*width <= len(parts); width *= 2 {
		half, twice := l.of[len(l.of)-1], make([]int, len(parts)-2*width+1)
		for i := range twice {
			twice[i] = l.later(half[i], half[i+width])
		}
		l.of = append(l.of, twice)
	}
	return l
}

// later returns the one of two parts whose first match comes later.
func (l *latest) later(i, j int) int {
	if l.parts[i].first < l.parts[j].first {
		return j
	}
	return i
}

// in returns the greatest position of a first match of integers in r, none if one of
// them has no match, and the greatest integer of a part with it.
func (l *latest) in(r run) (first int, n int64) {
	i, j := partOf(l.parts, r.lo), partOf(l.parts, r.hi)
	i = l.amongParts(i, j)
	return l.parts[i].first, min(r.hi, runOf(l.parts, i).hi)
}

// amongParts returns the latest of the parts from i to j.
func (l *latest) amongParts(i, j int) int {
	k := bits.Len(uint(j-i+1)) - 1
	return l.later(l.of[k][i], l.of[k][j+1-1<<k])
}

// counting returns, for each of n positions, whether the toleration there is the
// first match for some taint.
//
// A toleration for any key is if it is for keys that no toleration names. One for a
// key is if, somewhere, none for any key comes before it.
func (f *firsts) counting(n int) []bool {
	counts := make([]bool, n+1) // the last is for no toleration
	mark := func(first, other int) {
		if first < other {
			counts[min(first, n)] = true
		}
	}
	anyKey := newLatest(f.anyKey.all())
	f.anyKey.eachFirst(func(first int, _ valueSet) { mark(first, none) })
	for i := range f.keys {
		f.keys[i].eachFirst(func(first int, values valueSet) {
			switch values.kind {
			case everyValue:
				mark(first, f.anyKey.rest)
			case oneWord:
				mark(first, f.anyKey.firstOfWord(values.word))
			default:
				other, _ := anyKey.in(values.run)
				mark(first, other)
			}
		})
	}
	return counts[:n]
}

// eachFirst calls do for each first match in r, with the values for which it is
// one: a word, integers, or all values that r does not name.
func (r *row) eachFirst(do func(first int, values valueSet)) {
	do(r.rest, valueSet{kind: everyValue})
	for i := range r.words {
		do(r.words[i].first, valueSet{kind: oneWord, word: r.words[i].word})
	}
	for i := range r.parts {
		do(r.parts[i].first, valueSet{kind: integers, run: runOf(r.parts, i)})
	}
}

package toleration

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/tolero-dev/tolero/taint"
)

// needed returns which tolerations, by position, have to be kept. None may be
// unusual.
//
// It decides from the last to the first. A toleration is not needed if, for every
// taint of which it is the first match, a later one that is kept matches the taint
// and, for a NoExecute taint, gives the same seconds. So each step leaves a list
// that means the same. A kept toleration stays needed when earlier ones are dropped:
// it is still the first match of the same taints, and the list after it is the same.
func needed(tolerations []Toleration, order []int) []bool {
	columns := newColumns(tolerations, order)
	result := make([]bool, len(order))
	for position, i := range slices.Backward(order) {
		t := &tolerations[i]
		for c := range columns {
			result[position] = result[position] || columns[c].concerns(t) && columns[c].needs(position)
		}
		for c := range columns {
			if result[position] && columns[c].concerns(t) {
				columns[c].kept.add(place{t.Key, t.values()}, position)
			}
		}
	}
	return result
}

// column is what is known of the taints with one effect. The empty one stands
// for effects that no toleration names.
type column struct {
	effect  taint.Effect
	seconds []int64 // by position; all the same if they do not count
	atoms   []atom  // by first
	kept    kept
}

// atom is a group of taints that every toleration of a list treats alike. The kind
// everyValue means the values that no toleration names.
type atom struct {
	place
	first int // position of the first match
}

// place is a key, which is empty for keys that no toleration names, and values.
type place struct {
	key    string
	values valueSet
}

func newColumns(tolerations []Toleration, order []int) []column {
	var columns []column
	for _, effect := range [...]taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
		f := newFirsts(tolerations, order, effect)
		c := column{effect: effect, seconds: make([]int64, len(order)), atoms: f.atoms(), kept: newKept()}
		slices.SortFunc(c.atoms, func(a, b atom) int { return cmp.Compare(a.first, b.first) })
		for position, i := range order {
			if effect == taint.NoExecute {
				c.seconds[position] = tolerations[i].level()
			}
		}
		columns = append(columns, c)
	}
	return columns
}

// atoms returns all atoms that some toleration matches.
func (f *firsts) atoms() []atom {
	var atoms []atom
	var p probes
	for _, key := range keysOf(f) {
		add := func(values valueSet, first int) {
			if first != none {
				atoms = append(atoms, atom{place{key, values}, first})
			}
		}
		p.probe(key, f)
		add(valueSet{kind: everyValue}, f.firstOfRest(key))
		for _, w := range p.words {
			add(valueSet{kind: oneWord, word: w}, f.firstOfWord(key, w))
		}
		for _, n := range p.integers {
			add(valueSet{kind: integers, run: run{n, n}}, f.firstOfInteger(key, n))
		}
	}
	return atoms
}

// concerns reports whether t can match a taint of c.
func (c *column) concerns(t *Toleration) bool {
	return t.Effect == "" || t.Effect == c.effect
}

// needs reports whether the answer for some taint of c changes if the toleration
// at position is dropped.
func (c *column) needs(position int) bool {
	i := sort.Search(len(c.atoms), func(i int) bool { return c.atoms[i].first >= position })
	for ; i < len(c.atoms) && c.atoms[i].first == position; i++ {
		next := c.kept.first(&c.atoms[i].place)
		if next == none || c.seconds[next] != c.seconds[position] {
			return true
		}
	}
	return false
}

// kept finds the first match among the tolerations that were added to it, in
// descending order of their positions.
type kept struct {
	same  map[place]int      // by what they match, if that is not many integers
	above map[string][]bound // by key, those with many integers up to the greatest
	below map[string][]bound // by key, those with many integers down to the least
}

// bound is the least or the greatest integer that the toleration at a position
// matches. In a list of bounds, each was added after the one before it and matches
// less: a toleration that matches no more than one added later cannot be first.
type bound struct {
	n        int64
	position int
}

func newKept() kept {
	return kept{make(map[place]int), make(map[string][]bound), make(map[string][]bound)}
}

func (k *kept) add(p place, position int) {
	switch r := p.values.run; {
	case r.lo == r.hi: // one integer, or none at all
		k.same[p] = position
	case r.hi == math.MaxInt64:
		list := matching(k.above[p.key], func(b bound) bool { return b.n < r.lo })
		k.above[p.key] = append(list, bound{r.lo, position})
	default:
		list := matching(k.below[p.key], func(b bound) bool { return b.n > r.hi })
		k.below[p.key] = append(list, bound{r.hi, position})
	}
}

// first returns the position of the first that matches the taints of an atom,
// or none.
func (k *kept) first(p *place) int {
	first := none
	for _, key := range [...]string{"", p.key} {
		first = min(first, k.at(place{key, valueSet{kind: everyValue}}), k.at(place{key, p.values}))
		if n := p.values.run.lo; p.values.kind == integers {
			first = min(first,
				last(matching(k.above[key], func(b bound) bool { return b.n <= n })),
				last(matching(k.below[key], func(b bound) bool { return b.n >= n })))
		}
	}
	return first
}

func (k *kept) at(p place) int {
	if position, found := k.same[p]; found {
		return position
	}
	return none
}

// matching returns the bounds that is holds for, which come before the others.
func matching(list []bound, is func(bound) bool) []bound {
	return list[:sort.Search(len(list), func(i int) bool { return !is(list[i]) })]
}

// last returns the position of the bound that was added last, or none.
func last(list []bound) int {
	if len(list) == 0 {
		return none
	}
	return list[len(list)-1].position
}

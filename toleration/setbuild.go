package toleration

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// cell holds the values that a set tolerates for a key and an effect, where an
// empty key or effect stands for any.
//
// A cell is reduced: it says nothing that a wider cell says, one with the same
// key or any key, and the same effect or any. With W the values of the wider
// cells, and U those values and the cell's own, a reduced cell has
//
//   - every, if U is everything and W is not; the rest is then empty;
//   - words, the strings of U that are no integers and not in W;
//   - runs, the maximal runs of consecutive integers of U that have an integer
//     outside of W.
//
// All three depend on U and W alone. U holds the values that are tolerated for the
// key and the effect; read an empty one as one that no toleration names. W is the
// union of the same for the wider cells. So equal sets have equal cells.
type cell struct {
	key    string
	effect taint.Effect
	every  bool
	words  []string // ascending
	runs   runs
}

// entry is one toleration to be put into a cell.
type entry struct {
	key    string
	effect taint.Effect
	values valueSet
}

func entriesOf(tolerations []Toleration) []entry {
	entries := make([]entry, 0, len(tolerations))
	for i := range tolerations {
		t := &tolerations[i]
		if values := t.values(); values.kind != noValue {
			entries = append(entries, entry{t.Key, t.Effect, values})
		}
	}
	return entries
}

func (e *entry) sameCell(f *entry) bool { return e.key == f.key && e.effect == f.effect }

// compareEntries orders entries by cell, a wider one before those within it,
// and then as newCell needs them.
func compareEntries(a, b entry) int {
	return cmp.Or(
		cmp.Compare(a.key, b.key),
		cmp.Compare(a.effect, b.effect),
		cmp.Compare(a.values.kind, b.values.kind),
		cmp.Compare(a.values.word, b.values.word),
		cmp.Compare(a.values.run.lo, b.values.run.lo),
	)
}

// newCell returns a cell with the values of entries, which must be sorted.
func newCell(entries []entry) (c cell) {
	for i := range entries {
		switch values := &entries[i].values; values.kind {
		case everyValue:
			c.every = true
			return c
		case oneWord:
			if n := len(c.words); n == 0 || c.words[n-1] != values.word {
				c.words = append(c.words, values.word)
			}
		case integers:
			c.runs = c.runs.add(values.run)
		}
	}
	return c
}

// newSet makes a set of entries, which it sorts, and counts its steps.
func newSet(entries []entry) (s Set, steps int) {
	slices.SortFunc(entries, compareEntries)
	for len(entries) > 0 {
		n := 1
		for n < len(entries) && entries[n].sameCell(&entries[0]) {
			n++
		}
		c := newCell(entries[:n])
		c.key, c.effect = entries[0].key, entries[0].effect
		wider := s.wider(c.key, c.effect)
		if c.reduce(&wider) {
			s.cells = append(s.cells, c)
		}
		steps += n + wider.steps
		entries = entries[n:]
	}
	return s, steps
}

// reduce takes out of c what the wider cells have, and reports whether anything
// is left.
func (c *cell) reduce(wider *layers) bool {
	switch {
	case wider.every():
		return false
	case c.every:
		return true
	}
	c.words = slices.DeleteFunc(c.words, wider.word)
	c.extend(wider)
	return len(c.words) > 0 || len(c.runs) > 0
}

// extend makes the runs of c maximal, together with those of the wider cells, and
// drops each run that lies within these.
func (c *cell) extend(wider *layers) {
	own, out := c.runs, c.runs[:0]
	for i := 0; i < len(own); {
		r := own[i]
		r.lo = wider.down(r.lo)
		for i < len(own) && r.reaches(own[i]) { // own[i] is r itself at first
			r.hi = wider.up(max(r.hi, own[i].hi))
			i++
		}
		if _, found := wider.firstGap(r); found {
			out = append(out, r)
		}
	}
	c.runs = out
}

// wider returns the cells of s that are wider than the one for key and effect.
func (s Set) wider(key string, effect taint.Effect) layers {
	var l layers
	if key != "" || effect != "" {
		l.push(s.cell("", ""))
	}
	if key != "" && effect != "" {
		l.push(s.cell("", effect))
		l.push(s.cell(key, ""))
	}
	return l
}

// at returns the cells of s that decide for taints with key and effect. An empty
// one is like one that no toleration names.
func (s Set) at(key string, effect taint.Effect) layers {
	l := s.wider(key, effect)
	l.push(s.cell(key, effect))
	return l
}

// cell returns the cell for exactly key and effect, or nil.
func (s Set) cell(key string, effect taint.Effect) *cell {
	low, high := 0, len(s.cells)
	for low < high {
		middle := int(uint(low+high) / 2)
		c := &s.cells[middle]
		switch order := cmp.Compare(c.key, key); {
		case order < 0, order == 0 && c.effect < effect:
			low = middle + 1
		case order > 0, c.effect > effect:
			high = middle
		default:
			return c
		}
	}
	return nil
}

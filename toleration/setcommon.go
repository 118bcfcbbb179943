package toleration

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// common returns a taint that is in s and in other, a valid one if so asked.
//
// Two cells have taints in common only if one is as wide as the other or wider,
// or if one is for any key and the other for any effect.
func (s Set) common(other Set, valid bool) (x taint.Taint, found bool, steps int) {
	for i := range s.cells {
		c := &s.cells[i]
		if x, found = c.common(other.at(c.key, c.effect), valid, &steps); found {
			return x, true, steps
		}
	}
	for i := range other.cells {
		c := &other.cells[i]
		if x, found = c.common(s.wider(c.key, c.effect), valid, &steps); found {
			return x, true, steps
		}
	}
	if x, found = s.crossing(other, valid, &steps); !found {
		x, found = other.crossing(s, valid, &steps)
	}
	return x, found, steps
}

// common returns a taint that is in c and in one of wider, none of which is for a
// single key or effect unless it is that of c.
func (c *cell) common(wider layers, valid bool, steps *int) (x taint.Taint, found bool) {
	if valid && !(c.validKey() && c.validEffect()) {
		return taint.Taint{}, false
	}
	for _, d := range wider.cells[:wider.count] {
		*steps += 1 + c.commonSteps(d)
		if value, found := c.commonValue(d, valid); found {
			x = taint.Taint{Key: c.key, Value: value, Effect: c.effect}
			if valid {
				x.Key = Set{}.validKey(x.Key)
				x.Effect = cmp.Or(x.Effect, taint.NoSchedule)
			}
			return x, true
		}
	}
	return taint.Taint{}, false
}

// crossing returns a taint that is in a cell of s for one key and any effect, and
// in one of other for any key and one effect.
//
// It first puts together the values of all the former, because there can be many
// of both. Valid lists have at most three of the latter.
func (s Set) crossing(other Set, valid bool, steps *int) (x taint.Taint, found bool) {
	all := s.valuesOfKeys(valid)
	for i := range other.cells {
		d := &other.cells[i]
		if d.key != "" {
			break // cells for any key come first
		}
		if d.effect == "" || valid && !d.validEffect() {
			continue
		}
		*steps += 1 + all.commonSteps(d)
		if _, found := all.commonValue(d, valid); !found {
			continue
		}
		for j := range s.cells {
			c := &s.cells[j]
			*steps += 1 + c.commonSteps(d)
			if value, found := c.commonValue(d, valid); found && c.forAnyEffect(valid) {
				return taint.Taint{Key: c.key, Value: value, Effect: d.effect}, true
			}
		}
	}
	return taint.Taint{}, false
}

// valuesOfKeys returns a cell with the values of all the cells of s for one key
// and any effect, of those with a valid key if so asked.
func (s Set) valuesOfKeys(valid bool) cell {
	var entries []entry
	for i := range s.cells {
		if c := &s.cells[i]; c.forAnyEffect(valid) {
			entries = c.appendEntries(entries)
		}
	}
	for i := range entries {
		entries[i].key = ""
	}
	slices.SortFunc(entries, compareEntries)
	return newCell(entries)
}

// forAnyEffect reports whether c is for one key, which must be valid if so
// asked, and any effect.
func (c *cell) forAnyEffect(valid bool) bool {
	return c.key != "" && c.effect == "" && (!valid || c.validKey())
}

// validEffect reports whether a valid taint can have the effect of c.
func (c *cell) validEffect() bool {
	return c.effect == "" || c.effect.Known()
}

// commonValue returns a value that both cells have, a valid one if so asked.
func (c *cell) commonValue(d *cell, valid bool) (value string, found bool) {
	switch {
	case c.every:
		return d.outside(&layers{}, valid)
	case d.every:
		return c.outside(&layers{}, valid)
	}
	words, other := c.words, d.words
	if len(words) > len(other) {
		words, other = other, words
	}
	for _, w := range words {
		if _, both := slices.BinarySearch(other, w); both && (!valid || taint.CheckValue(w) == nil) {
			return w, true
		}
	}
	n, found := c.runs.common(d.runs, valid)
	return strconv.FormatInt(n, 10), found
}

// commonSteps returns how many lookups commonValue takes at most.
func (c *cell) commonSteps(d *cell) int {
	return min(len(c.words), len(d.words)) + min(len(c.runs), len(d.runs))
}

// common returns an integer that is in rs and in qs, one that a valid taint can
// have if so asked.
func (rs runs) common(qs runs, valid bool) (n int64, found bool) {
	if len(rs) > len(qs) {
		rs, qs = qs, rs
	}
	for _, r := range rs {
		r, ok := r.clip(valid)
		if !ok {
			continue
		}
		if q, found := qs.next(r.lo); found && q.lo <= r.hi {
			return max(q.lo, r.lo), true
		}
	}
	return 0, false
}

package toleration

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// Compare iterates over taints, with their levels by m and by other. It yields one taint for
// each group of taints that both treat alike: first all valid ones, then negative values
// and unknown effects, of which the empty one stands for all. Meanings such as those of "a<0"
// and of no toleration differ for these only. The order is the same for equal meanings.
func (m *Meaning) Compare(other *Meaning) iter.Seq2[taint.Taint, [2]Level] {
	return func(yield func(taint.Taint, [2]Level) bool) {
		for _, valid := range [...]bool{true, false} {
			for i, e := range columnEffects {
				a, b := m.column(i), other.column(i)
				both := union(a, b)
				for j, entry := range both {
					key, value := both.taint(j)
					if valid != (e != "" && !strings.HasPrefix(value, "-")) {
						continue
					}
					levels := [2]Level{a[a.index(entry.atom)].level, b[b.index(entry.atom)].level}
					if !yield(taint.Taint{Key: key, Value: value, Effect: e}, levels) {
						return
					}
				}
			}
		}
	}
}

// Equal reports whether each taint has the same level by m and by other.
func (m *Meaning) Equal(other *Meaning) bool {
	for _, l := range m.Compare(other) {
		if l[0] != l[1] {
			return false
		}
	}
	return true
}

// Covers reports whether m gives every taint at least the level that other gives it: whether
// m tolerates all that other tolerates, for as long.
func (m *Meaning) Covers(other *Meaning) bool {
	for _, l := range m.Compare(other) {
		if l[1] > l[0] {
			return false
		}
	}
	return true
}

// Restrict returns the meaning of m for taints with one of the effects. All others are not
// tolerated.
func (m *Meaning) Restrict(effects taint.EffectSet) *Meaning {
	restricted := *m
	for i, e := range columnEffects {
		if !effects.Has(e) {
			restricted.columns[i] = nil
		}
	}
	return &restricted
}

// Allows reports whether m gives every taint that t tolerates at least the level of t, so that
// t is on the whitelist m. If not, it returns such a taint, with the lowest level by m that
// taints of its effect have, and a valid one if there is one. Of a toleration
// that is not valid, it returns false and no taint. It allocates only for a taint that it
// returns.
func (m *Meaning) Allows(t *Toleration) (witness taint.Taint, ok bool) {
	if t.faults() != nil {
		return taint.Taint{}, false
	}
	for i, e := range columnEffects {
		if t.Effect != "" && t.Effect != e {
			continue
		}
		c := m.column(i)
		if least, found := c.leastOf(t); found && c[least].level < t.level(e) {
			key, value := c.witness(least, t)
			return taint.Taint{Key: key, Value: value, Effect: e}, false
		}
	}
	return taint.Taint{}, true
}

// leastOf returns the index of an entry with the least level of those that t matches, if it
// matches any.
func (c column) leastOf(t *Toleration) (index int, found bool) {
	v := t.Values()
	lo, hi, ok := v.integers()
	a := atom{key: t.Key}
	switch {
	case v.Kind == NoValue:
		return 0, false
	case ok:
		a.kind, a.n = integers, lo
	case v.Kind == OneValue:
		a.kind, a.word = oneWord, v.Value
	}
	i := c.index(a)
	switch {
	case ok && c[i].kind == integers && lo == math.MinInt64:
		return c[c.index(atom{key: t.Key, kind: integers, n: hi})].leastUpTo, true
	case ok && c[i].kind == integers && hi == math.MaxInt64, v.Kind == EveryValue && c[i].key == t.Key:
		return c[i].least, true
	}
	return i, true
}

// witness returns the key and the value of a taint that t matches and that has the entry.
func (c column) witness(index int, t *Toleration) (key, value string) {
	v := t.Values()
	if lo, hi, ok := v.integers(); ok {
		from, to := c.integers(index)
		return t.Key, nearestZero(max(lo, from), min(hi, to))
	}
	if key, value = c.taint(index); t.Key != "" && key != t.Key || v.Kind == OneValue {
		return t.Key, v.Value // without an entry of its own
	}
	return key, value
}

// taint returns the key and the value of a taint that has the entry.
func (c column) taint(index int) (key, value string) {
	switch e := &c[index]; {
	case index == 0:
		return e.other, ""
	case e.kind == otherValues:
		return e.key, e.other
	case e.kind == oneWord:
		return e.key, e.word
	}
	return c[index].key, nearestZero(c.integers(index))
}

// integers returns the least and the greatest integer of those that have the entry.
func (c column) integers(index int) (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	if c[index].kind == integers {
		lo = c[index].n
	}
	if next := index + 1; next < len(c) && c[index].kind == integers && c[next].kind == integers {
		hi = c[next].n - 1
	}
	return lo, hi
}

// nearestZero returns the integer of a range that is nearest to zero: the value of a valid
// taint, if one has it.
func nearestZero(lo, hi int64) string { return strconv.FormatInt(min(max(lo, 0), hi), 10) }

// union returns a column with the entries of both, without levels.
func union(a, b column) column {
	both := slices.Concat(a, b)
	slices.SortFunc(both, func(e, f entry) int { return e.compare(f.atom) })
	both = slices.CompactFunc(both, func(e, f entry) bool { return e.atom == f.atom })
	both.nameOthers()
	return both
}

// nameOthers names what has no entry of its own.
func (c column) nameOthers() {
	c[0].other = newName("key", func(name string) bool { _, found := c.search(atom{key: name}); return found })
	for i := range c[1:] {
		if e := &c[1+i]; e.kind == otherValues {
			e.other = newName("", func(name string) bool { _, found := c.search(atom{e.key, oneWord, name, 0}); return found })
		}
	}
}

// newName returns the first of name, x-1, x-2 and so on that is not taken.
func newName(name string, taken func(name string) bool) string {
	for i := 1; taken(name); i++ {
		name = "x-" + strconv.Itoa(i)
	}
	return name
}

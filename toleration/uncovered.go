package toleration

import (
	"iter"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// Uncovered iterates over the tolerations of a list that another list does not cover,
// in the order of the list. With the index of each it yields a taint that shows it:
// one that the toleration tolerates and that no toleration of the other list tolerates
// or, if it is a NoExecute taint, for as long. The taint is valid if any such taint is.
//
// It is the question of a whitelist: a toleration is covered if each taint that it
// tolerates is on the whitelist. Several tolerations of the whitelist can cover one
// together, as a<3 and a>2 cover a>0; [Toleration.Covers] compares two only.
// If nothing is yielded, the [Set] of cover covers that of the list, and its
// [NewLenientGrants] cover those of the list.
//
// Gt and Lt count like any other operator. A nil list is an empty one; duplicates and
// invalid tolerations are allowed, and those that match nothing are covered by
// everything. It takes n log n steps, with n as the sum of the lengths; more, as [Set]
// says, if cover is not valid.
func Uncovered(list, cover []Toleration) iter.Seq2[int, taint.Taint] {
	return func(yield func(int, taint.Taint) bool) {
		c := newCover(cover)
		for i := range list {
			if x, found := c.minus(&list[i]); found && !yield(i, x) {
				return
			}
		}
	}
}

// cover answers for a list of tolerations whether it covers another one, again and
// again.
type cover struct {
	set    Set
	grants Grants // the most lenient ones: a later position has fewer seconds
	anyKey latest
	keys   map[string]latest // by key, any-key tolerations included
	gaps   map[spot]gaps
}

// spot is a key and an effect, as those of a cell.
type spot struct {
	key    string
	effect taint.Effect
}

// gaps are the integers nearest to the ends of the range that a set does not have for
// a key and an effect.
type gaps struct {
	least, leastValid, greatest int64
	any, anyValid               bool
}

func newCover(tolerations []Toleration) *cover {
	g := NewLenientGrants(tolerations)
	return &cover{
		set: NewSet(tolerations), grants: g, anyKey: newLatest(g.firsts.anyKey.all()),
		keys: make(map[string]latest), gaps: make(map[spot]gaps),
	}
}

// minus returns a taint that t tolerates and c does not, or not for as long; a valid
// one if there is one.
func (c *cover) minus(t *Toleration) (x taint.Taint, found bool) {
	values := t.values()
	if values.kind == noValue {
		return taint.Taint{}, false
	}
	for _, valid := range [...]bool{true, false} {
		if valid && t.Key != "" && taint.CheckKey(t.Key) != nil {
			continue
		}
		if x, found = c.minusValues(t, values, valid); found {
			return x, true
		}
	}
	return taint.Taint{}, false
}

func (c *cover) minusValues(t *Toleration, values valueSet, valid bool) (x taint.Taint, found bool) {
	values, ok := values.clip(valid)
	if !ok {
		return taint.Taint{}, false
	}
	x.Key = t.Key
	if x.Key == "" {
		x.Key = newName("key", "key-", c.names)
	}
	for _, x.Effect = range effectsOf(t.Effect, valid) {
		if x.Value, found = c.outside(t.Key, x.Effect, values, valid); found {
			return x, true
		}
	}
	if x.Effect = taint.NoExecute; t.evicting() {
		x.Value, found = c.shorter(t.Key, values, t.level())
	}
	return x, found
}

// effectsOf returns the effects to ask about for a toleration with the given one, which
// is empty for every effect, an unknown one included.
func effectsOf(e taint.Effect, valid bool) []taint.Effect {
	switch {
	case e == "" && valid:
		return knownEffects[:]
	case valid && !e.Known():
		return nil
	}
	return []taint.Effect{e}
}

// names reports whether c names key.
func (c *cover) names(key string) bool {
	return c.set.names(key) || c.grants.firsts.row(key) != &noRow
}

// clip returns the values of v that a valid taint can have if so asked, or else all;
// and whether there are any.
func (v valueSet) clip(valid bool) (valueSet, bool) {
	switch {
	case valid && v.kind == oneWord:
		return v, taint.CheckValue(v.word) == nil
	case v.kind == integers:
		r, ok := v.run.clip(valid)
		v.run = r
		return v, ok
	}
	return v, true
}

// outside returns one of values that the set does not have for key and effect.
func (c *cover) outside(key string, effect taint.Effect, values valueSet, valid bool) (value string, found bool) {
	l := c.set.at(key, effect)
	switch {
	case l.every():
		return "", false
	case values.kind == everyValue:
		return l.newWord(), true
	case values.kind == oneWord:
		return values.word, !l.word(values.word)
	case values.run.lo == values.run.hi:
		_, has := l.find(values.run.lo)
		return strconv.FormatInt(values.run.lo, 10), !has
	}
	n, found := c.gapsAt(spot{key, effect}, &l).in(values.run, valid)
	return strconv.FormatInt(n, 10), found
}

// gapsAt returns the gaps at a spot, of which l has the cells.
func (c *cover) gapsAt(at spot, l *layers) gaps {
	g, known := c.gaps[at]
	if !known {
		g.least, g.any = l.firstGap(everyInteger)
		g.greatest = l.lastGap(everyInteger)
		valid, _ := everyInteger.clip(true)
		g.leastValid, g.anyValid = l.firstGap(valid)
		c.gaps[at] = g
	}
	return g
}

// in returns a gap in r, which has more than one integer and reaches an end of the
// range, or 0 and the end if only valid ones are asked for.
func (g gaps) in(r run, valid bool) (n int64, found bool) {
	switch {
	case r.hi == everyInteger.hi:
		return g.greatest, g.any && g.greatest >= r.lo
	case valid:
		return g.leastValid, g.anyValid && g.leastValid <= r.hi
	}
	return g.least, g.any && g.least <= r.hi
}

// shorter returns one of values for which c grants fewer seconds than the given, or
// does not tolerate the NoExecute taint.
func (c *cover) shorter(key string, values valueSet, seconds int64) (value string, found bool) {
	f := &c.grants.firsts
	switch values.kind {
	case everyValue: // those that are named have as many seconds or more
		var p probes
		p.probe(key, f)
		return p.newWord(), c.grants.levelOf(f.firstOfRest(key)) < seconds
	case oneWord:
		return values.word, c.grants.level(key, values.word) < seconds
	}
	first, n := c.latest(key, values.run)
	return strconv.FormatInt(n, 10), c.grants.levelOf(first) < seconds
}

// latest returns the greatest position of a first match of the integers in r for key,
// and an integer with it.
func (c *cover) latest(key string, r run) (first int, n int64) {
	row := c.grants.firsts.row(key)
	of, known := c.keys[key]
	if !known {
		parts := slices.Clone(row.all())
		for i := range parts {
			first, _ = c.anyKey.in(runOf(parts, i))
			parts[i].first = min(parts[i].first, first)
		}
		of = newLatest(parts)
		c.keys[key] = of
	}
	i, j := partOf(of.parts, r.lo), partOf(of.parts, r.hi)
	ends := []int{i, j} // of these, part may be outside of r
	if i+1 < j {
		ends = append(ends, of.amongParts(i+1, j-1))
	}
	first = -1
	for _, k := range ends {
		within := runOf(of.parts, k)
		within = run{max(within.lo, r.lo), min(within.hi, r.hi)}
		other, m := c.anyKey.in(within)
		if other = min(other, row.all()[k].first); other > first {
			first, n = other, m
		}
	}
	return first, n
}

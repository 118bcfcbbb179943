package toleration

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// Compare iterates over taints, with their levels by m and by other. It yields a taint of
// each group of taints that neither tells apart: first all valid ones, then negative values
// and unknown effects, of which the empty one stands for all. The order is the same for
// equal meanings. It takes n log n steps in all.
func (m *Meaning) Compare(other *Meaning) iter.Seq2[taint.Taint, [2]Level] {
	return func(yield func(taint.Taint, [2]Level) bool) {
		for _, valid := range [...]bool{true, false} {
			for i, e := range columnEffects {
				if valid && e == "" {
					continue
				}
				a, b := &m.columns[i], &other.columns[i]
				for _, key := range keysOf(a, b) {
					r, _ := a.row(key)
					s, _ := b.row(key)
					for _, v := range valuesOf(&r, &s, valid || e == "", !valid) {
						if !yield(taint.Taint{Key: key, Value: v, Effect: e}, [2]Level{r.at(v), s.at(v)}) {
							return
						}
					}
				}
			}
		}
	}
}

// Differences iterates over the taints of [Meaning.Compare] whose levels by m and by other
// differ. There is none if the meanings are equal, and a valid one if they differ for any.
func (m *Meaning) Differences(other *Meaning) iter.Seq2[taint.Taint, [2]Level] {
	return func(yield func(taint.Taint, [2]Level) bool) {
		for x, l := range m.Compare(other) {
			if l[0] != l[1] && !yield(x, l) {
				return
			}
		}
	}
}

// Equal reports whether each taint has the same level by m and by other.
func (m *Meaning) Equal(other *Meaning) bool {
	for range m.Differences(other) {
		return false
	}
	return true
}

// Covers reports whether no taint has a greater level by other than by m: whether m
// tolerates all that other tolerates, for as long.
func (m *Meaning) Covers(other *Meaning) bool {
	for _, l := range m.Differences(other) {
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
			restricted.columns[i] = levels{}
		}
	}
	return &restricted
}

// Least returns the least level of all taints with one of the effects, whatever their keys
// and values, and Forever if there are no effects. So a pod with tolerations of the meaning m
// can go to every node if m.Least([taint.Hard]) is not [NotTolerated], and no taint evicts
// it if m.Least([taint.Evicting]) is [Forever].
func (m *Meaning) Least(effects taint.EffectSet) Level {
	least := Forever
	for i, e := range columnEffects {
		if effects.Has(e) {
			least = min(least, m.columns[i].low[0].level, m.columns[i].low[1].level)
		}
	}
	return least
}

// Allows reports whether each taint that t tolerates has by m the same level or a greater
// one, so that t is on the whitelist m. If not, it returns a taint that has not, a valid one
// if there is any. Of a toleration that is not valid, it returns false and no taint. It
// allocates only for a taint that it returns.
func (m *Meaning) Allows(t *Toleration) (witness taint.Taint, ok bool) {
	if t.faults() != nil {
		return taint.Taint{}, false
	}
	for _, valid := range [...]bool{true, false} {
		for i, e := range columnEffects {
			if t.Effect != "" && t.Effect != e || valid && e == "" {
				continue
			}
			for _, negative := range [...]bool{false, true} {
				if valid == negative && e != "" {
					continue
				}
				if key, value, found := m.columns[i].below(t, t.level(e), negative); found {
					return taint.Taint{Key: key, Value: value, Effect: e}, false
				}
			}
		}
	}
	return taint.Taint{}, true
}

// levels is a column of levels, and what is least in it: of the values that valid taints can
// have and, second, of negative ones.
type levels struct {
	column[Level]
	low  [2]low
	lows []rowLows // of the rows
}

// low is a least level, and a taint that has it.
type low struct {
	level      Level
	key, value string
}

// rowLows is what is least in a row. Up and down have for each run the index of the one with
// the least level from it on, or up to it: among those that are negative, or those that are not.
type rowLows struct {
	low      [2]low
	up, down []int
}

func newLevels(c column[Level]) levels {
	l := levels{column: c}
	fresh := keysOf(&l, &levels{})[len(c.rows)]
	l.low = [2]low{{c.rest, fresh, ""}, {c.rest, fresh, "-1"}}
	for i := range c.rows {
		lows := newRowLows(&c.rows[i])
		l.lows = append(l.lows, lows)
		for sign := range l.low {
			l.low[sign].lower(lows.low[sign])
		}
	}
	return l
}

func (l *low) lower(other low) {
	if other.level < l.level {
		*l = other
	}
}

func newRowLows(r *row[Level]) (lows rowLows) {
	fresh := valuesOf(r, &row[Level]{}, true, false)[len(r.words)]
	lows.low = [2]low{{r.rest, r.key, fresh}, {r.at("-1"), r.key, "-1"}}
	for _, w := range r.words {
		lows.low[0].lower(low{w.is, r.key, w.value})
	}
	n, zero := len(r.runs), r.run(0)
	lows.up, lows.down = make([]int, n), make([]int, n)
	least := func(i, j int) int {
		if r.runs[j].is < r.runs[i].is {
			return j
		}
		return i
	}
	for i := range n {
		sign := 0
		if i < zero {
			sign = 1
		}
		lows.low[sign].lower(low{r.runs[i].is, r.key, strconv.FormatInt(r.runs[i].value, 10)})
		if lows.down[i] = i; i != 0 && i != zero {
			lows.down[i] = least(i, lows.down[i-1])
		}
		if i := n - 1 - i; i == n-1 || i == zero-1 {
			lows.up[i] = i
		} else {
			lows.up[i] = least(i, lows.up[i+1])
		}
	}
	return lows
}

// below returns the key and a value of a taint that t matches and whose level is below the
// given one, and whether there is one: negative, or what valid taints can have.
func (c *levels) below(t *Toleration, level Level, negative bool) (key, value string, found bool) {
	sign, lo, hi := 0, int64(0), int64(math.MaxInt64)
	if negative {
		sign, lo, hi = 1, math.MinInt64, -1
	}
	if t.Key == "" {
		l := &c.low[sign]
		return l.key, l.value, l.level < level
	}
	r, at := c.row(t.Key)
	v := t.Values()
	from, to, integers := v.integers()
	switch {
	case v.Kind == NoValue:
		return "", "", false
	case v.Kind == EveryValue && at < len(c.rows) && c.rows[at].key == t.Key:
		l := &c.lows[at].low[sign]
		return l.key, l.value, l.level < level
	case !integers: // a word, or the values of a key without a row
		return t.Key, t.Value, !negative && r.at(t.Value) < level
	}
	if lo, hi = max(lo, from), min(hi, to); lo > hi {
		return "", "", false
	}
	if r.runs == nil {
		if r.rest < level {
			return t.Key, strconv.FormatInt(lo, 10), true
		}
		return "", "", false
	}
	i := r.run(lo)
	switch lows := &c.lows[at]; {
	case from == to:
	case to == math.MaxInt64: // to the end of the sign's integers
		i = lows.up[i]
	default:
		i = lows.down[r.run(hi)]
	}
	if r.runs[i].is < level {
		return t.Key, strconv.FormatInt(max(lo, r.runs[i].value), 10), true
	}
	return "", "", false
}

// keysOf returns the keys with a row in a or b, in ascending order, and then one without.
func keysOf(a, b *levels) []string {
	keys := make([]string, 0, len(a.rows)+len(b.rows)+1)
	for _, c := range [...]*levels{a, b} {
		for i := range c.rows {
			keys = append(keys, c.rows[i].key)
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return append(keys, newName("key", keys))
}

// valuesOf returns a value of each kind that r or s tells apart: those that valid taints can
// have, negative ones, or both.
func valuesOf(r, s *row[Level], valid, negative bool) []string {
	var words []string
	var starts []int64
	for _, r := range [...]*row[Level]{r, s} {
		for _, w := range r.words {
			words = append(words, w.value)
		}
		for _, n := range r.runs {
			if n.value >= 0 && valid || n.value < 0 && negative {
				starts = append(starts, n.value)
			}
		}
	}
	slices.Sort(words)
	slices.Sort(starts)
	words = slices.Compact(words)
	words = append(words, newName("", words))
	if !valid {
		words = nil
	}
	for _, n := range slices.Compact(starts) {
		words = append(words, strconv.FormatInt(n, 10))
	}
	return words
}

// newName returns the first of name, x-1, x-2 and so on that is not among the sorted.
func newName(name string, taken []string) string {
	for i := 1; ; i++ {
		if _, found := slices.BinarySearch(taken, name); !found {
			return name
		}
		name = "x-" + strconv.Itoa(i)
	}
}

package toleration

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

var knownEffects = [...]taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}

// minus returns a taint that is in s and not in other, a valid one if so asked.
//
// In a cell for any key or effect, it looks for one with a key or an effect that
// other does not name, because there other holds least. The empty ones are such,
// but not valid.
func (s Set) minus(other Set, valid bool) (x taint.Taint, found bool, steps int) {
	for i := range s.cells {
		c := &s.cells[i]
		if !valid {
			if x, found = c.minus(other, c.effect, false, &steps); found {
				return x, true, steps
			}
			continue
		}
		if !c.validKey() {
			continue
		}
		for _, effect := range knownEffects {
			if c.effect != "" && c.effect != effect {
				continue
			}
			if x, found = c.minus(other, effect, true, &steps); found {
				x.Key = other.validKey(x.Key)
				return x, true, steps
			}
		}
	}
	return taint.Taint{}, false, steps
}

// minus returns a taint with the given effect that is in c and not in other.
func (c *cell) minus(other Set, effect taint.Effect, valid bool, steps *int) (x taint.Taint, found bool) {
	l := other.at(c.key, effect)
	value, found := c.outside(&l, valid)
	*steps += 1 + len(c.words) + l.steps
	return taint.Taint{Key: c.key, Value: value, Effect: effect}, found
}

// validKey reports whether a valid taint can have the key of c.
func (c *cell) validKey() bool {
	return c.key == "" || taint.CheckKey(c.key) == nil
}

// validKey returns key or, if it is empty, a valid one that s does not name.
func (s Set) validKey(key string) string {
	if key != "" {
		return key
	}
	return newName("key", "key-", s.names)
}

// newName returns the first of name, prefix1, prefix2 and so on that is not
// taken.
func newName(name, prefix string, taken func(string) bool) string {
	for i := 1; taken(name); i++ {
		name = prefix + strconv.Itoa(i)
	}
	return name
}

// names reports whether s has a cell for key.
func (s Set) names(key string) bool {
	i, _ := slices.BinarySearchFunc(s.cells, key, func(c cell, key string) int {
		return strings.Compare(c.key, key)
	})
	return i < len(s.cells) && s.cells[i].key == key
}

// outside returns a value that c has and l has not, a valid one if so asked.
func (c *cell) outside(l *layers, valid bool) (value string, found bool) {
	switch {
	case l.every():
		return "", false
	case c.every:
		return l.newWord(), true
	}
	for _, w := range c.words {
		if (!valid || taint.CheckValue(w) == nil) && !l.word(w) {
			return w, true
		}
	}
	for _, r := range c.runs {
		if r, ok := r.clip(valid); ok {
			if n, found := l.firstGap(r); found {
				return strconv.FormatInt(n, 10), true
			}
		}
	}
	return "", false
}

// newWord returns a valid value that l does not have, which must not have every
// value. It is no integer.
func (l *layers) newWord() string {
	return newName("", "value-", l.word)
}

// clip returns the integers of r that can be the value of a valid taint if so
// asked, or else all; and whether there are any. A label value cannot be
// negative.
func (r run) clip(valid bool) (run, bool) {
	if valid {
		r.lo = max(r.lo, 0)
	}
	return r, r.lo <= r.hi
}

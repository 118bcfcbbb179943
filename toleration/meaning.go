package toleration

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// Meaning is what a valid list of tolerations means: for each taint its [Level], that is,
// whether the list tolerates it and for how long. Lists with equal meanings give the same
// answers for every node, whatever their order, length and wording.
//
// The zero Meaning is that of the empty list. A Meaning does not change: it may be copied,
// which shares memory, and used concurrently. It retains the strings of the list and takes
// memory proportional to its length. Compare with [Meaning.Equal] or by [Meaning.Signature].
//
// With n as the length of the list, or the sum for two, [Meaning.Level] and [Meaning.Allows]
// take log n steps and all else n log n, whatever the list.
type Meaning struct {
	columns [len(columnEffects)]column // a nil one tolerates nothing
}

// columnEffects has the effect of each column. The empty one is for all unknown effects,
// which only tolerations without an effect match.
var columnEffects = [...]taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, ""}

// Level is how long a list tolerates a taint: [NotTolerated], for some seconds, or
// [Forever]. Levels are ordered; the zero Level is NotTolerated. Only taints with NoExecute
// have seconds. Zero and negative seconds are the same, and so are all beyond the longest
// [time.Duration] (rules E2, E3).
type Level uint64

const (
	NotTolerated Level = 0
	Forever      Level = math.MaxUint64
)

// maxSeconds are the most seconds that are told apart.
const maxSeconds = math.MaxInt64/int64(time.Second) + 1

// Delay returns whether a NoExecute taint with that level evicts the pod, and after what
// time (rules E1 to E3). After is zero if it does not.
func (l Level) Delay() (after time.Duration, evicted bool) {
	switch {
	case l == Forever:
		return 0, false
	case l > Level(maxSeconds): // one more than the seconds
		return math.MaxInt64, true
	}
	return time.Duration(max(l, 1)-1) * time.Second, true
}

// String returns "not tolerated", "tolerated forever" or a text such as "tolerated for 30s".
func (l Level) String() string {
	switch l {
	case NotTolerated:
		return "not tolerated"
	case Forever:
		return "tolerated forever"
	}
	after, _ := l.Delay()
	return "tolerated for " + after.String()
}

// level returns the level that t gives to taints with the effect that it matches.
func (t *Toleration) level(e taint.Effect) Level {
	if e != taint.NoExecute || t.TolerationSeconds == nil {
		return Forever
	}
	return 1 + Level(min(max(0, *t.TolerationSeconds), maxSeconds))
}

// NewMeaning returns the meaning of a list under Kubernetes' rule: for each taint the first
// toleration that matches it counts (rule E2). Gt and Lt count; for a default cluster pass
// the list of [Rules.Active]. A nil list is an empty one. A list that is not valid for
// Rules{Comparisons: true} is an error, that of [Rules.Validate].
func NewMeaning(list []Toleration) (*Meaning, error) {
	return newMeaning(list, list)
}

// NewLenientMeaning is like [NewMeaning], except that for each taint the matching
// toleration with the most seconds counts. It is the meaning of a whitelist.
func NewLenientMeaning(list []Toleration) (*Meaning, error) {
	ordered := slices.Clone(list)
	slices.SortStableFunc(ordered, func(t, u Toleration) int {
		return cmp.Compare(u.level(taint.NoExecute), t.level(taint.NoExecute))
	})
	return newMeaning(list, ordered)
}

// newMeaning returns the meaning of a list in the order that counts.
func newMeaning(list, ordered []Toleration) (*Meaning, error) {
	if err := (Rules{Comparisons: true}).Validate(list); err != nil {
		return nil, err
	}
	m := new(Meaning)
	first := firstsOf(ordered)
	for i, e := range columnEffects {
		m.columns[i] = newColumn(atomsOf(ordered, e), func(a atom) Level {
			if p := first[i].of(a); p != none {
				return ordered[p].level(e)
			}
			return NotTolerated
		})
	}
	return m, nil
}

// Level returns the level of x, which need not be valid.
func (m *Meaning) Level(x *taint.Taint) Level {
	i := 0
	for i < len(columnEffects)-1 && columnEffects[i] != x.Effect {
		i++
	}
	c := m.column(i)
	return c[c.find(x.Key, x.Value)].level
}

// column has the levels of the taints with one effect: at least one entry, in the order of
// the atoms. The first is for all keys without an entry; the first of a key is for the values
// without one. Columns that give all taints the same levels are equal.
type column []entry

type entry struct {
	atom
	level Level
	other string // of the first entries: a value without an entry, or a key
	// The index of an entry with the least level: of those from this one to the last of the
	// key, and of the integers up to this one. First of all is that of the column.
	least, leastUpTo int
}

var nothing = newColumn([]atom{{}}, func(atom) Level { return NotTolerated })

func (m *Meaning) column(i int) column {
	if m.columns[i] == nil {
		return nothing
	}
	return m.columns[i]
}

// find returns the index of the entry for a key and a value.
func (c column) find(key, value string) int {
	if n, ok := parseInteger(value); ok {
		return c.index(atom{key: key, kind: integers, n: n})
	}
	return c.index(atom{key: key, kind: oneWord, word: value})
}

// index returns the index of the entry for a.
func (c column) index(a atom) int {
	i, found := c.search(a)
	switch {
	case found:
		return i
	case a.kind == integers && c[i-1].kind == integers && c[i-1].key == a.key:
		return i - 1
	case a.kind != otherValues:
		return c.index(atom{key: a.key})
	}
	return 0
}

func (c column) search(a atom) (index int, found bool) {
	return slices.BinarySearchFunc(c, a, func(e entry, a atom) int { return e.compare(a) })
}

// newColumn makes a column of sorted atoms, of which the first is the zero atom.
func newColumn(atoms []atom, level func(atom) Level) (c column) {
	first := 0 // the index of the first entry of the key
	for _, a := range atoms {
		if a.kind == otherValues {
			c = c.trim(first)
			first = len(c)
		}
		e := entry{atom: a, level: level(a)}
		switch last := len(c) - 1; {
		case a.kind == oneWord && c[first].level == e.level:
		case a.kind == integers && c[last].kind == integers && c[last].level == e.level:
		default:
			c = append(c, e)
		}
	}
	c = c.trim(first)
	c.finish()
	return c
}

// trim drops entries of the last key that say what others say.
func (c column) trim(first int) column {
	if last := len(c) - 1; last > first && c[last].n == math.MinInt64 && c[last].level == c[first].level {
		c = c[:last]
	}
	if last := len(c) - 1; last > 0 && last == first && c[first].level == c[0].level {
		c = c[:last]
	}
	return c
}

// finish sets the fields that follow from the others. Of equal levels the first is taken, but
// of integers the last, because no valid taint has a negative value.
func (c column) finish() {
	c.nameOthers()
	for i := len(c) - 1; i >= 0; i-- {
		e := &c[i]
		e.least, e.leastUpTo = i, i
		if i+1 == len(c) || c[i+1].key != e.key {
			continue
		}
		if next := c[i+1].least; c[next].level < e.level || c[next].level == e.level && e.kind == integers {
			e.least = next
		}
	}
	for i := range c {
		e := &c[i]
		if least := c[0].least; e.kind == otherValues {
			if _, hi := c.integers(least); c[e.least].level < c[least].level || c[e.least].level == c[least].level && hi < 0 {
				c[0].least = e.least
			}
		}
		if e.kind == integers && c[i-1].kind == integers && c[c[i-1].leastUpTo].level < e.level {
			e.leastUpTo = c[i-1].leastUpTo
		}
	}
}

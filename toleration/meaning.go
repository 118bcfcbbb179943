package toleration

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
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
// With n as the length of the list, or the sum for two, [Meaning.Level], [Meaning.Allows]
// and [Meaning.Least] take log n steps and all else n log n, whatever the list.
type Meaning struct {
	columns [len(columnEffects)]levels
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

// NewLenientMeaning is like [NewMeaning], except that for each taint the toleration with the
// most seconds counts, of those that match it. It is the meaning of a whitelist.
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
	for i, e := range columnEffects {
		firsts := newFirsts(ordered, e)
		m.columns[i] = newLevels(firsts.levels(func(first int) Level {
			if first == none {
				return NotTolerated
			}
			return ordered[first].level(e)
		}))
	}
	return m, nil
}

// Level returns the level of x, which need not be valid. It does not allocate.
func (m *Meaning) Level(x *taint.Taint) Level {
	c := &m.columns[0]
	switch x.Effect {
	case taint.NoSchedule:
	case taint.PreferNoSchedule:
		c = &m.columns[1]
	case taint.NoExecute:
		c = &m.columns[2]
	default:
		c = &m.columns[3]
	}
	r, _ := c.row(x.Key)
	return r.at(x.Value)
}

// column says something of each taint with an effect: either the position in the list of the
// first toleration that matches it, or its level.
type column[L comparable] struct {
	rest L        // for keys without a row
	rows []row[L] // by key
}

// row is about the taints with one key.
type row[L comparable] struct {
	key   string
	rest  L               // for values that are neither words nor in runs
	words []is[string, L] // ascending; none is an integer
	runs  []is[int64, L]  // from each value up to the next; nil, or from MinInt64 and cut at 0: only from there on are values valid
}

type is[V cmp.Ordered, L comparable] struct {
	value V
	is    L
}

func compareValue[V cmp.Ordered, L comparable](a is[V, L], v V) int { return cmp.Compare(a.value, v) }

// row returns the row for key, and the number of those before it.
func (c *column[L]) row(key string) (r row[L], index int) {
	i, found := slices.BinarySearchFunc(c.rows, key, func(r row[L], key string) int { return strings.Compare(r.key, key) })
	if !found {
		return row[L]{key: key, rest: c.rest}, i
	}
	return c.rows[i], i
}

func (r *row[L]) at(value string) L {
	if n, ok := parseInteger(value); ok {
		if r.runs == nil {
			return r.rest
		}
		return r.runs[r.run(n)].is
	}
	if i, found := slices.BinarySearchFunc(r.words, value, compareValue[string, L]); found {
		return r.words[i].is
	}
	return r.rest
}

// run returns the index of the run that has n.
func (r *row[L]) run(n int64) int {
	i, found := slices.BinarySearchFunc(r.runs, n, compareValue[int64, L])
	if !found {
		i--
	}
	return i
}

// none is the position of no toleration. It is after all others.
const none = math.MaxInt

// newFirsts returns for the taints with an effect which toleration of a valid list is the
// first to match them. It has a row for each key that the list names, and in it each value.
func newFirsts(list []Toleration, e taint.Effect) column[int] {
	c := column[int]{rest: none}
	byKey := make(map[string][]int)
	for i := range list {
		switch t := &list[i]; {
		case t.Effect != "" && t.Effect != e:
		case t.Key == "": // with Exists
			c.rest = min(c.rest, i)
		default:
			byKey[t.Key] = append(byKey[t.Key], i)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		c.rows = append(c.rows, newRow(key, list, byKey[key], c.rest))
	}
	return c
}

// newRow is about a key, for which the list has tolerations at the positions of own.
func newRow(key string, list []Toleration, own []int, rest int) row[int] {
	r := row[int]{key: key, rest: rest}
	words := make(map[string]int)
	var starts []int64
	for _, p := range own {
		v := list[p].Values()
		if lo, hi, ok := v.integers(); ok {
			starts = append(starts, lo)
			if hi < math.MaxInt64 {
				starts = append(starts, hi+1)
			}
		} else if _, seen := words[v.Value]; !seen && v.Kind == OneValue {
			words[v.Value] = p
		} else if v.Kind == EveryValue {
			r.rest = min(r.rest, p)
		}
	}
	for _, w := range slices.Sorted(maps.Keys(words)) {
		r.words = append(r.words, is[string, int]{w, min(words[w], r.rest)})
	}
	if starts != nil {
		r.runs = newRuns(list, own, append(starts, math.MinInt64, 0), r.rest)
	}
	return r
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

// newRuns returns the runs between starts, at which alone something changes. The first to
// match a run is the first of those that match it alone, of those up to the end of the range
// that start there or before, and of those from the beginning that end there or later.
func newRuns(list []Toleration, own []int, starts []int64, rest int) []is[int64, int] {
	slices.Sort(starts)
	var r row[int]
	for _, lo := range slices.Compact(starts) {
		r.runs = append(r.runs, is[int64, int]{lo, rest})
	}
	up, down := slices.Repeat([]int{none}, len(r.runs)), slices.Repeat([]int{none}, len(r.runs))
	for _, p := range own {
		v := list[p].Values()
		lo, hi, ok := v.integers()
		switch {
		case !ok:
		case lo == hi:
			first := &r.runs[r.run(lo)].is
			*first = min(*first, p)
		case hi == math.MaxInt64:
			first := &up[r.run(lo)]
			*first = min(*first, p)
		default:
			first := &down[r.run(hi)]
			*first = min(*first, p)
		}
	}
	for i, last := 1, len(r.runs)-1; i <= last; i++ {
		up[i] = min(up[i], up[i-1])
		down[last-i] = min(down[last-i], down[last-i+1])
	}
	for i := range r.runs {
		r.runs[i].is = min(r.runs[i].is, up[i], down[i])
	}
	return r.runs
}

// levels returns the levels of the taints with the effect. Equal levels of different lists
// have equal representations.
func (c *column[L]) levels(level func(L) Level) column[Level] {
	of := column[Level]{rest: level(c.rest)}
	for i := range c.rows {
		r := &c.rows[i]
		s := row[Level]{key: r.key, rest: level(r.rest)}
		for _, w := range r.words {
			if l := level(w.is); l != s.rest {
				s.words = append(s.words, is[string, Level]{w.value, l})
			}
		}
		flat := true
		for _, n := range r.runs {
			l := level(n.is)
			flat = flat && l == s.rest
			if last := len(s.runs) - 1; last < 0 || n.value == 0 || s.runs[last].is != l {
				s.runs = append(s.runs, is[int64, Level]{n.value, l})
			}
		}
		if flat {
			s.runs = nil
		}
		if s.rest != of.rest || s.words != nil || s.runs != nil {
			of.rows = append(of.rows, s)
		}
	}
	return of
}

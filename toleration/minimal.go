package toleration

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// Redundancy says whether a toleration makes a difference to the meaning of its list.
type Redundancy uint8

const (
	Needed    Redundancy = iota // without it, the meaning changes
	Shadowed                    // it never counts: those before it match all of its taints
	Repeated                    // where it counts, later ones give the same levels
	Entangled                   // it is redundant only without other redundant ones after it
)

// Redundant returns for each toleration of the list whether it makes a difference to the
// meaning of the list. All that are not Needed can be left out together. So can all that are
// Shadowed or Repeated, and each of these alone. An Entangled one can be left out together
// with all after it that are not Needed. The error is that of [NewMeaning].
func Redundant(list []Toleration) ([]Redundancy, error) {
	if err := (Rules{Comparisons: true}).Validate(list); err != nil {
		return nil, err
	}
	return redundant(list), nil
}

// Merge appends to dst those tolerations of a list that are [Needed], in their order, and
// returns the extended slice: a list with the same meaning, which each toleration makes a
// difference to. The error is that of [NewMeaning]; dst is then returned as it was.
//
// dst may be list[:0], which edits the list in place; it must not overlap the list in any
// other way. The result shares TolerationSeconds with the list.
func Merge(dst, list []Toleration) ([]Toleration, error) {
	redundancy, err := Redundant(list)
	for i, kind := range redundancy {
		if kind == Needed {
			dst = append(dst, list[i])
		}
	}
	return dst, err
}

// atom is a group of taints that every toleration of a list treats alike: with a value of one
// kind, and a key, which is empty for those that no toleration names.
type atom struct {
	column int
	key    string
	kind   ValuesKind // OneValue, or NoValue for values that no toleration names
	value  string
	n      int64 // the integer, with IntegersAbove
}

// redundant is Redundant for a valid list.
//
// It decides from the last to the first. A toleration is redundant if, for each atom of which
// it is the first match, the next one of those that are kept gives the same level. Each step
// leaves a list with the same meaning, and what is kept stays needed, because the list after
// it does not change. It is also redundant alone if the next one of all does too, and
// together with other such ones if the next one of what they leave does.
func redundant(list []Toleration) []Redundancy {
	result, atoms := make([]Redundancy, len(list)), atomsOf(list)
	needed, all, without := newLater(), newLater(), newLater()
	for i := len(list) - 1; i >= 0; i-- {
		repeated := func(l *later) bool {
			return !slices.ContainsFunc(atoms[i], func(a atom) bool {
				next, e := l.first(&a), columnEffects[a.column]
				return next == none || list[next].level(e) != list[i].level(e)
			})
		}
		switch {
		case !repeated(needed):
			needed.add(&list[i], i)
		case atoms[i] == nil:
			result[i] = Shadowed
		case repeated(all) && repeated(without):
			result[i] = Repeated
		default:
			result[i] = Entangled
		}
		if all.add(&list[i], i); result[i] == Needed || result[i] == Entangled {
			without.add(&list[i], i)
		}
	}
	return result
}

// atomsOf returns for each toleration the atoms of which it is the first match.
func atomsOf(list []Toleration) [][]atom {
	atoms := make([][]atom, len(list))
	for column, e := range columnEffects {
		add := func(first int, a atom) {
			if a.column = column; first != none {
				atoms[first] = append(atoms[first], a)
			}
		}
		c := newFirsts(list, e)
		add(c.rest, atom{})
		for i := range c.rows {
			r := &c.rows[i]
			add(r.rest, atom{key: r.key})
			for _, w := range r.words {
				add(w.is, atom{key: r.key, kind: OneValue, value: w.value})
			}
			for _, n := range r.runs {
				add(n.is, atom{key: r.key, kind: IntegersAbove, value: strconv.FormatInt(n.value, 10), n: n.value})
			}
		}
	}
	return atoms
}

// later finds the first match among the tolerations that were added to it, in descending
// order of their positions.
type later struct {
	same         map[atom]int     // those that match one value or, without a kind, every value
	above, below map[atom][]bound // those that match many integers, by column and key
}

// bound is the least integer that the toleration at a position matches, or the greatest. In a
// list of bounds each was added after the one before it and matches less: one that matches no
// more than another that was added later is never the first.
type bound struct {
	n        int64
	position int
}

func newLater() *later {
	return &later{make(map[atom]int), make(map[atom][]bound), make(map[atom][]bound)}
}

func (l *later) add(t *Toleration, position int) {
	v := t.Values()
	lo, hi, integers := v.integers()
	for column, e := range columnEffects {
		if t.Effect != "" && t.Effect != e {
			continue
		}
		a := atom{column: column, key: t.Key}
		switch {
		case v.Kind == EveryValue:
			l.same[a] = position
		case v.Kind == OneValue:
			a.kind, a.value = OneValue, v.Value
			l.same[a] = position
		case !integers: // it matches nothing
		case hi == math.MaxInt64:
			l.above[a] = append(prefix(l.above[a], func(n int64) bool { return n < lo }), bound{lo, position})
		default:
			l.below[a] = append(prefix(l.below[a], func(n int64) bool { return n > hi }), bound{hi, position})
		}
	}
}

// first returns the position of the first that matches a, or none.
func (l *later) first(a *atom) int {
	first := none
	for _, b := range [...]atom{{column: a.column}, {column: a.column, key: a.key}, {column: a.column, key: a.key, kind: OneValue, value: a.value}} {
		if position, found := l.same[b]; found && (b.kind == NoValue || a.kind != NoValue) {
			first = min(first, position)
		}
	}
	if a.kind != IntegersAbove {
		return first
	}
	key := atom{column: a.column, key: a.key}
	for _, bounds := range [...][]bound{
		prefix(l.above[key], func(n int64) bool { return n <= a.n }),
		prefix(l.below[key], func(n int64) bool { return n >= a.n }),
	} {
		if len(bounds) > 0 {
			first = min(first, bounds[len(bounds)-1].position)
		}
	}
	return first
}

// prefix returns the bounds that is holds for, which come before the others.
func prefix(bounds []bound, is func(n int64) bool) []bound {
	n, _ := slices.BinarySearchFunc(bounds, true, func(b bound, _ bool) int {
		if is(b.n) {
			return -1
		}
		return 1
	})
	return bounds[:n]
}

// AppendTolerations appends to dst a list with the meaning m and returns the extended slice.
// Equal meanings give equal lists, and each toleration is needed. They are valid for a cluster
// with comparisons; operators are not empty. The list can use Gt and Lt only if a list with
// the meaning must, or if that names the greatest integers of the range as values.
//
// If m was restricted ([Meaning.Restrict]) to unknown effects without all known ones, no list
// has the meaning, and the unknown effects are left out.
func (m *Meaning) AppendTolerations(dst []Toleration) []Toleration {
	every, evicting := &m.columns[3].column, &m.columns[2].column
	if slices.ContainsFunc(m.columns[:3], func(l levels) bool { return l.rest == NotTolerated && l.rows == nil }) {
		every = new(column[Level])
	}
	wide := appendColumn(nil, every, "")
	forever := func(t Toleration) bool { _, ok := m.Allows(&t); return ok }
	var list []Toleration
	for _, t := range wide {
		if forever(t) {
			list = append(list, t)
		}
	}
	list = appendColumn(list, evicting, taint.NoExecute)
	list = append(list, slices.DeleteFunc(wide, forever)...)
	list = appendColumn(list, &m.columns[0].column, taint.NoSchedule)
	list = appendColumn(list, &m.columns[1].column, taint.PreferNoSchedule)
	for i, kind := range redundant(list) {
		if kind == Needed {
			dst = append(dst, list[i])
		}
	}
	return dst
}

// appendColumn appends tolerations with the effect that give the levels of c.
func appendColumn(dst []Toleration, c *column[Level], e taint.Effect) []Toleration {
	add := func(key string, operator Operator, value string, l Level) {
		t := Toleration{Key: key, Operator: operator, Value: value, Effect: e}
		if l != Forever {
			t.TolerationSeconds = new(int64(l - 1))
		}
		dst = append(dst, t)
	}
	for i := range c.rows {
		r := &c.rows[i]
		for _, w := range r.words {
			add(r.key, OpEqual, w.value, w.is)
		}
		eachRun(r, func(operator Operator, n int64, l Level) { add(r.key, operator, strconv.FormatInt(n, 10), l) })
		if r.rest != NotTolerated && r.rest != c.rest {
			add(r.key, OpExists, "", r.rest)
		}
	}
	if c.rest != NotTolerated {
		add("", OpExists, "", c.rest)
	}
	return dst
}

// stretch is the integers from lo to hi, and their level.
type stretch struct {
	lo, hi int64
	level  Level
}

// eachRun yields what tolerations must say, before one with Exists gives the rest, to give the
// integers of r their levels. Single integers come first. Of the stretches that are left, Lt
// takes some off the lower end and Gt off the upper end. What is between them has the level
// of the rest, or is not tolerated except for a few integers.
func eachRun(r *row[Level], yield func(o Operator, n int64, l Level)) {
	var left []stretch
	for _, s := range stretches(r) {
		if s.lo == s.hi && s.lo >= 0 && s.level != NotTolerated {
			yield(OpEqual, s.lo, s.level)
		} else if n := len(left); n > 0 && left[n-1].level == s.level {
			left[n-1].hi = s.hi
		} else {
			left = append(left, s)
		}
	}
	isRest := func(s stretch) bool { return s.level == r.rest }
	start := slices.IndexFunc(left, isRest)
	end := start + 1
	switch last := len(left) - 1; {
	case last < 0:
		return
	case last == 0 && start < 0:
		yield(OpLt, 0, left[0].level)
		yield(OpGt, -1, left[0].level)
		return
	case start < 0:
		start, end = last, last
	case r.rest == NotTolerated:
		for ; !isRest(left[last]); last-- {
		}
		end = last + 1
	}
	for _, s := range left[:start] {
		yield(OpLt, s.hi+1, s.level)
	}
	for _, s := range left[start:end] {
		for n := s.lo; !isRest(s) && n <= s.hi; n++ { // each is named in every list for this
			yield(OpEqual, n, s.level)
		}
	}
	for _, s := range slices.Backward(left[end:]) {
		yield(OpGt, s.lo-1, s.level)
	}
}

func stretches(r *row[Level]) (list []stretch) {
	for _, n := range r.runs {
		if last := len(list) - 1; last >= 0 && list[last].level == n.is {
			continue
		} else if last >= 0 {
			list[last].hi = n.value - 1
		}
		list = append(list, stretch{n.value, math.MaxInt64, n.is})
	}
	return list
}

// String returns the text of the list that [Meaning.AppendTolerations] appends; see
// [FormatList]. Equal meanings have equal texts.
func (m *Meaning) String() string { return FormatList(m.AppendTolerations(nil)) }

// AppendSignature appends a signature of m to dst and returns the extended slice. Two meanings
// have equal signatures if and only if they are equal. A signature is the same on every
// machine and in every release.
//
// It has a record for each of the effects NoSchedule, PreferNoSchedule and NoExecute, and one
// for all others. Numbers, except as noted, are unsigned variable-length integers of
// [encoding/binary]; a string is its length in bytes and then its bytes; a level is 0 for
// [NotTolerated], 1 for [Forever] and else the seconds plus 2. In a record are
//
//   - the level of the keys that are not in the record, and the number of those that are: the
//     ones of which some value has another level;
//   - for each of these, in ascending order, the key, the level of values that are neither
//     integers nor in the record, the number of words with another level and each with its
//     level, in ascending order;
//   - then the number of integers at which the level changes, in ascending order, and for each
//     its eight bytes, highest first, and the level from there on. It is zero if all integers
//     have the level of other values, and else the least 64-bit integer is the first.
func (m *Meaning) AppendSignature(dst []byte) []byte {
	for i := range m.columns {
		c := &m.columns[i]
		dst = binary.AppendUvarint(appendLevel(dst, c.rest), uint64(len(c.rows)))
		for j := range c.rows {
			r := &c.rows[j]
			dst = binary.AppendUvarint(appendLevel(appendString(dst, r.key), r.rest), uint64(len(r.words)))
			for _, w := range r.words {
				dst = appendLevel(appendString(dst, w.value), w.is)
			}
			changes := stretches(r)
			dst = binary.AppendUvarint(dst, uint64(len(changes)))
			for _, s := range changes {
				dst = appendLevel(binary.BigEndian.AppendUint64(dst, uint64(s.lo)), s.level)
			}
		}
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func appendLevel(dst []byte, l Level) []byte {
	switch l {
	case NotTolerated:
		return append(dst, 0)
	case Forever:
		return append(dst, 1)
	}
	return binary.AppendUvarint(dst, uint64(l)+1)
}

// Signature returns what [Meaning.AppendSignature] appends as a string, for use as a map key.
func (m *Meaning) Signature() string { return string(m.AppendSignature(nil)) }

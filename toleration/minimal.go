package toleration

import (
	"encoding/binary"
	"iter"
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

// redundant is Redundant for a valid list.
//
// It decides from the last to the first. A toleration is redundant if, for each atom of which
// it is the first match, the next one of those that are kept gives the same level. Each step
// leaves a list with the same meaning, and what is kept stays needed, because the list after
// it does not change. It is also redundant alone if the next one of all does too, and
// together with other such ones if the next one of what they leave does.
func redundant(list []Toleration) []Redundancy {
	result, claims := make([]Redundancy, len(list)), claimsOf(list)
	needed, all, without := newLater(), newLater(), newLater()
	for i := len(list) - 1; i >= 0; i-- {
		repeated := func(l later) bool {
			return !slices.ContainsFunc(claims[i], func(c claim) bool {
				next, e := l[c.column].of(c.atom), columnEffects[c.column]
				return next == none || list[next].level(e) != list[i].level(e)
			})
		}
		switch {
		case !repeated(needed):
			needed.add(&list[i], i)
		case claims[i] == nil:
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

// claim is an atom of a column.
type claim struct {
	column int
	atom
}

// claimsOf returns for each toleration the atoms of which it is the first match.
func claimsOf(list []Toleration) [][]claim {
	claims := make([][]claim, len(list))
	first := newLater()
	for i := len(list) - 1; i >= 0; i-- {
		first.add(&list[i], i)
	}
	for column, e := range columnEffects {
		for _, a := range atomsOf(list, e) {
			if i := first[column].of(a); i != none {
				claims[i] = append(claims[i], claim{column, a})
			}
		}
	}
	return claims
}

// later are tolerations, added from the last to the first, for each effect.
type later [len(columnEffects)]*firsts

func newLater() (l later) {
	for i, e := range columnEffects {
		l[i] = newFirsts(e)
	}
	return l
}

func (l *later) add(t *Toleration, position int) {
	for _, f := range l {
		f.add(t, position)
	}
}

// AppendTolerations appends to dst a list with the meaning m and returns the extended slice.
// Equal meanings give equal lists, and each toleration is needed. They are valid for a cluster
// with comparisons; operators are not empty. The list can use Gt and Lt only if a list with
// the meaning must, or if that names the greatest integers of the range as values.
//
// If m was restricted ([Meaning.Restrict]) to unknown effects without all known ones, no list
// has the meaning, and the unknown effects are left out.
func (m *Meaning) AppendTolerations(dst []Toleration) []Toleration {
	every := m.column(3)
	if slices.ContainsFunc(m.columns[:3], func(c column) bool { return c == nil || len(c) == 1 && c[0].level == NotTolerated }) {
		every = nothing
	}
	wide := every.appendTo(nil, "")
	forever := func(t Toleration) bool { _, ok := m.Allows(&t); return ok }
	var list []Toleration
	for _, t := range wide {
		if forever(t) {
			list = append(list, t)
		}
	}
	list = m.column(2).appendTo(list, taint.NoExecute)
	list = append(list, slices.DeleteFunc(wide, forever)...)
	list = m.column(0).appendTo(list, taint.NoSchedule)
	list = m.column(1).appendTo(list, taint.PreferNoSchedule)
	for i, kind := range redundant(list) {
		if kind == Needed {
			dst = append(dst, list[i])
		}
	}
	return dst
}

// appendTo appends tolerations with the effect that give the levels of c.
func (c column) appendTo(dst []Toleration, e taint.Effect) []Toleration {
	add := func(key string, operator Operator, value string, l Level) {
		t := Toleration{Key: key, Operator: operator, Value: value, Effect: e}
		if l != Forever {
			t.TolerationSeconds = new(int64(l - 1))
		}
		dst = append(dst, t)
	}
	for of := range c.keys() {
		words, numbers := of.split()
		for _, w := range words {
			add(w.key, OpEqual, w.word, w.level)
		}
		eachRun(numbers, of[0].level, func(operator Operator, n int64, l Level) {
			add(of[0].key, operator, strconv.FormatInt(n, 10), l)
		})
		if l := of[0].level; l != NotTolerated && l != c[0].level {
			add(of[0].key, OpExists, "", l)
		}
	}
	if c[0].level != NotTolerated {
		add("", OpExists, "", c[0].level)
	}
	return dst
}

// keys iterates over the entries of each key.
func (c column) keys() iter.Seq[column] {
	return func(yield func(column) bool) {
		for start, end := 1, 1; start < len(c); start = end {
			for end < len(c) && c[end].key == c[start].key {
				end++
			}
			if !yield(c[start:end]) {
				return
			}
		}
	}
}

// split returns what follows the first entry of a key.
func (c column) split() (words, numbers column) {
	i := 1
	for i < len(c) && c[i].kind == oneWord {
		i++
	}
	return c[1:i], c[i:]
}

// stretch is the integers from lo to hi, and their level.
type stretch struct {
	lo, hi int64
	level  Level
}

// eachRun yields what tolerations must say, before one with Exists gives the rest, to give the
// integers their levels. Single integers come first. Of the stretches that are left, Lt
// takes some off the lower end and Gt off the upper end. What is between them has the level
// of the rest, or is not tolerated except for a few integers.
func eachRun(numbers column, rest Level, yield func(o Operator, n int64, l Level)) {
	var left []stretch
	for i := range numbers {
		lo, hi := numbers.integers(i)
		if s := (stretch{lo, hi, numbers[i].level}); s.lo == s.hi && s.lo >= 0 && s.level != NotTolerated {
			yield(OpEqual, s.lo, s.level)
		} else if n := len(left); n > 0 && left[n-1].level == s.level {
			left[n-1].hi = s.hi
		} else {
			left = append(left, s)
		}
	}
	isRest := func(s stretch) bool { return s.level == rest }
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
	case rest == NotTolerated:
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
		c := m.column(i)
		dst = binary.AppendUvarint(appendLevel(dst, c[0].level), uint64(len(slices.Collect(c.keys()))))
		for of := range c.keys() {
			words, numbers := of.split()
			dst = binary.AppendUvarint(appendLevel(appendString(dst, of[0].key), of[0].level), uint64(len(words)))
			for _, w := range words {
				dst = appendLevel(appendString(dst, w.word), w.level)
			}
			dst = binary.AppendUvarint(dst, uint64(len(numbers)))
			for _, n := range numbers {
				dst = appendLevel(binary.BigEndian.AppendUint64(dst, uint64(n.n)), n.level)
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

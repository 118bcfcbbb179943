package toleration

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// Redundant returns which tolerations of a list make no difference to its meaning. All that
// are redundant can be left out together, and so can each with all redundant ones after it.
// Those that are also alone can each be left out without the others, or all together; the rest
// are redundant only without other redundant ones after them. A toleration that is shadowed is
// both, and never counts: those before it match all of its taints. The error is that of
// [NewMeaning].
func Redundant(list []Toleration) (redundant, alone, shadowed []bool, err error) {
	if err := (Rules{Comparisons: true}).Validate(list); err != nil {
		return nil, nil, nil, err
	}
	redundant, alone, shadowed = redundancy(list)
	return redundant, alone, shadowed, nil
}

// Minimize appends to dst the tolerations of a list that are not [Redundant], in their order,
// and returns the extended slice: a list with the same meaning, in which every
// toleration matters. The error is that of [NewMeaning]; dst is then returned as it was.
//
// dst may be list[:0], which edits the list in place; it must not overlap the list in any
// other way. The result shares TolerationSeconds with the list.
func Minimize(dst, list []Toleration) ([]Toleration, error) {
	redundant, _, _, err := Redundant(list)
	for i := range redundant {
		if !redundant[i] {
			dst = append(dst, list[i])
		}
	}
	return dst, err
}

// redundancy is Redundant for a valid list.
//
// It decides from the last to the first. A toleration is redundant if, for each atom of which
// it is the first match, the next one of those that are kept gives the same level. Each step
// leaves a list with the same meaning, and what is kept stays needed, because the list after
// it does not change. It is also redundant alone if the next one of all does too, and
// together with other such ones if the next one of what they leave does.
func redundancy(list []Toleration) (redundant, alone, shadowed []bool) {
	redundant, alone, shadowed = make([]bool, len(list)), make([]bool, len(list)), make([]bool, len(list))
	claims := claimsOf(list)
	needed, all, without := newFirsts(), newFirsts(), newFirsts()
	for i := len(list) - 1; i >= 0; i-- {
		repeated := func(l *firsts) bool {
			return !slices.ContainsFunc(claims[i], func(c claim) bool {
				next, e := l[c.column].of(c.atom), columnEffects[c.column]
				return next == none || list[next].level(e) != list[i].level(e)
			})
		}
		redundant[i], shadowed[i] = repeated(&needed), claims[i] == nil
		alone[i] = redundant[i] && repeated(&all) && repeated(&without)
		if all.add(&list[i], i); !redundant[i] {
			needed.add(&list[i], i)
		}
		if !alone[i] {
			without.add(&list[i], i)
		}
	}
	return redundant, alone, shadowed
}

// claim is an atom of a column.
type claim struct {
	column int
	atom
}

// claimsOf returns for each toleration the atoms of which it is the first match.
func claimsOf(list []Toleration) [][]claim {
	claims := make([][]claim, len(list))
	first := firstsOf(list)
	for column, e := range columnEffects {
		for _, a := range atomsOf(list, e) {
			if i := first[column].of(a); i != none {
				claims[i] = append(claims[i], claim{column, a})
			}
		}
	}
	return claims
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
	redundant, _, _ := redundancy(list)
	for i := range list {
		if !redundant[i] {
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
			seconds := int64(l - 1)
			t.TolerationSeconds = &seconds
		}
		dst = append(dst, t)
	}
	for i := 1; i < len(c); {
		rest := &c[i] // and then the words and integers of its key
		for i++; i < len(c) && c[i].kind == oneWord; i++ {
			add(c[i].key, OpEqual, c[i].word, c[i].level)
		}
		first := i
		for i < len(c) && c[i].kind == integers {
			i++
		}
		eachRun(c[first:i], rest.level, func(operator Operator, n int64, l Level) {
			add(rest.key, operator, strconv.FormatInt(n, 10), l)
		})
		if rest.level != NotTolerated && rest.level != c[0].level {
			add(rest.key, OpExists, "", rest.level)
		}
	}
	if c[0].level != NotTolerated {
		add("", OpExists, "", c[0].level)
	}
	return dst
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

// Signature returns bytes, for use as a map key: two meanings have equal signatures if and only
// if they are equal. A signature is the same on every machine and in every release.
//
// For each of the effects NoSchedule, PreferNoSchedule and NoExecute, and for all others, it
// has the number of entries and then the entries. The first is for all keys that have no
// entry, and empty. After the one of a key, for all values that have no entry, come the words
// with another level, and then the integers at which the level changes: none if all have that
// of the key, and else the least 64-bit integer is the first. All are in ascending order. An
// entry is 0 and the key, or 1 and the word, or 2 and the integer in eight bytes, highest first;
// and then its level: 0 for [NotTolerated], 1 for [Forever] and else the seconds plus 2. Numbers
// are unsigned variable-length integers of [encoding/binary]; a string is its length in bytes
// and then its bytes.
func (m *Meaning) Signature() string {
	var dst []byte
	for i := range m.columns {
		c := m.column(i)
		dst = binary.AppendUvarint(dst, uint64(len(c)))
		for j := range c {
			switch e := &c[j]; e.kind {
			case otherValues:
				dst = appendString(append(dst, 0), e.key)
			case oneWord:
				dst = appendString(append(dst, 1), e.word)
			case integers:
				dst = binary.BigEndian.AppendUint64(append(dst, 2), uint64(e.n))
			}
			switch l := c[j].level; l {
			case NotTolerated:
				dst = append(dst, 0)
			case Forever:
				dst = append(dst, 1)
			default:
				dst = binary.AppendUvarint(dst, uint64(l)+1)
			}
		}
	}
	return string(dst)
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

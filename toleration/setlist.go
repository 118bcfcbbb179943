package toleration

import (
	"encoding/binary"
	"math"
	"strconv"
)

// AppendTolerations appends to dst a list that tolerates exactly s and returns the
// extended slice. No list for s has fewer tolerations. Equal sets give equal
// lists: in order of the key, then the effect, an empty one first, and then of what
// is matched, first integers and then other values. Operators are never empty and
// TolerationSeconds are not set. If s was made of tolerations that are valid for a
// cluster with comparisons, so are these.
//
// Integers without a gap up to the end of the 64-bit range become one Gt or Lt. So
// the list can use these operators although the list that s was made of does not, but
// only if that names the two greatest or the two least integers of the range as
// values.
func (s Set) AppendTolerations(dst []Toleration) []Toleration {
	for i := range s.cells {
		dst = s.appendCell(dst, &s.cells[i])
	}
	return dst
}

func (s Set) appendCell(dst []Toleration, c *cell) []Toleration {
	t := Toleration{Key: c.key, Effect: c.effect, Operator: OpExists}
	if c.every {
		return append(dst, t)
	}
	wider := s.wider(c.key, c.effect)
	for _, r := range c.runs {
		dst = t.appendRun(dst, &wider, r)
	}
	t.Operator = OpEqual
	for _, t.Value = range c.words {
		dst = append(dst, t)
	}
	return dst
}

// appendRun appends the fewest tolerations, with the key and effect of t, whose
// values are in r and make up those of r that are not in wider.
//
// A Gt or Lt lies within r only if r reaches the end of the range. Then it takes
// in all of r, except if r is the whole range.
func (t Toleration) appendRun(dst []Toleration, wider *layers, r run) []Toleration {
	first, _ := wider.firstGap(r)
	last := wider.lastGap(r)
	up, down := r.hi == math.MaxInt64, r.lo == math.MinInt64
	switch {
	case first == last && first >= 0:
		return append(dst, t.with(OpEqual, first))
	case up && first > math.MinInt64:
		return append(dst, t.with(OpGt, first-1))
	case down && last < math.MaxInt64:
		return append(dst, t.with(OpLt, last+1))
	case up && down:
		return append(dst, t.with(OpLt, 0), t.with(OpGt, -1))
	}
	for {
		dst = append(dst, t.with(OpEqual, first))
		if first == last {
			return dst
		}
		first, _ = wider.firstGap(run{first + 1, last})
	}
}

func (t Toleration) with(operator Operator, n int64) Toleration {
	t.Operator, t.Value = operator, strconv.FormatInt(n, 10)
	return t
}

// entries returns entries of which newSet makes s again.
func (s Set) entries() []entry {
	var entries []entry
	for i := range s.cells {
		entries = s.cells[i].appendEntries(entries)
	}
	return entries
}

func (c *cell) appendEntries(dst []entry) []entry {
	if c.every {
		return append(dst, entry{c.key, c.effect, valueSet{kind: everyValue}})
	}
	for _, w := range c.words {
		dst = append(dst, entry{c.key, c.effect, valueSet{kind: oneWord, word: w}})
	}
	for _, r := range c.runs {
		dst = append(dst, entry{c.key, c.effect, valueSet{kind: integers, run: r}})
	}
	return dst
}

// String returns the text of the list that [Set.AppendTolerations] appends; see
// [FormatList]. Equal sets have equal texts. It is empty for the empty set.
func (s Set) String() string {
	return FormatList(s.AppendTolerations(nil))
}

// AppendSignature appends a signature of s to dst and returns the extended
// slice. Two sets have equal signatures if and only if they are equal. A
// signature is the same on every machine and in every release.
//
// It has a record for each toleration of [Set.AppendTolerations], in that order. A
// record is a byte for the operator ('*' for Exists, or '=', '<', '>') followed by
// the key, the effect and the value. Each of these is its length in bytes, as an
// unsigned variable-length integer of [encoding/binary], and then its bytes. The
// signature of the empty set is empty.
func (s Set) AppendSignature(dst []byte) []byte {
	var list []Toleration
	for i := range s.cells {
		list = s.appendCell(list[:0], &s.cells[i])
		for j := range list {
			dst = list[j].appendRecord(dst)
		}
	}
	return dst
}

func (t *Toleration) appendRecord(dst []byte) []byte {
	dst = append(dst, operatorByte(t.Operator))
	for _, s := range [...]string{t.Key, string(t.Effect), t.Value} {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
		dst = append(dst, s...)
	}
	return dst
}

func operatorByte(o Operator) byte {
	switch o {
	case OpExists:
		return '*'
	case OpLt:
		return '<'
	case OpGt:
		return '>'
	}
	return '='
}

// Signature returns what [Set.AppendSignature] appends as a string, for use as a
// map key.
func (s Set) Signature() string {
	return string(s.AppendSignature(nil))
}

package toleration

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// Covers reports whether s holds every taint that other holds. Every set covers
// itself and the empty set; two sets that cover each other are equal. If s does not
// cover other, other.Minus(s) has a taint that shows it.
func (s Set) Covers(other Set) bool {
	_, found, _ := other.minus(s, false)
	return !found
}

// Equal reports whether s and other hold the same taints.
func (s Set) Equal(other Set) bool {
	if len(s.cells) != len(other.cells) {
		return false
	}
	for i := range s.cells {
		if !s.cells[i].equal(&other.cells[i]) {
			return false
		}
	}
	return true
}

// Intersects reports whether some taint is in s and in other; [Set.Common] names
// one.
func (s Set) Intersects(other Set) bool {
	_, found, _ := s.common(other, false)
	return found
}

// Minus returns a taint that is in s and not in other, and whether there is one. It
// is a valid taint if any such taint is valid. Among those, the choice is not
// specified.
func (s Set) Minus(other Set) (witness taint.Taint, found bool) {
	if witness, found, _ = s.minus(other, true); !found {
		witness, found, _ = s.minus(other, false)
	}
	return witness, found
}

// Common returns a taint that is in s and in other, and whether there is one. It is
// a valid taint if any such taint is valid.
func (s Set) Common(other Set) (witness taint.Taint, found bool) {
	if witness, found, _ = s.common(other, true); !found {
		witness, found, _ = s.common(other, false)
	}
	return witness, found
}

// Example returns a taint that is in s, and whether there is one. It is a valid
// taint if s holds any.
func (s Set) Example() (witness taint.Taint, found bool) {
	return s.Minus(Set{})
}

// equal reports whether c and d are equal.
func (c *cell) equal(d *cell) bool {
	return c.key == d.key && c.effect == d.effect && c.every == d.every &&
		slices.Equal(c.words, d.words) && slices.Equal(c.runs, d.runs)
}

package toleration

import "testing"

// The growth is measured in steps, so these must be counted: one for each toleration
// and cell that is looked at, for each word, and for each integer that is looked up in
// a wider cell.
func TestStepsAreCounted(t *testing.T) {
	for _, c := range []struct {
		list, other                    string
		newSet, minus, common, invalid int
	}{
		{"", "", 0, 0, 0, 0},
		{"a=x", "", 1, 2, 0, 2},
		{"a=x,a=y,b=1", "a=x,a=z,b=1", 3, 3, 3, 3},
		{"*=1,*=x,a=2,a=4,a=y", "a=z,a=5", 13, 2, 6, 2},
		{"a=x,a=1,b=y", "*=z:NoExecute,*=y:NoExecute", 3, 2, 7, 2},
		{"*=z:NoExecute,*=7:NoExecute", "a=x,a=1,b=y", 2, 2, 3, 2},
		{"a=5,b=6,b=7", "*=5,b=6", 3, 14, 2, 8},
	} {
		list, _ := ParseListLenient(c.list)
		others, _ := ParseListLenient(c.other)
		s, newSteps := newSet(entriesOf(list))
		other, _ := newSet(entriesOf(others))
		_, _, minus := s.minus(other, true)
		_, _, common := s.common(other, true)
		_, _, invalid := s.minus(other, false)
		if newSteps != c.newSet || minus != c.minus || common != c.common || invalid != c.invalid {
			t.Errorf("%q and %q: %d, %d, %d, %d steps", c.list, c.other, newSteps, minus, common, invalid)
		}
	}
}

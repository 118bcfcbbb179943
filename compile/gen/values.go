package gen

import (
	"fmt"

	"github.com/tolero-dev/tolero/toleration"
)

// values is the taint values of which a test is made: every one, or some single ones
// and the integers above or below a bound.
type values struct {
	every  bool
	single []string
	above  bound
	below  bound
}

// bound is a bound of integers, if it is set.
type bound struct {
	set bool
	n   int64
}

// add puts what a toleration matches into v, in which none of it is.
func (v *values) add(matched toleration.Values) {
	switch matched.Kind {
	case toleration.EveryValue:
		v.every = true
	case toleration.OneValue:
		v.single = append(v.single, matched.Value)
	case toleration.IntegersAbove:
		v.above = bound{true, matched.Bound}
	case toleration.IntegersBelow:
		v.below = bound{true, matched.Bound}
	}
}

// numeric reports whether v has integers by a bound.
func (v *values) numeric() bool {
	return v.above.set || v.below.set
}

// signature is the same for equal values only.
func (v *values) signature() string {
	return fmt.Sprintf("%t %q %v %v", v.every, v.single, v.above, v.below)
}

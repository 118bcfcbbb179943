package gen

import (
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/toleration"
)

// values is a set of taint values: every one, some single ones, and the
// integers above or below a bound (rules M2, N1, N2). The zero values is empty.
type values struct {
	every  bool
	single []string // in the order of the list
	above  bound
	below  bound

	seen map[string]bool // what is in single
}

// bound is a bound of integers, if it is set.
type bound struct {
	set bool
	n   int64
}

// add puts the values that t tolerates into v.
func (v *values) add(t *toleration.Toleration) {
	switch matched := t.Values(); matched.Kind {
	case toleration.EveryValue:
		v.every = true
	case toleration.OneValue:
		v.addSingle(matched.Value)
	case toleration.IntegersAbove:
		v.addAbove(matched.Bound)
	case toleration.IntegersBelow:
		v.addBelow(matched.Bound)
	}
}

func (v *values) addSingle(value string) {
	if v.seen[value] {
		return
	}
	if v.seen == nil {
		v.seen = make(map[string]bool)
	}
	v.seen[value] = true
	v.single = append(v.single, value)
}

// addAll puts what is in o into v.
func (v *values) addAll(o *values) {
	v.every = v.every || o.every
	for _, value := range o.single {
		v.addSingle(value)
	}
	if o.above.set {
		v.addAbove(o.above.n)
	}
	if o.below.set {
		v.addBelow(o.below.n)
	}
}

func (v *values) addAbove(n int64) {
	if !v.above.set || n < v.above.n {
		v.above = bound{true, n}
	}
}

func (v *values) addBelow(n int64) {
	if !v.below.set || n > v.below.n {
		v.below = bound{true, n}
	}
}

// has reports whether value is in v.
func (v *values) has(value string) bool {
	return v.every || v.seen[value] || v.hasNumber(value)
}

func (v *values) hasNumber(value string) bool {
	if !v.above.set && !v.below.set {
		return false
	}
	n, ok := decimal.Parse(value)
	return ok && (v.above.set && n > v.above.n || v.below.set && n < v.below.n)
}

// without returns v without the values that are in one of others, and without
// single ones that the rest of v has anyway.
func (v *values) without(others ...*values) values {
	left := values{every: v.every, above: v.above, below: v.below}
	for _, o := range others {
		if o.every {
			return values{}
		}
		if o.above.set && o.above.n <= v.above.n {
			left.above = bound{}
		}
		if o.below.set && o.below.n >= v.below.n {
			left.below = bound{}
		}
	}
	if left.every {
		return values{every: true}
	}
	for _, value := range v.single {
		if !left.hasNumber(value) && !anyHas(others, value) {
			left.addSingle(value)
		}
	}
	return left
}

func anyHas(sets []*values, value string) bool {
	for _, v := range sets {
		if v.has(value) {
			return true
		}
	}
	return false
}

// empty reports whether v has no values.
func (v *values) empty() bool {
	return !v.every && len(v.single) == 0 && !v.numeric()
}

// numeric reports whether v has integers by a bound.
func (v *values) numeric() bool {
	return v.above.set || v.below.set
}

package index

import (
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// term is a toleration in the words of a snapshot: what it tolerates of the
// taints that nodes have. Tolerations that match none of them have no term.
type term struct {
	form    form
	effects taint.EffectSet
	key     uint32 // with any form but the any ones
	pair    uint32 // with onePair
	bound   int64  // with above and below
	value   string // with anyEqual
	seconds *int64
}

// form is the kind of a term.
type form uint8

const (
	onePair form = iota // Equal, or an empty operator
	oneKey              // Exists
	above               // Gt
	below               // Lt

	// The same with an empty key. All but the second are refused by validation.
	anyEqual
	anyKey
	anyAbove
	anyBelow
)

// anything takes a form to the one with an empty key.
const anything = anyEqual - onePair

// resolve appends the terms of tolerations to dst, in their order.
func (s *Snapshot) resolve(dst []term, tolerations []toleration.Toleration) []term {
	for i := range tolerations {
		t := &tolerations[i]
		effects := taint.AllEffects
		if t.Effect != "" {
			effects = t.Effect.Set()
		}
		term := term{effects: effects &^ taint.OtherEffects, seconds: t.TolerationSeconds}
		if term.effects != 0 && s.resolveOne(&term, t) {
			dst = append(dst, term)
		}
	}
	return dst
}

// resolveOne fills in what a term matches, and reports whether that is anything.
func (s *Snapshot) resolveOne(term *term, t *toleration.Toleration) (any bool) {
	if t.Key != "" {
		if term.key, any = s.findKey(t.Key); !any {
			return false
		}
	}
	switch t.Operator {
	case toleration.Exists:
		term.form, any = oneKey, true
	case toleration.Equal, "":
		if t.Key == "" {
			term.form, term.value = anyEqual, t.Value
			return true
		}
		term.pair, any = s.findPair(term.key, t.Value)
		return any
	case toleration.Gt:
		term.form = above
		term.bound, any = decimal.Parse(t.Value)
	case toleration.Lt:
		term.form = below
		term.bound, any = decimal.Parse(t.Value)
	default:
		return false
	}
	if t.Key == "" {
		term.form += anything
	}
	return any
}

// tolerates reports whether a term tolerates an element.
func (s *Snapshot) tolerates(t *term, e element) bool {
	if t.effects&e.effect().set() == 0 {
		return false
	}
	if t.form == onePair {
		return t.pair == e.pair()
	}
	p := s.pairs.At(e.pair())
	switch t.form {
	case oneKey:
		return t.key == p.key
	case above:
		return t.key == p.key && p.numeric && p.number > t.bound
	case below:
		return t.key == p.key && p.numeric && p.number < t.bound
	case anyKey:
		return true
	case anyEqual:
		return p.value == t.value
	case anyAbove:
		return p.numeric && p.number > t.bound
	default: // anyBelow
		return p.numeric && p.number < t.bound
	}
}

// first returns the first term that tolerates an element, or nil.
func (f *Fit) first(e element) *term {
	for i := range f.terms {
		if f.snapshot.tolerates(&f.terms[i], e) {
			return &f.terms[i]
		}
	}
	return nil
}

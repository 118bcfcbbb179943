package index

import (
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/toleration"
)

// term is a toleration in the words of a snapshot: what it tolerates of the
// taints that nodes have. Tolerations that match none of them have no term.
//
// What is to be equal is tested by one comparison under a mask: the effect, the
// key and the pair, or fewer of them.
type term struct {
	mask, want element
	form       form
	bound      int64  // with above and below
	value      string // with anyEqual
	seconds    *int64
}

// form says what is left to be tested of an element that is as wanted under the
// mask.
type form uint8

const (
	masked   form = iota // nothing: Equal with a key, and Exists
	above                // Gt: the number
	below                // Lt: the number
	anyEqual             // Equal without a key, which validation refuses: the value
)

// resolve appends the terms of tolerations to dst, in their order.
func (s *Snapshot) resolve(dst []term, tolerations []toleration.Toleration) []term {
	for i := range tolerations {
		t := &tolerations[i]
		next := term{seconds: t.TolerationSeconds}
		if s.resolveEffect(&next, t) && s.resolveKey(&next, t) {
			dst = append(dst, next)
		}
	}
	return dst
}

// resolveEffect fills in the effect, and reports whether any taint has it.
func (s *Snapshot) resolveEffect(term *term, t *toleration.Toleration) bool {
	if t.Effect == "" {
		return true
	}
	e, known := effectOf(t.Effect)
	term.mask, term.want = effectMask, element(e)
	return known
}

// resolveKey fills in the key and what the operator asks for, and reports whether
// any taint matches.
func (s *Snapshot) resolveKey(term *term, t *toleration.Toleration) (any bool) {
	var key uint32
	if t.Key != "" {
		if key, any = s.findKey(t.Key); !any {
			return false
		}
		term.mask |= keyMask
		term.want |= elementOf(key, 0, 0)
	}
	switch t.Operator {
	case toleration.OpExists:
		return true
	case toleration.OpEqual, "":
		if t.Key == "" {
			term.form, term.value = anyEqual, t.Value
			return true
		}
		pair, found := s.findPair(key, t.Value)
		term.mask |= pairMask
		term.want |= elementOf(0, pair, 0)
		return found
	case toleration.OpGt:
		term.form = above
	case toleration.OpLt:
		term.form = below
	default:
		return false
	}
	term.bound, any = decimal.Parse(t.Value)
	return any
}

// tolerates reports whether a term tolerates an element.
func (s *Snapshot) tolerates(t *term, e element) bool {
	return (e^t.want)&t.mask == 0 && (t.form == masked || s.satisfies(t, e.pair()))
}

// satisfies reports whether a pair of the right key is what a term that is not
// masked asks for.
func (s *Snapshot) satisfies(t *term, pair uint32) bool {
	p := s.pairs.At(pair)
	switch t.form {
	case above:
		return p.numeric && p.number > t.bound
	case below:
		return p.numeric && p.number < t.bound
	default: // anyEqual
		return p.value == t.value
	}
}

// first returns the first term that tolerates an element, or nil.
func (f *Fit) first(e element) *term {
	for i := range f.terms {
		if t := &f.terms[i]; f.snapshot.tolerates(t, e) {
			return t
		}
	}
	return nil
}

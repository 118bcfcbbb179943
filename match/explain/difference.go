package explain

import (
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Mismatch says what keeps a toleration from tolerating a taint: a set of
// reasons, combined with |. The zero Mismatch is no reason. A Mismatch is a
// small integer, free to copy and to share.
type Mismatch uint8

// The reasons. At most one of ValueDiffers, TaintNotInteger, TolerationNotInteger and
// OperatorUnknown is set.
const (
	// GateOff: the operator is Gt or Lt, which the cluster ignores (rule N4).
	GateOff Mismatch = 1 << iota
	// EffectDiffers: the toleration has another effect.
	EffectDiffers
	// ValueDiffers: the value is another one, or Gt or Lt do not hold.
	ValueDiffers
	// TaintNotInteger: Gt or Lt would compare the value of the taint, which is no
	// canonical integer (rule N2).
	TaintNotInteger
	// TolerationNotInteger: the value of the toleration is not a canonical integer.
	TolerationNotInteger
	// OperatorUnknown: Kubernetes does not know the operator (rule M2).
	OperatorUnknown
	// KeyDiffers: the toleration has another key.
	KeyDiffers
)

// names has the words of JSON, by bit.
var names = [...]string{"gateOff", "effect", "value", "taintNotInteger", "tolerationNotInteger", "operator", "key"}

// Names returns the reasons as the JSON form has them: "gateOff", "effect",
// "value", "taintNotInteger", "tolerationNotInteger", "operator" and "key", in this
// order. It returns nil if there are none.
func (d Mismatch) Names() []string {
	var list []string
	for i, name := range names {
		if d&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// String returns the names separated by ", ", or "none".
func (d Mismatch) String() string {
	if list := d.Names(); list != nil {
		return strings.Join(list, ", ")
	}
	return "none"
}

// mismatchOf returns what keeps t from tolerating x in a cluster with rules r.
func mismatchOf(r toleration.Rules, t *toleration.Toleration, x *taint.Taint) Mismatch {
	var d Mismatch
	if t.Key != "" && t.Key != x.Key {
		d |= KeyDiffers
	}
	if t.Effect != "" && t.Effect != x.Effect {
		d |= EffectDiffers
	}
	if !counts(r, t) {
		d |= GateOff
	}
	return d | valueMismatch(t, x)
}

// counts reports whether a cluster with rules r counts t (rule N4).
func counts(r toleration.Rules, t *toleration.Toleration) bool {
	return r.Comparisons || !t.Operator.Comparison()
}

// valueMismatch returns the reason about values, if the value of x is in the way.
func valueMismatch(t *toleration.Toleration, x *taint.Taint) Mismatch {
	switch {
	case comparing.Holds(t.Operator, x.Value, t.Value): // [GateOff] is a reason of its own
		return 0
	case t.Operator.Comparison() && !isInteger(t.Value):
		return TolerationNotInteger
	case t.Operator.Comparison() && !isInteger(x.Value):
		return TaintNotInteger
	case t.Operator.Comparison(), t.Operator == toleration.OpEqual, t.Operator == "":
		return ValueDiffers
	}
	return OperatorUnknown
}

// comparing are the rules of a cluster with Gt and Lt.
var comparing = toleration.Rules{Comparisons: true}

// isInteger reports whether Gt and Lt can compare value (rule N2).
func isInteger(value string) bool {
	n, err := strconv.ParseInt(value, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == value
}

// rank orders the differences of tolerations with one key: what differs in its value is farther
// than what differs in its effect, and that is farther than what the gate alone keeps from counting.
func (d Mismatch) rank() Mismatch {
	rank := d & GateOff
	if d&EffectDiffers != 0 {
		rank |= 2 * GateOff
	}
	if d&^(GateOff|EffectDiffers|KeyDiffers) != 0 {
		rank |= 4 * GateOff
	}
	return rank
}

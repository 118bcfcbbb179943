package toleration

import (
	"fmt"
	"math"
)

// Values is the set of taint values that the operator and the value of a toleration
// match, whatever the key and the effect (rules M2, N1, N2): the normal form of both. Use
// it to compile tolerations into another form: only the kinds differ.
//
// Sets of the same values are equal by ==. The zero Values is empty. A Values retains the
// string of the toleration.
type Values struct {
	Kind  ValuesKind
	Value string // with OneValue
	Bound int64  // with IntegersAbove and IntegersBelow, and not in the set
}

// ValuesKind says what a [Values] is. The zero ValuesKind is NoValue.
type ValuesKind uint8

const (
	NoValue       ValuesKind = iota // none: an unknown operator, and Gt or Lt that no integer satisfies
	EveryValue                      // every string: Exists
	OneValue                        // one string: Equal, and Gt or Lt that one integer satisfies
	IntegersAbove                   // the integers greater than Bound, at least two: Gt
	IntegersBelow                   // the integers less than Bound, at least two: Lt
)

var valuesKinds = [...]string{"no value", "every value", "one value", "integers above", "integers below"}

// String returns the kind in words, such as "one value", and for any other value its number,
// such as "ValuesKind(9)".
func (k ValuesKind) String() string {
	if int(k) < len(valuesKinds) {
		return valuesKinds[k]
	}
	return fmt.Sprintf("ValuesKind(%d)", uint8(k))
}

// Values returns the set of taint values that t matches. t need not be valid.
func (t *Toleration) Values() Values {
	switch t.Operator {
	case OpExists:
		return Values{Kind: EveryValue}
	case OpEqual, "":
		return Values{Kind: OneValue, Value: t.Value}
	case OpGt:
		if bound, ok := parseInteger(t.Value); ok {
			return integersAbove(bound)
		}
	case OpLt:
		if bound, ok := parseInteger(t.Value); ok {
			return integersBelow(bound)
		}
	}
	return Values{}
}

// integersAbove returns the integers that are greater than bound. The range of integers
// ends, so there may be one or none.
func integersAbove(bound int64) Values {
	switch bound {
	case math.MaxInt64:
		return Values{}
	case math.MaxInt64 - 1:
		return Values{Kind: OneValue, Value: "9223372036854775807"}
	}
	return Values{Kind: IntegersAbove, Bound: bound}
}

// integersBelow returns those that are less.
func integersBelow(bound int64) Values {
	switch bound {
	case math.MinInt64:
		return Values{}
	case math.MinInt64 + 1:
		return Values{Kind: OneValue, Value: "-9223372036854775808"}
	}
	return Values{Kind: IntegersBelow, Bound: bound}
}

package toleration

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/word"
)

// Toleration is an item of a pod's spec.tolerations, with the field names of the
// Kubernetes API.
//
// The zero Toleration is not valid but has a meaning: it tolerates every taint
// whose value is empty (rule M4). A copy shares strings and TolerationSeconds,
// which nothing in this module writes to.
//
// Toleration can be compared with ==, which compares TolerationSeconds by
// pointer and tells an empty operator from Equal; use [Toleration.Equal] to compare what
// they say.
type Toleration struct {
	// Key is the taint key to match; empty matches every key.
	Key string `json:"key,omitempty"`
	// Operator relates Value to the taint's value; empty means Equal.
	Operator Operator `json:"operator,omitempty"`
	// Value is what the taint's value is compared with; unused with Exists.
	Value string `json:"value,omitempty"`
	// Effect is the taint effect to match; empty matches every effect.
	Effect taint.Effect `json:"effect,omitempty"`
	// TolerationSeconds is how long the pod may stay on a node once a NoExecute
	// taint that it tolerates is noticed: nil is forever, zero or less not at
	// all (rule E2). Matching ignores it (rule M6).
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// UnmarshalJSON reads what is a toleration for the API server: the case of field names
// counts, and other fields are ignored. Fields that are missing stay as they were.
func (t *Toleration) UnmarshalJSON(data []byte) error {
	_, err := word.Fields(data, t.fields())
	return err
}

func (t *Toleration) fields() map[string]any {
	return map[string]any{"key": &t.Key, "operator": &t.Operator, "value": &t.Value, "effect": &t.Effect, "tolerationSeconds": &t.TolerationSeconds}
}

// ParseListJSON reads a JSON list of tolerations, such as a pod's spec.tolerations, and does
// not validate them. It is strict: an unknown field, one in another case and one that is
// repeated are errors, which give the index of the toleration. Null gives a nil list.
func ParseListJSON(data []byte) ([]Toleration, error) {
	return word.List(data, "tolerations", (*Toleration).fields)
}

// Operator relates the value of a toleration to that of a taint. Names are
// case-sensitive. The zero Operator means [OpEqual]; an unknown one matches
// nothing (rule M2). An Operator is a string in every other respect: free to
// copy and to share, retaining nothing.
type Operator string

// The operators that Kubernetes knows.
const (
	// OpEqual matches a taint with the same value.
	OpEqual Operator = "Equal"
	// OpExists matches a taint with any value.
	OpExists Operator = "Exists"
	// OpLt matches a taint whose value is an integer less than the toleration's.
	OpLt Operator = "Lt"
	// OpGt matches a taint whose value is an integer greater than the
	// toleration's.
	OpGt Operator = "Gt"
)

// Comparison reports whether o compares integers, as [OpLt] and [OpGt] do. Those
// are the operators behind the gate TaintTolerationComparisonOperators; see
// [Rules].
func (o Operator) Comparison() bool {
	return o == OpLt || o == OpGt
}

// meant returns o, and Equal if it is empty.
func (o Operator) meant() Operator {
	if o == "" {
		return OpEqual
	}
	return o
}

// Matches reports whether t and u are the same toleration of a pod: equal in key, operator,
// value and effect, whatever their seconds. An empty operator is Equal. ([Toleration.Tolerates]
// decides whether a toleration matches a taint.)
func (t Toleration) Matches(u *Toleration) bool {
	return t.Key == u.Key && t.Effect == u.Effect && t.Value == u.Value && t.Operator.meant() == u.Operator.meant()
}

// Equal reports whether t and u match and have the same seconds, compared as numbers. Nil
// equals only nil.
func (t Toleration) Equal(u *Toleration) bool {
	a, b := t.TolerationSeconds, u.TolerationSeconds
	return t.Matches(u) && (a == b || a != nil && b != nil && *a == *b)
}

// For returns the toleration of exactly the taint x, for as long as the pod
// runs: its key, value and effect, and the operator Equal. For a valid taint the
// toleration is valid and tolerates no valid taint but x. (An empty key or
// effect, which only invalid taints have, matches every one.)
func For(x *taint.Taint) Toleration {
	return Toleration{Key: x.Key, Operator: OpEqual, Value: x.Value, Effect: x.Effect}
}

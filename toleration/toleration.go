package toleration

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// Toleration is a toleration as it stands in a pod's spec.tolerations, with the
// field names of the Kubernetes API.
//
// The zero Toleration is not valid but has a meaning: it tolerates every taint
// whose value is empty (rule M4). Copying a Toleration copies the strings'
// headers and shares TolerationSeconds, which nothing in this module writes to.
// A Toleration may be read concurrently. It retains only what its fields show.
//
// Toleration can be compared with ==, which compares TolerationSeconds by
// pointer; use [Toleration.Equal] to compare the numbers.
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
	// all (rule E2). It plays no part in matching (rule M6).
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// Operator relates the value of a toleration to that of a taint. Names are
// case-sensitive. The zero Operator means [Equal]; an unknown one matches
// nothing (rule M2). An Operator is a string in every other respect: free to
// copy and to share, retaining nothing.
type Operator string

// The operators that Kubernetes knows.
const (
	// Equal matches a taint with the same value.
	Equal Operator = "Equal"
	// Exists matches a taint with any value.
	Exists Operator = "Exists"
	// Lt matches a taint whose value is an integer less than the toleration's.
	Lt Operator = "Lt"
	// Gt matches a taint whose value is an integer greater than the
	// toleration's.
	Gt Operator = "Gt"
)

// Comparison reports whether o compares integers, as [Lt] and [Gt] do. Those
// are the operators behind the gate TaintTolerationComparisonOperators.
func (o Operator) Comparison() bool {
	return o == Lt || o == Gt
}

// Matches reports whether t and u are the same toleration as far as adding to a
// pod or updating goes: equal in key, effect, operator and value, whatever
// their seconds (rule A6). An empty operator and Equal are not the same here.
func (t *Toleration) Matches(u *Toleration) bool {
	return t.Key == u.Key && t.Effect == u.Effect && t.Operator == u.Operator && t.Value == u.Value
}

// Equal reports whether t and u are equal in every field. The seconds are
// compared as numbers; nil equals only nil.
func (t *Toleration) Equal(u *Toleration) bool {
	return t.Matches(u) && equalSeconds(t.TolerationSeconds, u.TolerationSeconds)
}

func equalSeconds(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// DropComparisons appends to dst the tolerations whose operator is not Lt or
// Gt, in their order, and returns the extended slice. It gives the list that a
// cluster acts on where the gate TaintTolerationComparisonOperators is off
// (rule N4). dst may be tolerations[:0] but must not overlap tolerations in any
// other way. It does not allocate if dst has room.
func DropComparisons(dst, tolerations []Toleration) []Toleration {
	for i := range tolerations {
		if !tolerations[i].Operator.Comparison() {
			dst = append(dst, tolerations[i])
		}
	}
	return dst
}

// Clone returns a copy of a list that shares strings with it and nothing else: the
// seconds are copied too. The clone of nil is nil.
func Clone(tolerations []Toleration) []Toleration {
	clone := slices.Clone(tolerations)
	for i := range clone {
		if seconds := clone[i].TolerationSeconds; seconds != nil {
			clone[i].TolerationSeconds = new(*seconds)
		}
	}
	return clone
}

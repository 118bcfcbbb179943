package explain

import (
	"math/bits"
	"strings"

	"github.com/tolero-dev/tolero/toleration"
)

// Fields is a set of the fields of a toleration, combined with |. The zero Fields is
// empty. Fields is a small integer, free to copy and to share.
type Fields uint8

// The fields.
const (
	KeyField Fields = 1 << iota
	OperatorField
	ValueField
	EffectField
	SecondsField
)

// additionSize is what an addition counts in the size of a [Repair]: one each for its key,
// operator, value and effect.
const additionSize = 4

var fieldNames = [...]string{"key", "operator", "value", "effect", "tolerationSeconds"}

// Len returns the number of fields.
func (f Fields) Len() int { return bits.OnesCount8(uint8(f)) }

// Names returns the names that the fields have in manifests: "key", "operator", "value",
// "effect" and "tolerationSeconds", in this order. It returns nil for an empty set.
func (f Fields) Names() []string {
	var list []string
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// String returns the names separated by ", ", or "none" for an empty set.
func (f Fields) String() string {
	if list := f.Names(); list != nil {
		return strings.Join(list, ", ")
	}
	return "none"
}

// Fields returns the fields that e changes. An empty operator is the same as Equal
// (rule M2).
func (e *Edit) Fields() Fields { return fieldsBetween(&e.Old, &e.New) }

// fieldsBetween returns the fields in which two tolerations differ.
func fieldsBetween(t, u *toleration.Toleration) (f Fields) {
	add := func(field Fields, differs bool) {
		if differs {
			f |= field
		}
	}
	add(KeyField, t.Key != u.Key)
	add(OperatorField, operator(t) != operator(u))
	add(ValueField, t.Value != u.Value)
	add(EffectField, t.Effect != u.Effect)
	s, v := *t, *u
	s.Key, s.Operator, s.Value, s.Effect = v.Key, v.Operator, v.Value, v.Effect
	add(SecondsField, !s.Equal(&v))
	return f
}

// operator returns the operator of t by its name.
func operator(t *toleration.Toleration) toleration.Operator {
	if t.Operator == "" {
		return toleration.OpEqual
	}
	return t.Operator
}

// Size returns how many fields r changes: those that its edits change, and four for each
// addition.
func (r *Repair) Size() int {
	n := additionSize * len(r.Additions)
	for i := range r.Edits {
		n += r.Edits[i].Fields().Len()
	}
	return n
}

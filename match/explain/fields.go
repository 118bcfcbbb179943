package explain

import "github.com/tolero-dev/tolero/toleration"

// additionSize is what an addition counts in the size of a [Repair]: one each for its key,
// operator, value and effect.
const additionSize = 4

var fieldNames = [...]string{"key", "operator", "value", "effect", "tolerationSeconds"}

// Fields returns the fields that e changes by the names that manifests have, in this order: "key",
// "operator", "value", "effect" and "tolerationSeconds". An empty operator is the same as Equal
// (rule M2).
func (e Edit) Fields() []string {
	var list []string
	for i, differs := range differing(&e.Old, &e.New) {
		if differs {
			list = append(list, fieldNames[i])
		}
	}
	return list
}

// differing says of each of the fields whether two tolerations differ in it.
func differing(t, u *toleration.Toleration) [len(fieldNames)]bool {
	s, v := *t, *u
	s.Key, s.Operator, s.Value, s.Effect = v.Key, v.Operator, v.Value, v.Effect
	return [...]bool{t.Key != u.Key, operator(t) != operator(u), t.Value != u.Value, t.Effect != u.Effect, !s.Equal(&v)}
}

// changes returns the number of fields in which two tolerations differ.
func changes(t, u *toleration.Toleration) (n int) {
	for _, differs := range differing(t, u) {
		if differs {
			n++
		}
	}
	return n
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
func (r Repair) Size() int {
	n := additionSize * len(r.Additions)
	for i := range r.Edits {
		n += changes(&r.Edits[i].Old, &r.Edits[i].New)
	}
	return n
}

package taint

import "fmt"

// supportedEffects is the cause given for a missing or unknown effect.
const supportedEffects = "must be NoSchedule, PreferNoSchedule or NoExecute"

// Validate returns nil if the API server would accept taints as a node's list,
// and else a [FieldErrors] with every fault, in the order of the list (rules
// V1, V4): each key must be a qualified name, each value a label value, each
// effect one of the three, and no two taints may share key and effect. Fields
// are named "taints[i].key" and so on; see [FieldErrors.Under].
func Validate(taints []Taint) error {
	type identity struct {
		key    string
		effect Effect
	}
	var errs FieldErrors
	seen := make(map[identity]bool, len(taints))
	for i := range taints {
		t, field := &taints[i], fmt.Sprintf("taints[%d]", i)
		errs = t.appendFaults(errs, field+".")
		id := identity{t.Key, t.Effect}
		if seen[id] {
			errs = append(errs, &FieldError{field, Duplicate, t.String(), "must be unique by key and effect"})
		}
		seen[id] = true
	}
	return errs.Err()
}

// appendFaults appends the faults of t itself, whatever stands beside it. The
// names of the fields begin with prefix.
func (t *Taint) appendFaults(errs FieldErrors, prefix string) FieldErrors {
	errs = t.appendKeyFaults(errs, prefix)
	for _, fault := range valueFaults(t.Value) {
		errs = append(errs, &FieldError{prefix + "value", Invalid, t.Value, fault})
	}
	switch {
	case t.Effect == "":
		errs = append(errs, &FieldError{prefix + "effect", Required, "", supportedEffects})
	case !t.Effect.Known():
		errs = append(errs, &FieldError{prefix + "effect", Unsupported, string(t.Effect), supportedEffects})
	}
	return errs
}

func (t *Taint) appendKeyFaults(errs FieldErrors, prefix string) FieldErrors {
	for _, fault := range keyFaults(t.Key) {
		errs = append(errs, &FieldError{prefix + "key", Invalid, t.Key, fault})
	}
	return errs
}

package taint

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint/word"
)

// supportedEffects is the cause given for a missing or unknown effect.
const supportedEffects = "must be NoSchedule, PreferNoSchedule or NoExecute"

// Validate returns nil if the API server would accept taints as a node's list,
// and else a [*FieldErrors] with every fault, in the order of the list (rules
// V1, V4): each key must be a qualified name, each value a label value, each
// effect one of the three, and no two taints may share key and effect. The empty
// list is valid. Fields are named "taints[i].key" and so on; see
// [FieldErrors.Under]. There is one fault for each field at fault, and one for
// each taint that repeats an earlier one. An effect in the wrong case is named as it
// was probably meant. The time is proportional to the length of the input.
func Validate(taints []Taint) error {
	var errs FieldErrors
	seen := newSeen(len(taints))
	for i := range taints {
		t, sound := &taints[i], len(errs.Faults)
		t.addFaults(&errs)
		for _, fault := range errs.Faults[sound:] {
			fault.Field = fmt.Sprintf("taints[%d].%s", i, fault.Field)
		}
		if seen.repeats(taints[:i], t) {
			errs.Add(fmt.Sprintf("taints[%d]", i), "duplicate value", t.String(), "must be unique by key and effect")
		}
	}
	return errs.Err()
}

// addFaults adds the faults of t itself, without regard to the rest of the list.
func (t *Taint) addFaults(errs *FieldErrors) {
	t.addKeyFault(errs)
	if err := CheckValue(t.Value); err != nil {
		errs.Add("value", "invalid value", t.Value, err.Error())
	}
	switch {
	case t.Effect == "":
		errs.Add("effect", "required value", "", supportedEffects)
	case !t.Effect.Known():
		errs.Add("effect", "unsupported value", string(t.Effect), supportedEffects+word.Meant(t.Effect, NoSchedule, PreferNoSchedule, NoExecute))
	}
}

func (t *Taint) addKeyFault(errs *FieldErrors) {
	if err := CheckKey(t.Key); err != nil {
		errs.Add("key", "invalid value", t.Key, err.Error())
	}
}

// faults returns the faults of t itself as an error.
func (t *Taint) faults() error {
	var errs FieldErrors
	t.addFaults(&errs)
	return errs.Err()
}

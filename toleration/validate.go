package toleration

import (
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/word"
)

// Causes that more than one check gives.
const (
	needsExists      = "must be Exists when the key is empty, which matches every key and value"
	supportedEffects = "must be NoSchedule, PreferNoSchedule, NoExecute or empty"
	supportedAll     = "must be Exists, Equal, Lt, Gt or empty"
	supportedGateOff = "must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators"
	needsInteger     = "must be a decimal integer without leading zeros that fits in 64 bits"
	needsNoExecute   = "must be NoExecute when tolerationSeconds is set"
	needsNoValue     = "must be empty when the operator is Exists"
)

// Validate returns nil if the API server of a cluster with rules r would accept
// tolerations as the list of a new pod, and else a [*taint.FieldErrors] with
// every fault, in the order of the list (rules V2, V4). The empty list is valid,
// and so are lists with duplicates. Fields are named "tolerations[i].key" and so
// on; see [taint.FieldErrors.Under]. A field has one fault of each kind at most.
// The time is proportional to the length of the input.
//
// Faults are reported under the field that is at fault. (The API server reports
// a malformed value under the operator.) An operator or effect in the wrong case is
// named as it was probably meant.
func (r Rules) Validate(tolerations []Toleration) error {
	var errs taint.FieldErrors
	r.addFaults(&errs, tolerations)
	return errs.Err()
}

// ValidateUpdate returns nil if the API server of a cluster with rules r would
// let the list of an existing pod change from old to updated, and else a
// [*taint.FieldErrors]: one fault for each old toleration that is gone, and then
// those of [Rules.Validate].
//
// Every old toleration must still be there as it was written; only its seconds may
// have changed (rule V3). An empty operator must not become Equal. If old uses Gt or Lt anywhere, so may updated, whatever the rules:
// a pod that was created with the feature gate on stays legal when it is off
// (rule N5). The time is proportional to the lengths.
func (r Rules) ValidateUpdate(updated, old []Toleration) error {
	var errs taint.FieldErrors
	known := newKnown(len(old), updated)
	for _, t := range old {
		if !known.has(&t) {
			errs.Add("tolerations", "forbidden", t.String(), fmt.Sprintf("%q is missing; only its tolerationSeconds may change", t))
		}
	}
	r.Comparisons = r.Comparisons || slices.ContainsFunc(old, func(t Toleration) bool { return t.Operator.Comparison() })
	r.addFaults(&errs, updated)
	return errs.Err()
}

func (r Rules) addFaults(errs *taint.FieldErrors, tolerations []Toleration) {
	for i := range tolerations {
		sound := len(errs.Faults)
		r.check(errs, &tolerations[i])
		for _, fault := range errs.Faults[sound:] {
			fault.Field = fmt.Sprintf("tolerations[%d].%s", i, fault.Field)
		}
	}
}

// faults returns the faults of t alone as an error, for a cluster that knows
// every operator.
func (t *Toleration) faults() error {
	var errs taint.FieldErrors
	Rules{Comparisons: true}.check(&errs, t)
	return errs.Err()
}

// check adds the faults of one toleration.
func (r Rules) check(errs *taint.FieldErrors, t *Toleration) {
	if t.Key != "" {
		if err := taint.CheckKey(t.Key); err != nil {
			errs.Add("key", "invalid value", t.Key, err.Error())
		}
	} else if t.Operator != OpExists {
		errs.Add("operator", "invalid value", string(t.Operator), needsExists)
	}
	r.checkValue(errs, t)
	if t.Effect != "" && !t.Effect.Known() {
		errs.Add("effect", "unsupported value", string(t.Effect),
			supportedEffects+word.Meant(t.Effect, taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute))
	}
	if t.TolerationSeconds != nil && t.Effect != taint.NoExecute {
		errs.Add("effect", "invalid value", string(t.Effect), needsNoExecute)
	}
}

// checkValue checks the operator and the value, which depends on it.
func (r Rules) checkValue(errs *taint.FieldErrors, t *Toleration) {
	switch {
	case t.Operator == OpEqual || t.Operator == "":
		if err := taint.CheckValue(t.Value); err != nil {
			errs.Add("value", "invalid value", t.Value, err.Error())
		}
	case t.Operator == OpExists:
		if t.Value != "" {
			errs.Add("value", "invalid value", t.Value, needsNoValue)
		}
	case !r.Comparisons:
		errs.Add("operator", "unsupported value", string(t.Operator), supportedGateOff+meantOperator(t.Operator))
	case t.Operator.Comparison():
		if _, ok := parseInteger(t.Value); !ok {
			errs.Add("value", "invalid value", t.Value, needsInteger)
		}
	default:
		errs.Add("operator", "unsupported value", string(t.Operator), supportedAll+meantOperator(t.Operator))
	}
}

func meantOperator(o Operator) string { return word.Meant(o, OpEqual, OpExists, OpLt, OpGt) }

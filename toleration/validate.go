package toleration

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
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

// Validate returns nil if the API server would accept tolerations as a pod's
// list with the gate TaintTolerationComparisonOperators on, and else a
// [taint.FieldErrors] with every fault, in the order of the list (rules V2,
// V4). Fields are named "tolerations[i].key" and so on; see
// [taint.FieldErrors.Under].
//
// Faults are reported under the field that is at fault. (The API server reports
// a malformed value under the operator.)
func Validate(tolerations []Toleration) error {
	return validate(tolerations, true)
}

// ValidateGateOff is like [Validate] with the gate off: Lt and Gt are refused.
func ValidateGateOff(tolerations []Toleration) error {
	return validate(tolerations, false)
}

func validate(tolerations []Toleration, comparisons bool) error {
	var errs taint.FieldErrors
	for i := range tolerations {
		c := checker{field: fmt.Sprintf("tolerations[%d]", i), comparisons: comparisons, errs: errs}
		c.check(&tolerations[i])
		errs = c.errs
	}
	return errs.Err()
}

// ValidateUpdate returns nil if the API server would let the list of an
// existing pod change from old to updated with the gate on: every old
// toleration must still be there, but for its seconds, and the new list must be
// valid (rule V3). The error is a [taint.FieldErrors]: one fault for each old
// toleration that is gone, and then those of [Validate].
func ValidateUpdate(updated, old []Toleration) error {
	var errs taint.FieldErrors
	for i := range old {
		if !contains(updated, &old[i]) {
			errs = append(errs, &taint.FieldError{
				Field:   "tolerations",
				Problem: taint.Forbidden,
				Value:   old[i].String(),
				Detail:  fmt.Sprintf("%q is missing; only its tolerationSeconds may change", old[i]),
			})
		}
	}
	if invalid, ok := Validate(updated).(taint.FieldErrors); ok {
		errs = append(errs, invalid...)
	}
	return errs.Err()
}

func contains(tolerations []Toleration, t *Toleration) bool {
	for i := range tolerations {
		if tolerations[i].Matches(t) {
			return true
		}
	}
	return false
}

// checker gathers the faults of one toleration.
type checker struct {
	field       string
	comparisons bool // whether Lt and Gt are allowed
	errs        taint.FieldErrors
}

func (c *checker) add(field string, problem taint.Problem, value, detail string) {
	c.errs = append(c.errs, &taint.FieldError{Field: c.field + field, Problem: problem, Value: value, Detail: detail})
}

func (c *checker) check(t *Toleration) {
	if t.Key != "" {
		if err := taint.CheckKey(t.Key); err != nil {
			c.add(".key", taint.Invalid, t.Key, err.Error())
		}
	} else if t.Operator != Exists {
		c.add(".operator", taint.Invalid, string(t.Operator), needsExists)
	}
	c.checkValue(t)
	if t.Effect != "" && !t.Effect.Known() {
		c.add(".effect", taint.Unsupported, string(t.Effect), supportedEffects)
	}
	if t.TolerationSeconds != nil && t.Effect != taint.NoExecute {
		c.add(".effect", taint.Invalid, string(t.Effect), needsNoExecute)
	}
}

// checkValue checks the operator and the value, which depends on it.
func (c *checker) checkValue(t *Toleration) {
	switch {
	case t.Operator == Equal || t.Operator == "":
		if err := taint.CheckValue(t.Value); err != nil {
			c.add(".value", taint.Invalid, t.Value, err.Error())
		}
	case t.Operator == Exists:
		if t.Value != "" {
			c.add(".value", taint.Invalid, t.Value, needsNoValue)
		}
	case !c.comparisons:
		c.add(".operator", taint.Unsupported, string(t.Operator), supportedGateOff)
	case t.Operator.Comparison():
		if _, ok := parseInteger(t.Value); !ok {
			c.add(".value", taint.Invalid, t.Value, needsInteger)
		}
	default:
		c.add(".operator", taint.Unsupported, string(t.Operator), supportedAll)
	}
}

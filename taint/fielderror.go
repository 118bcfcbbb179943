package taint

import (
	"fmt"
	"strings"
)

// Problem is the kind of fault that a [FieldError] reports. The kinds are those
// of the Kubernetes API.
type Problem uint8

// The kinds of fault.
const (
	Invalid     Problem = iota // the value is malformed or does not fit the other fields
	Required                   // a value is missing
	Unsupported                // the value is none of those that are allowed
	Duplicate                  // the value may stand in the list only once
	Forbidden                  // the change is not allowed
)

// String returns the words with which the Kubernetes API names p.
func (p Problem) String() string {
	switch p {
	case Invalid:
		return "invalid value"
	case Required:
		return "required value"
	case Unsupported:
		return "unsupported value"
	case Duplicate:
		return "duplicate value"
	case Forbidden:
		return "forbidden"
	}
	return fmt.Sprintf("Problem(%d)", uint8(p))
}

// FieldError is one fault in one field of a list of taints or tolerations. The
// zero FieldError is of no use. It is plain data: it may be copied and read
// concurrently.
type FieldError struct {
	Field   string  // the path of the field, such as "taints[2].effect"
	Problem Problem // the kind of fault
	Value   string  // the value at fault, as given
	Detail  string  // the cause, in words
}

// Error returns one line with the field, the value and the cause.
func (e *FieldError) Error() string {
	if e.Problem == Required || e.Problem == Forbidden {
		return fmt.Sprintf("%s: %s: %s", e.Field, e.Problem, e.Detail)
	}
	return fmt.Sprintf("%s: %s %q: %s", e.Field, e.Problem, e.Value, e.Detail)
}

// FieldErrors is every fault that a validation found, in the order of the
// input. Functions that validate return it as a plain error, nil when there is
// no fault; use errors.As to get at the list.
type FieldErrors []*FieldError

// Error returns the faults separated by "; ".
func (es FieldErrors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "; ")
}

// Unwrap returns the faults one by one, for errors.Is and errors.As.
func (es FieldErrors) Unwrap() []error {
	errs := make([]error, len(es))
	for i, e := range es {
		errs[i] = e
	}
	return errs
}

// Under returns a copy of es in which every field stands below path: with
// "spec.template.spec", "tolerations[0].key" becomes
// "spec.template.spec.tolerations[0].key".
func (es FieldErrors) Under(path string) FieldErrors {
	moved := make(FieldErrors, len(es))
	for i, e := range es {
		deeper := *e
		deeper.Field = path + "." + e.Field
		moved[i] = &deeper
	}
	return moved
}

// Err returns es as an error, and nil when es is empty.
func (es FieldErrors) Err() error {
	if len(es) == 0 {
		return nil
	}
	return es
}

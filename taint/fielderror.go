package taint

import (
	"fmt"
	"strings"
)

// FieldError is one fault in one field of a list of taints or tolerations. The
// zero FieldError means nothing.
type FieldError struct {
	Field string // the path of the field, such as "taints[2].effect"
	// Problem is the kind of fault, in the words of the Kubernetes API: "invalid value" (it is
	// malformed or does not fit the other fields), "required value" (it is missing),
	// "unsupported value" (it is none of those allowed), "duplicate value" (it may occur only
	// once in the list) or "forbidden" (the field or the change is not allowed).
	Problem string
	Value   string // the value at fault, as given
	Detail  string // the cause, in words
}

// Error returns one line with the field, the value and the cause.
func (e *FieldError) Error() string {
	if e.Problem == "required value" || e.Problem == "forbidden" {
		return fmt.Sprintf("%s: %s: %s", e.Field, e.Problem, e.Detail)
	}
	return fmt.Sprintf("%s: %s %q: %s", e.Field, e.Problem, e.Value, e.Detail)
}

// FieldErrors is every fault that a validation found, in the order of the
// input. Functions that validate return it as a plain error, nil if there is no
// fault; use errors.As to get the list:
//
//	var invalid *taint.FieldErrors
//	if errors.As(err, &invalid) {
//		for _, fault := range invalid.Faults {
//			fmt.Println(fault.Field, fault.Detail)
//		}
//	}
//
// The zero FieldErrors holds no faults and is ready for [FieldErrors.Add]. A
// copy shares the faults. As an error it is used by
// pointer, so that it can be compared, with == and with errors.Is.
type FieldErrors struct {
	Faults []*FieldError
}

// Add adds one fault at the end.
func (es *FieldErrors) Add(field, problem, value, detail string) {
	es.Faults = append(es.Faults, &FieldError{field, problem, value, detail})
}

// Error returns the faults separated by "; ". It is empty if there are none
// or es is nil.
func (es *FieldErrors) Error() string {
	if es == nil {
		return ""
	}
	lines := make([]string, len(es.Faults))
	for i, e := range es.Faults {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "; ")
}

// Unwrap returns the faults one by one, for errors.Is and errors.As.
// It returns nil if es is nil.
func (es *FieldErrors) Unwrap() []error {
	if es == nil {
		return nil
	}
	errs := make([]error, len(es.Faults))
	for i, e := range es.Faults {
		errs[i] = e
	}
	return errs
}

// Under returns a copy of es in which path comes before every field: with
// "spec.template.spec", "tolerations[0].key" becomes
// "spec.template.spec.tolerations[0].key". The copy shares nothing with es
// except strings. It is nil if es is nil.
func (es *FieldErrors) Under(path string) *FieldErrors {
	if es == nil {
		return nil
	}
	moved := &FieldErrors{make([]*FieldError, len(es.Faults))}
	for i, e := range es.Faults {
		deeper := *e
		deeper.Field = path + "." + e.Field
		moved.Faults[i] = &deeper
	}
	return moved
}

// Err returns the faults as an error, a [*FieldErrors], and nil if there are none
// or es is nil.
func (es *FieldErrors) Err() error {
	if es == nil || len(es.Faults) == 0 {
		return nil
	}
	return &FieldErrors{es.Faults} // a copy, so that es can stay on the stack
}

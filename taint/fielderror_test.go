package taint_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

func TestV4FieldErrorText(t *testing.T) {
	tests := []struct {
		err  taint.FieldError
		want string
	}{
		{taint.FieldError{Field: "f", Problem: "invalid value", Value: `a"b`, Detail: "cause"}, `f: invalid value "a\"b": cause`},
		{taint.FieldError{Field: "f", Problem: "required value", Value: "v", Detail: "cause"}, `f: required value: cause`},
		{taint.FieldError{Field: "f", Problem: "unsupported value", Value: "\xff", Detail: "cause"}, `f: unsupported value "\xff": cause`},
		{taint.FieldError{Field: "f", Problem: "duplicate value", Value: "v", Detail: "cause"}, `f: duplicate value "v": cause`},
		{taint.FieldError{Field: "f", Problem: "forbidden", Value: "v", Detail: "cause"}, `f: forbidden: cause`},
		{taint.FieldError{Field: "f", Problem: "odd", Value: "v", Detail: "cause"}, `f: odd "v": cause`},
		{taint.FieldError{}, `:  "": `},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestV4FieldErrors(t *testing.T) {
	first := &taint.FieldError{Field: "a", Problem: "invalid value", Value: "v", Detail: "one"}
	second := &taint.FieldError{Field: "b", Problem: "required value", Detail: "two"}
	err := fmt.Errorf("wrapped: %w", (&taint.FieldErrors{Faults: []*taint.FieldError{first, second}}).Err())
	if want := `wrapped: a: invalid value "v": one; b: required value: two`; err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if !errors.Is(err, first) || !errors.Is(err, second) || errors.Is(err, taint.ErrExists) {
		t.Errorf("%v holds the wrong errors", err)
	}
	var one *taint.FieldError
	if !errors.As(err, &one) || one != first {
		t.Errorf("the first fault is %v", one)
	}
	if (&taint.FieldErrors{}).Err() != nil || (*taint.FieldErrors)(nil).Err() != nil {
		t.Error("no faults are an error")
	}
}

func TestV4FieldErrorsUnder(t *testing.T) {
	err := taint.Validate(list("k=@:NoSchedule k"))
	var faults *taint.FieldErrors
	if !errors.As(err, &faults) {
		t.Fatalf("%v is no FieldErrors", err)
	}
	moved := faults.Under("spec")
	want := `spec.taints[0].value: invalid value "@": ` + form + `; spec.taints[1].effect: required value: ` + needEffect
	if moved.Error() != want {
		t.Errorf("got %v, want %s", moved, want)
	}
	if want := `taints[0].value: invalid value "@": ` + form + `; taints[1].effect: required value: ` + needEffect; err.Error() != want {
		t.Errorf("the original became %v", err)
	}
	if none := (*taint.FieldErrors)(nil); none.Error() != "" || none.Unwrap() != nil {
		t.Errorf("nil: %q, %v", none.Error(), none.Unwrap())
	}
	if none := (*taint.FieldErrors)(nil).Under("spec"); none.Err() != nil {
		t.Errorf("no faults, moved, are %v", none)
	}
}

// The faults of Parse, ParseList and ParseChange can be inspected one by one.
func TestV4ParseErrorsHoldFieldErrors(t *testing.T) {
	_, parse := taint.Parse("-=@:x")
	_, parseList := taint.ParseList("a:NoSchedule,-=@:x")
	_, parseChange := taint.ParseChange("-=@:x")
	for _, err := range []error{parse, parseList, parseChange} {
		var faults *taint.FieldErrors
		if !errors.As(err, &faults) || len(faults.Faults) != 3 {
			t.Fatalf("%v holds other faults", err)
		}
		for i, want := range []taint.FieldError{
			{Field: "key", Problem: "invalid value", Value: "-", Detail: badName},
			{Field: "value", Problem: "invalid value", Value: "@", Detail: form},
			{Field: "effect", Problem: "unsupported value", Value: "x", Detail: needEffect},
		} {
			if *faults.Faults[i] != want {
				t.Errorf("%v: fault %d is %+v", err, i, *faults.Faults[i])
			}
		}
		var fault *taint.FieldError
		if !errors.As(err, &fault) || fault != faults.Faults[0] {
			t.Errorf("%v: errors.As gives %v", err, fault)
		}
	}
}

// As an error, FieldErrors can be compared: with == and with errors.Is.
func TestFieldErrorsAreComparable(t *testing.T) {
	err := taint.Validate(list("k"))
	wrapped := fmt.Errorf("wrapped: %w", err)
	if same := err; err != same || !errors.Is(err, err) || !errors.Is(wrapped, err) || errors.Is(err, taint.Validate(list("k"))) {
		t.Errorf("%v is not itself", err)
	}
	var errs taint.FieldErrors
	errs.Add("f", "required value", "", "cause")
	before := errs.Err()
	errs.Add("g", "invalid value", "v", "cause")
	if before.Error() != "f: required value: cause" || errs.Error() != `f: required value: cause; g: invalid value "v": cause` {
		t.Errorf("got %v and %v", before, &errs)
	}
}

func TestUnderSharesNothing(t *testing.T) {
	errs := &taint.FieldErrors{}
	errs.Add("f", "required value", "", "cause")
	moved := errs.Under("spec")
	moved.Faults[0].Detail = "another"
	if errs.Error() != "f: required value: cause" || (*taint.FieldErrors)(nil).Under("spec") != nil {
		t.Errorf("got %v", errs)
	}
}

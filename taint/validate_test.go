package taint_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

const needEffect = "must be NoSchedule, PreferNoSchedule or NoExecute"

func TestV1Validate(t *testing.T) {
	for _, valid := range []string{
		"",
		"k:NoSchedule",
		"k=v:NoSchedule k=v:NoExecute k=v:PreferNoSchedule",
		"a=1:NoSchedule b=1:NoSchedule",
		"example.com/k=A_b.c-1:NoExecute",
		"node.kubernetes.io/not-ready:NoExecute node.kubernetes.io/not-ready:NoSchedule",
	} {
		if err := taint.Validate(list(valid)); err != nil {
			t.Errorf("%s: %v", valid, err)
		}
	}
}

func TestV1V4ValidateFaults(t *testing.T) {
	tests := []struct {
		taints string
		want   []taint.FieldError
	}{
		{"k:", []taint.FieldError{{"taints[0].effect", "required value", "", needEffect}}},
		{"k:noSchedule", []taint.FieldError{{"taints[0].effect", "unsupported value", "noSchedule", needEffect + " (is NoSchedule meant? Case matters)"}}},
		{"k:preferNoSchedule", []taint.FieldError{{"taints[0].effect", "unsupported value", "preferNoSchedule", needEffect + " (is PreferNoSchedule meant? Case matters)"}}},
		{"k:noexecute", []taint.FieldError{{"taints[0].effect", "unsupported value", "noexecute", needEffect + " (is NoExecute meant? Case matters)"}}},
		{":NoSchedule", []taint.FieldError{{"taints[0].key", "invalid value", "", noName}}},
		{"a:NoSchedule a/b/c:NoExecute", []taint.FieldError{{"taints[1].key", "invalid value", "a/b/c", manySlashes}}},
		{"k=-:NoSchedule", []taint.FieldError{{"taints[0].value", "invalid value", "-", form}}},
		{"k=1:NoSchedule a:NoExecute k=2:NoSchedule", []taint.FieldError{
			{"taints[2]", "duplicate value", "k=2:NoSchedule", "must be unique by key and effect"}}},
		{"k:NoSchedule k:NoSchedule k:NoSchedule", []taint.FieldError{
			{"taints[1]", "duplicate value", "k:NoSchedule", "must be unique by key and effect"},
			{"taints[2]", "duplicate value", "k:NoSchedule", "must be unique by key and effect"}}},
		{"-=-:- ok:NoSchedule -=-:-", []taint.FieldError{
			{"taints[0].key", "invalid value", "-", badName},
			{"taints[0].value", "invalid value", "-", form},
			{"taints[0].effect", "unsupported value", "-", needEffect},
			{"taints[2].key", "invalid value", "-", badName},
			{"taints[2].value", "invalid value", "-", form},
			{"taints[2].effect", "unsupported value", "-", needEffect},
			{"taints[2]", "duplicate value", "-=-:-", "must be unique by key and effect"}}},
		{"/=" + x(63) + "-: k:NoSchedule", []taint.FieldError{
			{"taints[0].key", "invalid value", "/", noPrefix + "; " + noName},
			{"taints[0].value", "invalid value", x(63) + "-", longValue + "; " + form},
			{"taints[0].effect", "required value", "", needEffect}}},
	}
	for _, tt := range tests {
		err := taint.Validate(list(tt.taints))
		var faults *taint.FieldErrors
		if !errors.As(err, &faults) {
			t.Errorf("%s: %v is no FieldErrors", tt.taints, err)
			continue
		}
		if got, want := lines(faults.Faults), lines(pointers(tt.want)); got != want {
			t.Errorf("%s: got\n%swant\n%s", tt.taints, got, want)
		}
	}
}

func pointers(faults []taint.FieldError) (es []*taint.FieldError) {
	for i := range faults {
		es = append(es, &faults[i])
	}
	return es
}

// lines spells every field of every fault out.
func lines(faults []*taint.FieldError) string {
	var b strings.Builder
	for _, f := range faults {
		fmt.Fprintf(&b, "  %+v\n", *f)
	}
	return b.String()
}

// Validate finds no fault exactly if each taint is valid by the oracle and no
// two share key and effect; and each fault names a taint and what it holds.
func TestV1V4ValidateAgainstOracle(t *testing.T) {
	anyList := rapid.SliceOfN(rapid.OneOf(smallTaint, validTaint, validTaint), 0, 5)
	rapid.Check(t, func(t *rapid.T) {
		taints := anyList.Draw(t, "taints")
		valid, seen := true, map[string]bool{}
		for _, u := range taints {
			valid = valid && isTaint(u) && !seen[identity(u)]
			seen[identity(u)] = true
		}
		err := taint.Validate(taints)
		if (err == nil) != valid {
			t.Fatalf("Validate(%v) = %v, want valid: %v", taints, err, valid)
		}
		var faults *taint.FieldErrors
		if err != nil && !errors.As(err, &faults) {
			t.Fatalf("%v is no FieldErrors", err)
		}
		at := 0
		for _, f := range all(faults) {
			for at < len(taints) && !strings.HasPrefix(f.Field, fmt.Sprintf("taints[%d]", at)) {
				at++ // input order: never back
			}
			if at == len(taints) {
				t.Fatalf("%v is out of order in %v", f, faults)
			}
			u := taints[at]
			holds := map[string]string{"": u.String(), ".key": u.Key, ".value": u.Value, ".effect": string(u.Effect)}
			if value, ok := holds[strings.TrimPrefix(f.Field, fmt.Sprintf("taints[%d]", at))]; !ok || value != f.Value || f.Detail == "" {
				t.Fatalf("%+v says the wrong thing of %v", f, u)
			}
		}
	})
}

// all returns the faults, and none for nil.
func all(es *taint.FieldErrors) []*taint.FieldError {
	if es == nil {
		return nil
	}
	return es.Faults
}

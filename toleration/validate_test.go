package toleration_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// faults returns the lines of a validation error, and none for nil.
func faults(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var errs *taint.FieldErrors
	if !errors.As(err, &errs) || len(errs.Faults) == 0 {
		t.Fatalf("%v is %T, not a FieldErrors", err, err)
	}
	var lines []string
	for _, e := range errs.Faults {
		lines = append(lines, e.Error())
	}
	return lines
}

// mustParse reads any toleration, valid or not.
func mustParse(text string) toleration.Toleration {
	t, err := notation.Toleration(text)
	if err != nil {
		panic(err)
	}
	return t
}

func mustParseList(t testing.TB, text string) []toleration.Toleration {
	t.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

const (
	wantExists   = `: must be Exists when the key is empty, which matches every key and value`
	wantInteger  = `: must be a decimal integer without leading zeros that fits in 64 bits`
	wantName     = ` must consist of letters, digits, "-", "_" and ".", and begin and end with a letter or digit`
	wantEffect   = `: must be NoSchedule, PreferNoSchedule, NoExecute or empty`
	wantOperator = `: must be Exists, Equal, Lt, Gt or empty`
	wantGateOff  = `: must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators`
)

func TestV2Validate(t *testing.T) {
	long := strings.Repeat("v", 64)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"*", nil},
		{"*:NoSchedule", nil},
		{"k,k=,k==v,k=v:NoExecute@300,k:NoExecute@-1,example.com/k:PreferNoSchedule", nil},
		{"k>5,k<-5:NoSchedule,k>0,k<9223372036854775807,k>-9223372036854775808", nil},
		{"k=" + long[:63], nil},
		{"k,k,k", nil}, // the API server does not ask for uniqueness
		{"*=", []string{`tolerations[0].operator: invalid value ""` + wantExists}},
		{"*==v", []string{`tolerations[0].operator: invalid value "Equal"` + wantExists}},
		{"*>5", []string{`tolerations[0].operator: invalid value "Gt"` + wantExists}},
		{`"k~"`, []string{`tolerations[0].key: invalid value "k~": the name` + wantName}},
		{"k/l/m", []string{`tolerations[0].key: invalid value "k/l/m": must be a name with an optional DNS subdomain and one "/" in front`}},
		{"k=-v", []string{`tolerations[0].value: invalid value "-v":` + wantName}},
		{"k=" + long, []string{`tolerations[0].value: invalid value "` + long + `": must be no more than 63 characters`}},
		{"k?Exists v", []string{`tolerations[0].value: invalid value "v": must be empty when the operator is Exists`}},
		{"k>", []string{`tolerations[0].value: invalid value ""` + wantInteger}},
		{"k<05", []string{`tolerations[0].value: invalid value "05"` + wantInteger}},
		{"k>9223372036854775808", []string{`tolerations[0].value: invalid value "9223372036854775808"` + wantInteger}},
		{"k?In v", []string{`tolerations[0].operator: unsupported value "In"` + wantOperator}},
		{"k?DoesNotExist ", []string{`tolerations[0].operator: unsupported value "DoesNotExist"` + wantOperator}},
		{"k?Exist ", []string{`tolerations[0].operator: unsupported value "Exist"` + wantOperator + " (is Exists meant?)"}},
		{"k?exists ", []string{`tolerations[0].operator: unsupported value "exists"` + wantOperator + " (is Exists meant? Case matters)"}},
		{"k?equal v", []string{`tolerations[0].operator: unsupported value "equal"` + wantOperator + " (is Equal meant? Case matters)"}},
		{"k?lt 5", []string{`tolerations[0].operator: unsupported value "lt"` + wantOperator + " (is Lt meant? Case matters)"}},
		{"k:noschedule", []string{`tolerations[0].effect: unsupported value "noschedule"` + wantEffect + " (is NoSchedule meant? Case matters)"}},
		{"k:NOEXECUTE", []string{`tolerations[0].effect: unsupported value "NOEXECUTE"` + wantEffect + " (is NoExecute meant? Case matters)"}},
		{"k:PreferredNoSchedule", []string{`tolerations[0].effect: unsupported value "PreferredNoSchedule"` + wantEffect + " (is PreferNoSchedule meant?)"}},
		{"k:Other", []string{`tolerations[0].effect: unsupported value "Other"` + wantEffect}},
		{"k@300", []string{`tolerations[0].effect: invalid value "": must be NoExecute when tolerationSeconds is set`}},
		{"k:NoSchedule@0", []string{`tolerations[0].effect: invalid value "NoSchedule": must be NoExecute when tolerationSeconds is set`}},
		{"k", nil},
		// V4: all of them, in the order of the input.
		{`k,*?In v:Other@1,k,k=-`, []string{
			`tolerations[1].operator: invalid value "In"` + wantExists,
			`tolerations[1].operator: unsupported value "In"` + wantOperator,
			`tolerations[1].effect: unsupported value "Other"` + wantEffect,
			`tolerations[1].effect: invalid value "Other": must be NoExecute when tolerationSeconds is set`,
			`tolerations[3].value: invalid value "-":` + wantName,
		}},
	} {
		got := faults(t, toleration.Rules{Comparisons: true}.Validate(mustParseList(t, c.text)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestV2N5ValidateGateOff(t *testing.T) {
	got := faults(t, toleration.Rules{}.Validate(mustParseList(t, "k=v,k,k>5,k<x,k?In v")))
	want := []string{
		`tolerations[2].operator: unsupported value "Gt"` + wantGateOff,
		`tolerations[3].operator: unsupported value "Lt"` + wantGateOff,
		`tolerations[4].operator: unsupported value "In"` + wantGateOff,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestV3ValidateUpdate(t *testing.T) {
	for _, c := range []struct {
		old, updated string
		want         []string
	}{
		{"", "", nil},
		{"", "a", nil},
		{"a,b=1", "a,b=1", nil},
		{"a,b=1", "b=1,c,a", nil}, // in any order
		{"a:NoExecute@300", "a:NoExecute@5", nil},
		{"a:NoExecute@300", "a:NoExecute", nil},
		{"a:NoExecute", "a:NoExecute@0", nil},
		{"a,a", "a", nil}, // one of two equal ones is enough
		{"a", "", []string{`tolerations: forbidden: "a" is missing; only its tolerationSeconds may change`}},
		{"a=", "a==", []string{`tolerations: forbidden: "a=" is missing; only its tolerationSeconds may change`}},
		{"a=1", "a=2", []string{`tolerations: forbidden: "a=1" is missing; only its tolerationSeconds may change`}},
		{"a:NoSchedule,b", "a:NoExecute,c?In ", []string{
			`tolerations: forbidden: "a:NoSchedule" is missing; only its tolerationSeconds may change`,
			`tolerations: forbidden: "b" is missing; only its tolerationSeconds may change`,
			`tolerations[1].operator: unsupported value "In"` + wantOperator,
		}},
	} {
		got := faults(t, toleration.Rules{Comparisons: true}.ValidateUpdate(mustParseList(t, c.updated), mustParseList(t, c.old)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s -> %s (-want +got):\n%s", c.old, c.updated, diff)
		}
	}
}

// The lists that were found in the wild are valid, and those that the API
// server refused are not.
func TestV2RealLists(t *testing.T) {
	for _, list := range corpus.Tolerations() {
		if err := (toleration.Rules{Comparisons: true}).Validate(list.Tolerations); err != nil {
			t.Errorf("%s: %v", list.Source, err)
		}
		if err := (toleration.Rules{}).Validate(list.Tolerations); (err != nil) != (list.Gate != "") {
			t.Errorf("%s: needs gate %q, but with the gate off: %v", list.Source, list.Gate, err)
		}
	}
	refused := 0
	for _, list := range corpus.Invalid() {
		if list.Tolerations == nil || strings.Contains(list.Why[0], "unknown field") {
			continue
		}
		var tolerations []toleration.Toleration
		if err := json.Unmarshal(list.Tolerations, &tolerations); err == nil && (toleration.Rules{Comparisons: true}).Validate(tolerations) == nil {
			t.Errorf("%s: %s is accepted; the API server says %s", list.Source, list.Tolerations, list.Why)
		}
		refused++
	}
	if refused < 5 {
		t.Errorf("only %d lists were tried", refused)
	}
}

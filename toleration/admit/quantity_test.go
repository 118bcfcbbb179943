package admit_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// class returns the class of a pod that requests and limits memory like this, and a
// CPU.
func class(request, limit admit.Quantity) (admit.QOSClass, error) {
	return (&admit.PodResources{Containers: []admit.Resources{{
		Requests: map[string]admit.Quantity{"cpu": "1", "memory": request},
		Limits:   map[string]admit.Quantity{"cpu": "1", "memory": limit},
	}}}).QOS()
}

// Equal amounts in different words, and nearly equal ones, as Kubernetes reads them
// (rule A3).
func TestA3Amounts(t *testing.T) {
	const twoTo63 = "9223372036854775808"
	for _, test := range []struct {
		one, two admit.Quantity
		equal    bool
	}{
		{"1000m", "1", true}, {"1000000u", "1", true}, {"1000000000n", "1", true}, {"0.5", "500m", true}, {".5", "500m", true}, {"1.", "1", true},
		{"1k", "1000", true}, {"1M", "1000k", true}, {"1G", "1000M", true}, {"1T", "1000G", true}, {"1P", "1000T", true}, {"1E", "1000P", true},
		{"1Ki", "1024", true}, {"1Mi", "1024Ki", true}, {"1Gi", "1024Mi", true}, {"1Ti", "1024Gi", true}, {"1Pi", "1024Ti", true}, {"1Ei", "1024Pi", true},
		{"1e3", "1k", true}, {"1E3", "1k", true}, {"1e+3", "1k", true}, {"1e-3", "1m", true}, {"10e-1", "1", true},
		{"+1", "1", true}, {"-1", "-1000m", true}, {"-1", "1", false}, {"-0", "0", true},
		{"0.0000000001", "1n", true}, {"-0.0000000001", "-1n", true}, {"0.0000000011", "2n", true}, {"0.0000000010", "1n", true}, {"0.0000000001", "0", false},
		{"8Ei", "9Ei", true}, {twoTo63 + "Ki", "8Ei", true}, {"-8Ei", "-9Ei", true}, {"7Ei", "8Ei", false}, {twoTo63, twoTo63 + "000m", true}, {twoTo63, "8Ei", false},
		{"1e1000", "10e999", true}, {"1e-1000", "1n", true}, {"00.10", "0.1", true}, {"1", "2", false}, {"1K" + "i", "1k", false},
	} {
		got, err := class(test.one, test.two)
		zero, _ := class(test.one, "0")
		if err != nil || (got == admit.Guaranteed) != (test.equal && zero == admit.Burstable && test.one != "-0") {
			t.Errorf("%q and %q: %s, %v", test.one, test.two, got, err)
		}
	}
}

// What is not an amount is a fault, with the cause (rule A3).
func TestA3NotAmounts(t *testing.T) {
	const number, exponent = "must be a decimal number with an optional suffix", "must have an exponent between -1000 and 1000"
	for text, want := range map[admit.Quantity]string{
		"": number, "-": number, "+": number, ".": number, "Ki": number, "m": number, "e3": number, "--1": number, "1-": number, "1 ": number, " 1": number,
		"1K": number, "1ki": number, "1Kii": number, "1mm": number, "1.2.3": number, "1e": number, "1e+": number, "1ex": number, "1e1.5": number, "0x1": number, "1e3Ki": number,
		"1e1001": exponent, "1e-1001": exponent, "1E99999999999999999999": exponent, "1e-99999999999999999999": exponent,
	} {
		got, err := class(text, "1")
		var faults *taint.FieldErrors
		if got != "" || !errors.As(err, &faults) || len(faults.Faults) != 1 {
			t.Errorf("%q: %s, %v", text, got, err)
			continue
		}
		fault := *faults.Faults[0]
		if !strings.HasPrefix(fault.Detail, want) || fault.Field != "containers[0].resources.requests[memory]" || fault.Value != string(text) || fault.Problem != "invalid value" {
			t.Errorf("%q: %+v", text, fault)
		}
	}
}

// Resources that are not asked about may have any amount (rule A3).
func TestA3OtherResources(t *testing.T) {
	p := admit.PodResources{Pod: &admit.Resources{Requests: map[string]admit.Quantity{"x": "?"}}, Containers: []admit.Resources{{Limits: map[string]admit.Quantity{"y": ""}}}}
	if got, err := p.QOS(); got != admit.BestEffort || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	p.Pod.Limits = map[string]admit.Quantity{"memory": "?"}
	_, err := p.QOS()
	if err == nil || !strings.HasPrefix(err.Error(), "resources.limits[memory]: ") {
		t.Errorf("of the pod as a whole: %v", err)
	}
}

// A huge number is read, and an exponent cannot make it larger than its text allows.
func TestA3HugeAmount(t *testing.T) {
	digits := admit.Quantity(strings.Repeat("9", 100_000))
	if got, err := class(digits+"e1000", digits+"e1000"); got != admit.Guaranteed || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// Thousandths are rounded away from zero, and stay within 64 bits.
func TestMilliValue(t *testing.T) {
	for text, want := range map[admit.Quantity]int64{
		"0": 0, "1": 1000, "250m": 250, "0.5": 500, "1n": 1, "-1n": -1, "1000001u": 1001, "999999999n": 1000, "1Ki": 1024000, "-2": -2000,
		"9223372036854775807m": math.MaxInt64, "9223372036854775808m": math.MaxInt64, "8Ei": math.MaxInt64, "-9223372036854775809m": math.MinInt64, "1e1000": math.MaxInt64,
	} {
		if got, err := text.MilliValue(); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	if got, err := admit.Quantity("1K").MilliValue(); got != 0 || err == nil {
		t.Errorf("1K: %d, %v", got, err)
	}
}

package toleration_test

import (
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

var (
	lawOperators = []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt, "In", "And"}
	lawValues    = []string{"", "x", "-x", "05", "-2", "-1", "0", "1", "2", "3", "4", "5", "6", "7",
		"-9223372036854775808", "-9223372036854775807", "9223372036854775806", "9223372036854775807", "9223372036854775808"}
)

// The values of a toleration are those of the taints that it tolerates, and those of
// two tolerations are equal by == if and only if they match the same values.
func TestValues(t *testing.T) {
	var all []toleration.Toleration
	for _, operator := range lawOperators {
		for _, value := range lawValues {
			all = append(all, toleration.Toleration{Key: "a", Operator: operator, Value: value})
		}
	}
	matched := make([]string, len(all))
	for i := range all {
		values := all[i].Values()
		for _, value := range lawValues {
			want := all[i].Tolerates(&taint.Taint{Key: "a", Value: value}, comparisons)
			if got := contains(values, value); got != want {
				t.Errorf("%v contains %q: %v, want %v", &all[i], value, got, want)
			}
			if want {
				matched[i] += value + ","
			}
		}
		if !contains(values, "something else") && values.Kind == toleration.EveryValue {
			t.Errorf("%v does not contain every value", &all[i])
		}
	}
	for i := range all {
		for j := range all {
			if got, want := all[i].Values() == all[j].Values(), matched[i] == matched[j]; got != want {
				t.Errorf("%v and %v: equal is %v", &all[i], &all[j], got)
			}
		}
	}
}

// contains says what the kinds mean.
func contains(v toleration.Values, value string) bool {
	n, err := strconv.ParseInt(value, 10, 64)
	integer := err == nil && strconv.FormatInt(n, 10) == value
	switch v.Kind {
	case toleration.EveryValue:
		return true
	case toleration.OneValue:
		return value == v.Value
	case toleration.IntegersAbove:
		return integer && n > v.Bound
	case toleration.IntegersBelow:
		return integer && n < v.Bound
	}
	return false
}

func TestValuesDoNotAllocate(t *testing.T) {
	x := toleration.Toleration{Operator: toleration.OpGt, Value: "9223372036854775806"}
	allocs := testing.AllocsPerRun(100, func() {
		if v := x.Values(); v.Kind != toleration.OneValue {
			t.Error("one integer is greater than 9223372036854775806")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

package manifest

import (
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// slips are words that occur in real manifests in place of the right ones,
// besides those in the wrong case.
var slips = map[string]string{
	"operation": "operator",
	"Equals":    string(toleration.OpEqual), "Exist": string(toleration.OpExists),
	"NoSchedules": string(taint.NoSchedule), "NotSchedule": string(taint.NoSchedule),
	"PreferredNoSchedule": string(taint.PreferNoSchedule), "NoExecutes": string(taint.NoExecute),
}

var (
	fieldNames    = []string{"key", "operator", "value", "effect", "tolerationSeconds", "timeAdded"}
	operatorNames = []string{string(toleration.OpEqual), string(toleration.OpExists), string(toleration.OpLt), string(toleration.OpGt)}
	effectNames   = []string{string(taint.NoSchedule), string(taint.PreferNoSchedule), string(taint.NoExecute)}
)

// meantField returns the field that was probably meant, as the end of a message,
// and nothing if there is none.
func meantField(name string) string { return meant(name, fieldNames) }

// meant returns which of the known words was probably meant.
func meant(word string, known []string) string {
	for _, k := range known {
		switch {
		case word == k:
		case strings.EqualFold(word, k):
			return " (is " + k + " meant? Case matters)"
		case slips[word] == k:
			return " (is " + k + " meant?)"
		}
	}
	return ""
}

// explained returns a fault that validation found with what follows from it here,
// or what was probably meant.
func explained(fault *taint.FieldError) *taint.FieldError {
	if fault.Problem != taint.Unsupported {
		return fault
	}
	told := *fault
	switch operator := strings.HasSuffix(fault.Field, ".operator"); {
	case operator && toleration.Operator(fault.Value).Comparison():
		told.Detail += "; the toleration does not count"
	case operator:
		told.Detail += meant(fault.Value, operatorNames)
	default:
		told.Detail += meant(fault.Value, effectNames)
	}
	return &told
}

package manifest

import (
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/word"
	"github.com/tolero-dev/tolero/toleration"
)

// meantField returns the field that was probably meant, as the end of a message,
// and nothing if there is none.
func meantField(name string) string {
	return word.Meant(name, "key", "operator", "value", "effect", "tolerationSeconds", "timeAdded")
}

// explained returns a fault that validation found, with what follows from it here.
func explained(fault *taint.FieldError) *taint.FieldError {
	if fault.Problem != "unsupported value" || !strings.HasSuffix(fault.Field, ".operator") ||
		!toleration.Operator(fault.Value).Comparison() {
		return fault
	}
	told := *fault
	told.Detail += "; the toleration does not count"
	return &told
}

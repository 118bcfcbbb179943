package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// taintFix says how to mend what the API server refuses in a taint.
func taintFix(fault *taint.FieldError) string {
	switch {
	case strings.HasSuffix(fault.Field, ".effect"):
		return effectFix(fault.Value)
	case fault.Problem == "duplicate value":
		return "remove one of the two"
	case strings.HasSuffix(fault.Field, ".key"):
		return "rename the key"
	}
	return "change the value"
}

// tolerationFix says how to mend what the API server refuses in a toleration.
func tolerationFix(fault *taint.FieldError, t *toleration.Toleration) string {
	switch _, field, _ := strings.Cut(fault.Field, "]."); field {
	case "effect":
		if fault.Problem == "unsupported value" {
			return effectFix(fault.Value)
		}
		return "make the effect NoExecute, or remove the seconds"
	case "operator":
		switch {
		case fault.Problem != "unsupported value":
			return "name a key, or make the operator Exists without a value"
		case t.Operator.Comparison():
			return "list the values with Equal, or turn the feature gate on"
		}
		return operatorFix(fault.Value)
	case "key":
		return "rename the key"
	}
	if t.Operator == toleration.OpExists {
		return "remove the value, or make the operator Equal"
	}
	return "change the value"
}

// effectFix suggests an effect for one that is misspelled.
func effectFix(effect string) string {
	return nearest(effect, string(taint.NoSchedule), string(taint.PreferNoSchedule), string(taint.NoExecute))
}

func operatorFix(operator string) string {
	return nearest(operator, string(toleration.OpExists), string(toleration.OpEqual))
}

// nearest suggests one of the words, or all of them.
func nearest(word string, words ...string) string {
	var known spelling.Keys
	plain := strings.NewReplacer("_", "", "-", "").Replace(word) // NO_SCHEDULE, as clouds have it
	for _, w := range words {
		if strings.EqualFold(plain, w) {
			return "probably " + w
		}
		known.Add(w)
	}
	if near, found := known.Misspelled(word); found {
		return "probably " + near
	}
	last := len(words) - 1
	return "make it " + strings.Join(words[:last], ", ") + " or " + words[last]
}

// indexOf returns the index in a field such as "tolerations[2].key".
func indexOf(field string) int {
	_, rest, _ := strings.Cut(field, "[")
	digits, _, _ := strings.Cut(rest, "]")
	i, _ := strconv.Atoi(digits) // fields of package taint have one
	return i
}

// plural returns a number with the word for what is counted.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

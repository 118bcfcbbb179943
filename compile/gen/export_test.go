package gen

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Repaired makes the tolerations valid, and leaves out those that it cannot.
func Repaired(list []toleration.Toleration) []toleration.Toleration {
	list = slices.Clone(list)
	for i := range list {
		t := &list[i]
		if t.Key == "" {
			t.Operator = toleration.OpExists
		}
		if t.Operator == toleration.OpExists {
			t.Value = ""
		}
		if t.TolerationSeconds != nil {
			t.Effect = taint.NoExecute
		}
	}
	return slices.DeleteFunc(list, func(t toleration.Toleration) bool {
		return toleration.Rules{Comparisons: true}.Validate([]toleration.Toleration{t}) != nil
	})
}

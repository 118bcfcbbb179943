package taint_test

import (
	"errors"
	"fmt"

	"github.com/tolero-dev/tolero/taint"
)

func ExampleParse() {
	t, err := taint.Parse("dedicated=gpu:NoSchedule")
	fmt.Println(t.Key, t.Value, t.Effect, err)

	_, err = taint.Parse("dedicated=gpu:Never")
	fmt.Println(err)
	// Output:
	// dedicated gpu NoSchedule <nil>
	// taint "dedicated=gpu:Never": effect: unsupported value "Never": must be NoSchedule, PreferNoSchedule or NoExecute
}

func ExampleChange_Apply() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,maintenance=:NoExecute")

	// What kubectl taint nodes NODE dedicated=batch:NoSchedule maintenance- does.
	change, _ := taint.ParseChange("dedicated=batch:NoSchedule", "maintenance-")
	_, err := change.Apply(nil, node, false)
	fmt.Println(errors.Is(err, taint.ErrExists), err)

	updated, err := change.Apply(nil, node, true)
	fmt.Println(taint.FormatList(updated), err)
	// Output:
	// true taint "dedicated=batch:NoSchedule": already on the node with the same effect
	// dedicated=batch:NoSchedule <nil>
}

func ExampleValidate() {
	err := taint.Validate([]taint.Taint{
		{Key: "dedicated", Value: "gpu", Effect: taint.NoSchedule},
		{Key: "dedicated", Value: "g p u", Effect: taint.NoSchedule},
	})
	var faults *taint.FieldErrors
	if errors.As(err, &faults) {
		for _, fault := range faults.Under("spec").Faults {
			fmt.Println(fault)
		}
	}
	// Output:
	// spec.taints[1].value: invalid value "g p u": must consist of letters, digits, "-", "_" and ".", and begin and end with a letter or digit
	// spec.taints[1]: duplicate value "dedicated=\"g p u\":NoSchedule": must be unique by key and effect
}

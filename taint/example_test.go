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

func ExampleUpsert() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,maintenance:NoExecute")
	list, changed := taint.Upsert(nil, node, taint.MustParse("dedicated=batch:NoSchedule"))
	fmt.Println(taint.FormatList(list), changed)
	list, changed = taint.Remove(nil, list, taint.Taint{Key: "maintenance", Effect: taint.NoExecute})
	fmt.Println(taint.FormatList(list), changed)
	// Output:
	// dedicated=batch:NoSchedule,maintenance:NoExecute true
	// dedicated=batch:NoSchedule true
}

// What to change so that a node has the taints that it should have.
func ExampleDifference() {
	present, _ := taint.ParseList("dedicated=gpu:NoSchedule,maintenance:NoExecute")
	wanted, _ := taint.ParseList("dedicated=batch:NoSchedule,spot:PreferNoSchedule")
	list := taint.Clone(present)
	for _, t := range wanted {
		list, _ = taint.Upsert(list[:0], list, t) // adds it, or updates its value
	}
	gone := taint.Difference(nil, present, wanted)
	for i := range gone {
		list, _ = taint.Remove(list[:0], list, gone[i])
	}
	fmt.Println("removed", taint.FormatList(gone))
	fmt.Println("present", taint.FormatList(list))
	// Output:
	// removed maintenance:NoExecute
	// present dedicated=batch:NoSchedule,spot:PreferNoSchedule
}

func ExampleWithCordon() {
	spec, _ := taint.ParseList("dedicated=gpu:NoSchedule")
	all := taint.WithCordon(nil, spec, true)
	for i, t := range all {
		field := "spec.unschedulable"
		if i -= len(all) - len(spec); i >= 0 {
			field = fmt.Sprintf("spec.taints[%d]", i)
		}
		fmt.Println(field, t)
	}
	// Output:
	// spec.unschedulable node.kubernetes.io/unschedulable:NoSchedule
	// spec.taints[0] dedicated=gpu:NoSchedule
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

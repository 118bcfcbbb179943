package toleration_test

import (
	"errors"
	"fmt"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func ExampleToleration_Tolerates() {
	gpu := taint.MustParse("dedicated=gpu:NoSchedule")
	for _, text := range []string{"dedicated=gpu:NoSchedule", "dedicated", "dedicated=cpu", "*:NoExecute"} {
		t := toleration.MustParse(text)
		fmt.Println(t, t.Tolerates(&gpu))
	}
	// Output:
	// dedicated=gpu:NoSchedule true
	// dedicated true
	// dedicated=cpu false
	// *:NoExecute false
}

func ExampleParse() {
	t, err := toleration.Parse("node.kubernetes.io/not-ready:NoExecute@300")
	fmt.Println(t.Key, t.Operator, t.Effect, *t.TolerationSeconds, err)

	_, err = toleration.Parse("dedicated=gpu:Never")
	fmt.Println(err)
	// Output:
	// node.kubernetes.io/not-ready Exists NoExecute 300 <nil>
	// toleration "dedicated=gpu:Never": effect: unsupported value "Never": must be NoSchedule, PreferNoSchedule, NoExecute or empty
}

func ExampleFor() {
	x := taint.MustParse("dedicated=gpu:NoSchedule")
	t := toleration.For(&x)
	fmt.Println(t, t.Tolerates(&x))
	// Output: dedicated==gpu:NoSchedule true
}

func ExampleUpsert() {
	pod := []toleration.Toleration{toleration.MustParse("node.kubernetes.io/not-ready:NoExecute@300")}
	list, changed := toleration.Upsert(nil, pod, toleration.MustParse("node.kubernetes.io/not-ready:NoExecute@60"))
	fmt.Println(toleration.FormatList(list), changed)
	// Output: node.kubernetes.io/not-ready:NoExecute@60 true
}

func ExampleRules_Validate() {
	pod := []toleration.Toleration{
		{Key: "dedicated", Operator: toleration.OpExists, Value: "gpu"},
		{Key: "example.com/cores", Operator: toleration.OpGt, Value: "16"},
	}
	rules := toleration.Rules{} // a default cluster
	var invalid *taint.FieldErrors
	if errors.As(rules.Validate(pod), &invalid) {
		for _, fault := range invalid.Under("spec").Faults {
			fmt.Println(fault)
		}
	}
	// Output:
	// spec.tolerations[0].value: invalid value "gpu": must be empty when the operator is Exists
	// spec.tolerations[1].operator: unsupported value "Gt": must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators
}

// A pod that was created while the feature gate was on stays legal.
func ExampleRules_ValidateUpdate() {
	rules := toleration.Rules{} // the gate is off
	old, _ := toleration.ParseList("example.com/cores>16")
	updated, _ := toleration.ParseList("example.com/cores>16,example.com/disks>2")
	fmt.Println(rules.ValidateUpdate(updated, old))
	fmt.Println(rules.ValidateUpdate(updated[1:], old))
	// Output:
	// <nil>
	// tolerations: forbidden: "example.com/cores>16" is missing; only its tolerationSeconds may change
}

// A default cluster ignores Gt and Lt.
func ExampleRules() {
	node := []taint.Taint{taint.MustParse("example.com/cores=32:NoSchedule")}
	pod, _ := toleration.ParseList("example.com/cores>16")
	for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
		_, untolerated := match.FirstUntolerated(node, pod, taint.Hard, rules)
		fmt.Println(rules.Comparisons, !untolerated)
	}
	// Output:
	// false false
	// true true
}

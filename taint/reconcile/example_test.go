package reconcile_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/reconcile"
	"github.com/tolero-dev/tolero/toleration"
)

func ExampleTaints() {
	live, _ := taint.ParseList("node.kubernetes.io/unschedulable:NoSchedule,dedicated=web:NoSchedule,spot=true:NoSchedule")
	last, _ := taint.ParseList("dedicated=web:NoSchedule,spot=true:NoSchedule")
	desired, _ := taint.ParseList("dedicated=gpu:NoSchedule,node.kubernetes.io/unschedulable:NoSchedule")

	plan := reconcile.Taints(live, last, desired)
	fmt.Println(plan)
	fmt.Println("then:", taint.FormatList(plan.Apply(nil, live)))
	fmt.Println("keep:", taint.FormatList(plan.Applied))
	// Output:
	// update dedicated=web:NoSchedule to dedicated=gpu:NoSchedule
	// remove spot=true:NoSchedule
	// shared: node.kubernetes.io/unschedulable:NoSchedule is as wanted and belongs to another owner
	// then: node.kubernetes.io/unschedulable:NoSchedule,dedicated=gpu:NoSchedule
	// keep: dedicated=gpu:NoSchedule
}

// A pod keeps its tolerations once it exists.
func ExampleTolerations() {
	live, _ := toleration.ParseList("dedicated=web,node.kubernetes.io/unreachable:NoExecute@300")
	last, _ := toleration.ParseList("dedicated=web,node.kubernetes.io/unreachable:NoExecute@300")
	desired, _ := toleration.ParseList("node.kubernetes.io/unreachable:NoExecute@30")
	fmt.Println(reconcile.Tolerations(reconcile.Pod, live, last, desired))
	// Output:
	// update node.kubernetes.io/unreachable:NoExecute@300 to node.kubernetes.io/unreachable:NoExecute@30
	// forbidden: dedicated=web cannot be removed here
}

func ExampleUpdateAllowed() {
	old, _ := toleration.ParseList("dedicated=web")
	updated, _ := toleration.ParseList("dedicated=gpu")
	for _, object := range []reconcile.Object{reconcile.Pod, reconcile.SuspendedJob} {
		fmt.Printf("%v: %v\n", object, reconcile.UpdateAllowed(object, old, updated))
	}
	// Output:
	// pod: tolerations: forbidden: "dedicated=web" is missing; only its tolerationSeconds may change
	// suspended job: <nil>
}

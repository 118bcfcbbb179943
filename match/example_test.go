package match_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The worked example of the Kubernetes documents (rule F5): a pod that cannot
// be scheduled onto a node may still be allowed to stay there.
func ExampleDecide() {
	node := []taint.Taint{
		{Key: "key1", Value: "value1", Effect: taint.NoSchedule},
		{Key: "key1", Value: "value1", Effect: taint.NoExecute},
		{Key: "key2", Value: "value2", Effect: taint.NoSchedule},
	}
	pod := []toleration.Toleration{
		{Key: "key1", Operator: toleration.OpEqual, Value: "value1", Effect: taint.NoSchedule},
		{Key: "key1", Operator: toleration.OpEqual, Value: "value1", Effect: taint.NoExecute},
	}
	fmt.Println(match.Decide(node, pod))
	if i, ok := match.FirstUntolerated(node, pod, taint.Hard); ok {
		fmt.Println("because of", node[i])
	}
	// Output:
	// unschedulable, stay
	// because of key2=value2:NoSchedule
}

func ExampleFilter() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,node.kubernetes.io/disk-pressure:NoSchedule,spot=true:PreferNoSchedule")
	pod, _ := toleration.ParseListLenient("dedicated=gpu:NoSchedule,spot")
	fmt.Println(match.Filter(nil, node, pod))
	// Output:
	// [node.kubernetes.io/disk-pressure:NoSchedule]
}

func ExampleEvictionDelay() {
	node, _ := taint.ParseList("node.kubernetes.io/unreachable:NoExecute")
	pod, _ := toleration.ParseListLenient("node.kubernetes.io/unreachable:NoExecute@300")
	after, evicted := match.EvictionDelay(node, pod)
	fmt.Println(after, evicted)
	// Output:
	// 5m0s true
}

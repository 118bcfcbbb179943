package match_test

import (
	"fmt"
	"strings"

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
	v := match.Decide(node, pod)
	fmt.Println(v)
	fmt.Println(v.Sentence(node))
	// Output:
	// unschedulable, stay
	// not schedulable: key2=value2:NoSchedule is not tolerated; may stay
}

func ExampleFirstUntolerated() {
	node, _ := taint.ParseList("spot=true:PreferNoSchedule,dedicated=gpu:NoSchedule")
	pod, _ := toleration.ParseList("dedicated=web")
	if i, ok := match.FirstUntolerated(node, pod, taint.Hard); ok {
		fmt.Println("the pod does not tolerate", node[i])
	}
	// Output:
	// the pod does not tolerate dedicated=gpu:NoSchedule
}

func ExampleFilter() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,node.kubernetes.io/disk-pressure:NoSchedule,spot=true:PreferNoSchedule")
	pod, _ := toleration.ParseList("dedicated=gpu:NoSchedule")
	fmt.Println(match.Filter(nil, node, pod, taint.AllEffects))
	fmt.Println(match.Filter(nil, node, pod, taint.Hard))
	// Output:
	// [node.kubernetes.io/disk-pressure:NoSchedule spot=true:PreferNoSchedule]
	// [node.kubernetes.io/disk-pressure:NoSchedule]
}

// An autoscaler leaves out the taints that a new node sheds when it is ready.
func ExampleFirstUntoleratedFunc() {
	node, _ := taint.ParseList("startup.example.com/cni:NoSchedule,node.kubernetes.io/not-ready:NoSchedule,dedicated=gpu:NoSchedule")
	pod, _ := toleration.ParseList("dedicated=gpu")
	lasting := func(t *taint.Taint) bool {
		return t.Key != taint.KeyNotReady && !strings.HasPrefix(t.Key, "startup.example.com/")
	}
	_, refused := match.FirstUntoleratedFunc(node, pod, taint.Hard, lasting)
	fmt.Println("fits when the node is ready:", !refused)
	// Output:
	// fits when the node is ready: true
}

// A scheduler ranks the nodes that it may use: the fewer untolerated
// PreferNoSchedule taints, the better.
func ExampleCountUntolerated() {
	pod, _ := toleration.ParseList("spot")
	var counts []int64
	for _, text := range []string{"spot:PreferNoSchedule", "old:PreferNoSchedule", "old:PreferNoSchedule,slow:PreferNoSchedule"} {
		node, _ := taint.ParseList(text)
		counts = append(counts, match.CountUntolerated(node, pod, taint.Soft))
	}
	fmt.Println("untolerated:", counts)
	match.NormalizeScores(counts)
	fmt.Println("scores:", counts)
	// Output:
	// untolerated: [0 1 2]
	// scores: [100 50 0]
}

func ExampleEvictionDelay() {
	node, _ := taint.ParseList("node.kubernetes.io/unreachable:NoExecute")
	pod, _ := toleration.ParseList("node.kubernetes.io/unreachable:NoExecute@300")
	after, evicted := match.EvictionDelay(node, pod)
	fmt.Println(after, evicted)
	// Output:
	// 5m0s true
}

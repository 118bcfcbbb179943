package index_test

import (
	"fmt"
	"maps"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func Example() {
	ix := index.New(toleration.Rules{})
	for i := range 1000 {
		ix.Set(fmt.Sprint("general-", i), nil)
	}
	gpu, _ := taint.ParseList("dedicated=gpu:NoSchedule")
	for i := range 20 {
		ix.Set(fmt.Sprint("gpu-", i), gpu)
	}
	lost, _ := taint.ParseList("node.kubernetes.io/unreachable:NoSchedule,node.kubernetes.io/unreachable:NoExecute")
	id := ix.Set("gpu-7", lost)
	snapshot := ix.Snapshot()

	var fit index.Fit // reused for the next pod
	pod, _ := notation.Tolerations("dedicated=gpu:NoSchedule,node.kubernetes.io/unreachable:NoExecute@300")
	snapshot.FitList(&fit, pod)
	fmt.Println(fit.Len(), "of", snapshot.Len(), "nodes; gpu-7:", fit.Has(id))
	for _, reason := range fit.AppendReasons(nil, -1) {
		fmt.Println(reason.Nodes, "refused by", reason.Taint)
	}
	after, _ := fit.EvictionDelay(snapshot.Class(id))
	fmt.Println("a pod on gpu-7 leaves after", after)
	// Output:
	// 1019 of 1020 nodes; gpu-7: false
	// 1 refused by node.kubernetes.io/unreachable:NoSchedule
	// a pod on gpu-7 leaves after 5m0s
}

// A scheduler that has pods waiting looks again at those that a change of a node
// freed, and at no others.
func ExamplePods_NodeUpdated() {
	var pods index.Pods
	plain := pods.Add(nil)
	gpu := pods.Add([]toleration.Toleration{{Key: "dedicated", Value: "gpu"}})
	pods.Add([]toleration.Toleration{{Operator: toleration.OpExists}})

	before, _ := taint.ParseList("dedicated=gpu:NoSchedule,node.kubernetes.io/disk-pressure:NoSchedule")
	after, _ := taint.ParseList("dedicated=gpu:NoSchedule")
	var change index.Impact // reused
	pods.NodeUpdated(&change, before, after)
	for class := range change.NowFit() {
		fmt.Println("fits now: plain", class == plain, "gpu", class == gpu)
	}
	// Output:
	// fits now: plain false gpu true
}

// What changed between two snapshots, by what nodes had and have.
func ExampleDiff() {
	gpu := []taint.Taint{taint.MustParse("dedicated=gpu:NoSchedule")}
	ix := index.New(toleration.Rules{})
	ix.Load(maps.All(map[string][]taint.Taint{"a": nil, "b": nil, "c": nil, "d": gpu}))
	before := ix.Snapshot()
	ix.Set("a", gpu)
	ix.Set("b", gpu)
	ix.Delete("d")

	var diff index.Diff // reused
	diff.Between(before, ix.Snapshot())
	for move := range diff.Moves() {
		for name := range diff.Names(move) {
			fmt.Print(name, " ")
		}
		fmt.Println(move.Nodes, "nodes; gone:", move.To == index.Class{})
	}
	// Unordered output:
	// a b 2 nodes; gone: false
	// d 1 nodes; gone: true
}

// One Fit for each class of pods, by two goroutines.
func ExampleSnapshot_Sweep() {
	ix := index.New(toleration.Rules{})
	ix.Set("plain", nil)
	ix.Set("gpu", []taint.Taint{taint.MustParse("dedicated=gpu:NoSchedule")})
	var pods index.Pods
	for range 1000 {
		pods.Add(nil)
	}
	for range 10 {
		pods.Add([]toleration.Toleration{{Operator: toleration.OpExists}})
	}
	fits := make([]index.Fit, 2) // reused
	places := make([]int, len(fits))
	ix.Snapshot().Sweep(fits, &pods, func(worker int, c index.PodClass, f *index.Fit) bool {
		places[worker] += pods.Count(c) * f.Len()
		return true
	})
	fmt.Println(places[0]+places[1], "pairs of a pod and a node that fit")
	// Output:
	// 1020 pairs of a pod and a node that fit
}

package index_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func Example() {
	ix := index.New()
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
	pod, _ := toleration.ParseList("dedicated=gpu:NoSchedule,node.kubernetes.io/unreachable:NoExecute@300")
	snapshot.Fit(&fit, pod)
	fmt.Println(fit.Len(), "of", snapshot.Len(), "nodes; gpu-7:", fit.Has(id))
	for _, reason := range fit.AppendReasons(nil) {
		fmt.Println(reason.Nodes, "refused by", reason.Taint)
	}
	after, _ := fit.EvictionDelay(snapshot.Class(id))
	fmt.Println("a pod on gpu-7 leaves after", after)
	// Output:
	// 1019 of 1020 nodes; gpu-7: false
	// 1 refused by node.kubernetes.io/unreachable:NoSchedule
	// a pod on gpu-7 leaves after 5m0s
}

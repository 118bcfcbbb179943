package headroom_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/headroom"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func Example() {
	free := map[string]int64{"node-1": 4, "node-2": 8, "gpu-1": 16, "gpu-2": 24}
	gpu := []taint.Taint{taint.MustParse("gpu:NoSchedule")}
	var ix index.Index
	ix.Set("node-1", nil)
	ix.Set("node-2", nil)
	ix.Set("gpu-1", gpu)
	ix.Set("gpu-2", gpu)

	var pods index.Pods
	web := pods.Add(nil)
	training := pods.Add([]toleration.Toleration{toleration.MustParse("gpu")})

	f := headroom.New(ix.Snapshot(), 1, func(node string, into []int64) { into[0] = free[node] })
	t := f.Table(&pods)
	for row := range t.Rows() {
		fmt.Printf("%q may use %d nodes with %d CPUs, %d of them alone\n",
			toleration.FormatList(row.Tolerations), row.Room.Nodes, row.Room.Numbers[0], row.Own.Numbers[0])
	}
	fmt.Println("both may use", t.Shared(web, training).Numbers[0], "CPUs")
	fmt.Println("all nodes have", f.Total().Numbers[0], "CPUs")
	// Output:
	// "" may use 2 nodes with 12 CPUs, 0 of them alone
	// "gpu" may use 4 nodes with 52 CPUs, 40 of them alone
	// both may use 12 CPUs
	// all nodes have 52 CPUs
}

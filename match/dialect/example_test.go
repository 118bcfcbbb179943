package dialect_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Provisioned there, refused here.
func ExampleCompare() {
	small, _ := taint.ParseList("cores=8:NoSchedule")
	starting, _ := taint.ParseList("readiness.k8s.io/network:NoSchedule")
	pod, _ := toleration.ParseList("cores>4:NoSchedule")
	there, here := dialect.Karpenter(), dialect.Kubernetes()
	nodes, pods := [][]taint.Taint{small, starting}, [][]toleration.Toleration{pod}
	for d := range dialect.Compare(&there, &here, nodes, pods) {
		class := there.Class(&d.Taint)
		fmt.Printf("node %d, %s (%s): %s\n", d.Node, d.Taint, class, d.Fact.Source)
	}
	// Output:
	// node 0, cores=8:NoSchedule (permanent): pkg/scheduling/taints.go
	// node 1, readiness.k8s.io/network:NoSchedule (ephemeral): pkg/scheduling/taints.go
}

package command

import (
	"testing"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Those who miss nodes or pods hear what else there is.
func TestMissing(t *testing.T) {
	some := &manifest.Cluster{Nodes: make([]manifest.Node, 1), Pods: make([]manifest.Pod, 2)}
	for want, c := range map[string]*manifest.Cluster{
		"0 nodes and 0 pods in the input": {},
		"1 node and 2 pods in the input":  some,
		"0 nodes and 0 pods in the input, only 1 ConfigMap, 2 Service, 1 finished pod, 3 workloads without pods": {
			Others: map[string]int{"Service": 2, "ConfigMap": 1}, Finished: 1, Absent: 3},
		"0 nodes and 0 pods in the input, only 2 finished pods":         {Finished: 2},
		"0 nodes and 0 pods in the input, only 1 workload without pods": {Absent: 1},
	} {
		if got := Missing(c).Error(); got != want+"; to have all: "+Dump {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

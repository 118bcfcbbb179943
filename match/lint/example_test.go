package lint_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func ExampleCheck() {
	gpu, _ := taint.ParseList("dedicated=gpu:NoSchedule")
	train, _ := toleration.ParseList("dedicatd==gpu:NoSchedule")
	agent, _ := toleration.ParseList("node.kubernetes.io/not-ready:NoExecute")
	f := &lint.Fleet{
		Nodes: []lint.Node{{Name: "gpu-1", Taints: gpu}, {Name: "gpu-2", Taints: gpu}},
		Pods:  []lint.Pod{{Name: "ml/train", Tolerations: train}, {Name: "kube-system/agent", Tolerations: agent, DaemonSet: true}},
	}
	for _, finding := range lint.Check(f, lint.Options{}).Findings {
		fmt.Println(finding)
	}
	// Output:
	// warning: ml/train, tolerations[0].key: no taint has the key of dedicatd==gpu:NoSchedule, and it looks like another one (likely-misspelled); probably dedicated
	// info: gpu-1 and 1 more, taints[0]: no pod tolerates dedicated=gpu:NoSchedule (untolerated); add dedicated==gpu:NoSchedule to the pods that the nodes are for, or remove the taint
	// info: kube-system/agent, tolerations: taints keep it from 2 nodes, gpu-1 first (daemonset-misses); add dedicated==gpu:NoSchedule, if it is to run there
}

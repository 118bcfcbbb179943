package scheduler

import (
	"context"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// nodeInfo is as much of a node info as the plugin asks for.
type nodeInfo struct {
	fwk.NodeInfo
	node *v1.Node
}

func (n nodeInfo) Node() *v1.Node { return n.node }

func newNode(name string, taints []taint.Taint, unschedulable bool) *v1.Node {
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1.NodeSpec{Taints: kube.AppendV1Taints(nil, taints), Unschedulable: unschedulable},
	}
}

func newPod(tolerations []toleration.Toleration) *v1.Pod {
	return &v1.Pod{Spec: v1.PodSpec{Tolerations: kube.AppendV1Tolerations(nil, tolerations)}}
}

func mustTaints(tb rapid.TB, text string) []taint.Taint {
	tb.Helper()
	list, err := taint.ParseList(text)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

func mustTolerations(tb rapid.TB, text string) []toleration.Toleration {
	tb.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// filter asks the plugin about one pair.
func (pl *Plugin) filterOne(pod *v1.Pod, node *v1.Node) *fwk.Status {
	return pl.Filter(context.Background(), nil, pod, nodeInfo{node: node})
}

func withComparisons(on bool) *Plugin {
	return NewPlugin(Args{ComparisonOperators: &on})
}

// cycleState is as much of a cycle's state as the plugin asks for.
type cycleState struct {
	fwk.CycleState
	data map[fwk.StateKey]fwk.StateData
}

func newState() fwk.CycleState { return cycleState{data: make(map[fwk.StateKey]fwk.StateData)} }

func (s cycleState) IsPodGroupSchedulingCycle() bool { return false }

func (s cycleState) Write(key fwk.StateKey, data fwk.StateData) { s.data[key] = data }

func (s cycleState) Read(key fwk.StateKey) (fwk.StateData, error) {
	if data, ok := s.data[key]; ok {
		return data, nil
	}
	return nil, fwk.ErrNotFound
}

// remember makes the plugin ready to be asked about a pod and nodes that it knows.
func (pl *Plugin) remember(pod *v1.Pod, nodes []fwk.NodeInfo) {
	for range 2 { // what is learned in the first round is compiled in the second
		pl.prepare(context.Background(), pod, max(len(nodes), manyNodes))
		for _, info := range nodes {
			pl.Filter(context.Background(), nil, pod, info)
		}
	}
}

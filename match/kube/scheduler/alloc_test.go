//go:build !race

package scheduler

import (
	"context"
	"testing"

	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// TestNoAllocations asks about pods and nodes that lead through every branch, with and
// without what the plugin remembers. Under the race detector a sync.Pool drops some of
// what it is given, on purpose.
func TestNoAllocations(t *testing.T) {
	ctx := context.Background()
	pod := newPod(mustTolerations(t, "a==x:NoSchedule,n>5,m<five,b:NoExecute@300"))
	nodes := map[string]nodeInfo{
		"fits":        {node: newNode("fits", mustTaints(t, "a=x:NoSchedule,n=7:NoExecute,b:NoExecute,c:PreferNoSchedule"), false)},
		"refused":     {node: newNode("refused", mustTaints(t, "m=6:PreferNoSchedule,a=x:NoSchedule,m=4:NoExecute"), false)},
		"cordoned":    {node: newNode("cordoned", nil, true)},
		"without any": {node: newNode("without any", nil, false)},
	}
	var all []fwk.NodeInfo
	for _, info := range nodes {
		for range manyNodes {
			all = append(all, info)
		}
	}
	fresh, ready := withComparisons(true), withComparisons(true)
	ready.narrow = nil
	ready.remember(pod, all)
	for plugin, pl := range map[string]*Plugin{"fresh": fresh, "ready": ready} {
		for name, info := range nodes {
			var object fwk.NodeInfo = info
			var before, after any = nodes["refused"].node, info.node
			var scores = make(fwk.NodeScoreList, 100)
			for call, do := range map[string]func(){
				"Filter":            func() { pl.Filter(ctx, nil, pod, object) },
				"Score":             func() { pl.Score(ctx, nil, pod, object) },
				"NormalizeScore":    func() { pl.NormalizeScore(ctx, nil, pod, scores) },
				"SignPod":           func() { pl.signer.sign(pod.Spec.Tolerations, pl.rules) },
				"hint of a node":    func() { pl.nodeHint()(klog.Logger{}, pod, before, after) },
				"hint of a new one": func() { pl.nodeHint()(klog.Logger{}, pod, nil, after) },
			} {
				if n := testing.AllocsPerRun(1000, do); n != 0 {
					t.Errorf("%s, %s, node %s: %v allocations", plugin, call, name, n)
				}
			}
		}
	}
	if n := testing.AllocsPerRun(1000, func() { ready.PreFilter(ctx, nil, pod, all) }); n != 0 {
		t.Errorf("PreFilter of the same pod: %v allocations", n)
	}
}

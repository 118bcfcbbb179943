//go:build !race

package scheduler

import (
	"context"
	"testing"

	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// TestNoAllocations asks about pods and nodes that lead through every branch. Under
// the race detector a sync.Pool drops some of what it is given, on purpose.
func TestNoAllocations(t *testing.T) {
	pl, ctx := withComparisons(true), context.Background()
	pod := newPod(mustTolerations(t, "a==x:NoSchedule,n>5,m<five,b:NoExecute@300"))
	nodes := map[string]nodeInfo{
		"fits":        {node: newNode("fits", mustTaints(t, "a=x:NoSchedule,n=7:NoExecute,b:NoExecute,c:PreferNoSchedule"), false)},
		"refused":     {node: newNode("refused", mustTaints(t, "m=6:PreferNoSchedule,a=x:NoSchedule,m=4:NoExecute"), false)},
		"cordoned":    {node: newNode("cordoned", nil, true)},
		"without any": {node: newNode("without any", nil, false)},
	}
	for name, info := range nodes {
		var object fwk.NodeInfo = info
		var before, after any = nodes["refused"].node, info.node
		var scores = make(fwk.NodeScoreList, 100)
		for call, do := range map[string]func(){
			"Filter":            func() { pl.Filter(ctx, nil, pod, object) },
			"PreFilter":         func() { pl.PreFilter(ctx, nil, pod, nil) },
			"PreScore":          func() { pl.PreScore(ctx, nil, pod, nil) },
			"Score":             func() { pl.Score(ctx, nil, pod, object) },
			"NormalizeScore":    func() { pl.NormalizeScore(ctx, nil, pod, scores) },
			"hint of a node":    func() { pl.afterNodeChange(klog.Logger{}, pod, before, after) },
			"hint of a new one": func() { pl.afterNodeChange(klog.Logger{}, pod, nil, after) },
			"hint of the pod":   func() { pl.afterTolerationChange(klog.Logger{}, pod, pod, pod) },
		} {
			if n := testing.AllocsPerRun(1000, do); n != 0 {
				t.Errorf("%s, node %s: %v allocations", call, name, n)
			}
		}
	}
}

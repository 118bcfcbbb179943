package scenario_test

import (
	"maps"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Counting gives the cluster that listing gives.
func TestPoolGroupsArePools(t *testing.T) {
	const nodes, pods = 3000, 5000
	wantNodes, wantPods := map[string]int{}, map[string]int{}
	c := scenario.Pools(7, nodes, pods)
	for _, n := range c.Nodes {
		wantNodes[taint.FormatList(n.Taints)]++
	}
	for _, p := range c.Pods {
		wantPods[toleration.FormatList(p.Tolerations)]++
	}
	gotNodes, gotPods := map[string]int{}, map[string]int{}
	g := scenario.PoolGroups(7, nodes, pods)
	for _, n := range g.Nodes {
		gotNodes[taint.FormatList(n.Taints)] += n.Count
	}
	for _, p := range g.Pods {
		gotPods[toleration.FormatList(p.Tolerations)] += p.Count
	}
	if !maps.Equal(gotNodes, wantNodes) {
		t.Errorf("nodes: %v\nwant %v", gotNodes, wantNodes)
	}
	if !maps.Equal(gotPods, wantPods) {
		t.Errorf("pods: %v\nwant %v", gotPods, wantPods)
	}
}

func TestPoolGroupsWithoutSize(t *testing.T) {
	if g := scenario.PoolGroups(1, 0, -3); len(g.Nodes) != 0 || len(g.Pods) != 0 {
		t.Errorf("%+v", g)
	}
}

// A DaemonSet's pod tolerates what the controller adds (rule A2), and some pods
// more than that.
func TestA2DaemonSets(t *testing.T) {
	c := scenario.DaemonSets(1, 0, 1000)
	lengths := map[int]int{}
	for _, p := range c.Pods {
		lengths[len(p.Tolerations)]++
		for _, want := range []string{
			"node.kubernetes.io/not-ready:NoExecute", "node.kubernetes.io/unreachable:NoExecute",
			"node.kubernetes.io/disk-pressure:NoSchedule", "node.kubernetes.io/memory-pressure:NoSchedule",
			"node.kubernetes.io/pid-pressure:NoSchedule", "node.kubernetes.io/unschedulable:NoSchedule",
			"node.kubernetes.io/network-unavailable:NoSchedule",
		} {
			if t1 := toleration.MustParse(want); !hasEqual(p.Tolerations, &t1) {
				t.Fatalf("%s does not have %v: %v", p.Name, &t1, p.Tolerations)
			}
		}
	}
	for n := range lengths {
		if n < 7 || n > 12 {
			t.Errorf("a pod has %d tolerations", n)
		}
	}
	if len(lengths) < 4 {
		t.Errorf("the lengths are %v", lengths)
	}
}

func hasEqual(list []toleration.Toleration, t *toleration.Toleration) bool {
	for i := range list {
		if list[i].Equal(t) {
			return true
		}
	}
	return false
}

package scenario

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Groups is a cluster whose nodes and pods are counted and not listed: what is
// too large to be held one by one, or comes counted already.
type Groups struct {
	Nodes []NodeGroup
	Pods  []PodGroup
}

// NodeGroup is a number of nodes with the same taints.
type NodeGroup struct {
	Taints []taint.Taint
	Count  int
}

// PodGroup is a number of pods with the same tolerations.
type PodGroup struct {
	Tolerations []toleration.Toleration
	Count       int
}

// PoolGroups counts what [Pools] makes of the same arguments, in memory that
// does not grow with the size. Groups are in the order in which they are drawn
// first. Two groups can have equal lists: different workloads that tolerate the
// same.
func PoolGroups(seed uint64, nodes, pods int) *Groups {
	f := newFleet(seed)
	g := &Groups{}
	for d, n := range counted(nodes, f.drawNode) {
		g.Nodes = append(g.Nodes, NodeGroup{d.taints(f), n})
	}
	for d, n := range counted(pods, f.drawPod) {
		g.Pods = append(g.Pods, PodGroup{d.tolerations(f), n})
	}
	return g
}

// counted draws n times and iterates over the different draws and how often each
// came, in the order of their first time.
func counted[D comparable](n int, draw func() D) func(yield func(D, int) bool) {
	times := make(map[D]int)
	var order []D
	for range n {
		d := draw()
		if times[d]++; times[d] == 1 {
			order = append(order, d)
		}
	}
	return func(yield func(D, int) bool) {
		for _, d := range order {
			if !yield(d, times[d]) {
				return
			}
		}
	}
}

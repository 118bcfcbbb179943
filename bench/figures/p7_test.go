package figures

import (
	"math/rand/v2"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/taint"
)

// BenchmarkP7 measures figure P7: a change of one node's taints, with and without
// a snapshot after it, against building the index anew. A round is many changes, so
// that the garbage of each is paid for: what a change copies, someone collects. In scenario
// "timestamps" the changes are those of Cluster Autoscaler; elsewhere a node
// takes the taints of another.
func BenchmarkP7(b *testing.B) {
	clusters(b, []int{100_000}, 0, func(b *testing.B, name string, c *scenario.Cluster) {
		changes := draw(name, c, 10_000)
		ix := work.Index(c.Nodes)
		i := 0
		const round = 500
		set := func(after func()) int {
			for range round {
				change := &changes[i]
				if i++; i == len(changes) {
					i = 0
				}
				ix.Set(c.Nodes[change.Node].Name, change.Taints)
				after()
			}
			return ix.Len()
		}
		r := ratio.Measure(b, "change",
			ratio.Side{Name: "rebuild", Units: 1, Do: func() int { return work.Index(c.Nodes).Snapshot().Len() }},
			ratio.Side{Name: "set+snapshot", Units: round, Do: func() int { return set(func() { ix.Snapshot() }) }},
			ratio.Side{Name: "set", Units: round, Do: func() int { return set(func() {}) }})
		r.Agree(b, "rebuild", "set+snapshot", "set")
		r.Report(b, "rebuild", "set+snapshot")
	})
}

// draw returns n changes of the nodes of a scenario, each of which really changes
// something, also when all are done again from the first.
func draw(name string, c *scenario.Cluster, n int) []scenario.Change {
	changes := make([]scenario.Change, 0, n)
	if name == "timestamps" {
		for change := range scenario.TimestampChanges(1, c) {
			if changes = append(changes, change); len(changes) == n {
				break
			}
		}
		return changes
	}
	random := rand.New(rand.NewPCG(1, 7))
	nodes := random.Perm(len(c.Nodes))
	for _, node := range nodes {
		if other := c.Nodes[random.IntN(len(c.Nodes))].Taints; !taint.Equal(other, c.Nodes[node].Taints) && len(changes) < n/2 {
			changes = append(changes, scenario.Change{Node: node, Taints: other})
		}
	}
	for _, change := range changes { // and back
		changes = append(changes, scenario.Change{Node: change.Node, Taints: c.Nodes[change.Node].Taints})
	}
	return changes
}

package figures

import (
	"maps"
	"runtime"
	"testing"

	"github.com/tolero-dev/tolero/bench/floor"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP9 measures figure P9: the memory of an index and a snapshot of it. What
// it holds to find nodes by name, and names by node, is taken off and given as
// B/name: a map of as many names, and a list of them. The strings are the caller's.
// "of-floor" is how many times the floor the memory of a node is.
func BenchmarkP9(b *testing.B) {
	clusters(b, scenario.Sizes(), 0, func(b *testing.B, _ string, c *scenario.Cluster) {
		nodes := float64(len(c.Nodes))
		names := make(map[string]index.NodeID) // grows as the writer's does
		for i := range c.Nodes {
			names[c.Nodes[i].Name] = index.NodeID{}
		}
		for b.Loop() {
			before := heap()
			ix := work.Index(c.Nodes)
			s := ix.Snapshot()
			withNames := heap() - before
			before = heap()
			byName, byNode := maps.Clone(names), make([]string, len(names))
			ofNames := heap() - before
			perNode := (withNames - ofNames) / nodes
			b.ReportMetric(perNode, "B/node")
			b.ReportMetric(ofNames/nodes, "B/name")
			b.ReportMetric(perNode/floor.BytesPerNode, "of-floor")
			runtime.KeepAlive(byName)
			runtime.KeepAlive(byNode)
			runtime.KeepAlive(s)
			runtime.KeepAlive(ix)
		}
		b.ReportMetric(0, "ns/op")
		runtime.KeepAlive(names)
		runtime.KeepAlive(c)
	})
}

// heap returns how many bytes are in use.
func heap() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

package figures

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/tolero-dev/tolero/bench/floor"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP9 measures figure P9: the memory of an index and a snapshot of it, and the
// words of an answer. What it takes to find nodes by name, and names by node, is taken
// off and given as B/name: a list of names, and a table of numbers that is up to half
// empty. The strings are the caller's. "of-floor" is how many times the floor the memory
// of a node is, and "words/needed" how many times as many words there are as the nodes
// need.
func BenchmarkP9(b *testing.B) {
	clusters(b, []int{100_000}, 0, func(b *testing.B, _ string, c *scenario.Cluster) { memory(b, c, 0) })
	for _, size := range []int{1, 8, 9, 64, 1000} {
		for _, changes := range []int{0, sized(1_000_000)} {
			b.Run(fmt.Sprintf("list=%d/changes=%d", size, changes), func(b *testing.B) {
				c := scenario.PerList(size)(1, sized(100_000), 0)
				c.Unshare()
				memory(b, c, changes)
			})
		}
	}
}

// memory reports the memory of the index of a cluster, after so many times a node took
// the taints of another.
func memory(b *testing.B, c *scenario.Cluster, changes int) {
	nodes := float64(len(c.Nodes))
	for b.Loop() {
		before := heap()
		ix := work.Index(c.Nodes)
		random := rand.New(rand.NewPCG(1, 9))
		for range changes {
			ix.Set(c.Nodes[random.IntN(len(c.Nodes))].Name, c.Nodes[random.IntN(len(c.Nodes))].Taints)
		}
		s := ix.Snapshot()
		var fit index.Fit
		s.FitList(&fit, nil)
		words := len(fit.AppendWords(nil))
		fit = index.Fit{}
		total := heap() - before
		before = heap()
		table, names := make([]uint64, tableSize(len(c.Nodes))), make([]string, len(c.Nodes))
		ofNames := heap() - before
		perNode := (total - ofNames) / nodes
		b.ReportMetric(perNode, "B/node")
		b.ReportMetric(ofNames/nodes, "B/name")
		b.ReportMetric(perNode/floor.BytesPerNode, "of-floor")
		b.ReportMetric(float64(words)*64/nodes, "words/needed")
		runtime.KeepAlive(table)
		runtime.KeepAlive(names)
		runtime.KeepAlive(s)
		runtime.KeepAlive(ix)
	}
	b.ReportMetric(0, "ns/op")
	runtime.KeepAlive(c)
}

// tableSize is how many entries a hash table has that is at most three quarters full.
func tableSize(n int) int {
	size := 1
	for 3*size < 4*n {
		size *= 2
	}
	return size
}

// heap returns how many bytes are in use.
func heap() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

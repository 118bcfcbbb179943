package index_test

import (
	"fmt"
	"maps"
	"runtime"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// load returns an index of the nodes of a cluster.
func load(c *scenario.Cluster) *index.Index {
	ix := index.New()
	for i := range c.Nodes {
		ix.Set(c.Nodes[i].Name, c.Nodes[i].Taints)
	}
	return ix
}

// BenchmarkP3 measures figure P3: one pod against all nodes, from its raw
// tolerations, by fleet. "match" is the plain loop over the nodes.
func BenchmarkP3(b *testing.B) {
	for _, name := range scenario.Names() {
		find, _ := scenario.Find(name)
		for _, nodes := range []int{5_000, 100_000} {
			c := find(1, nodes, 1000)
			s := load(c).Snapshot()
			var fit index.Fit
			b.Run(fmt.Sprintf("%s/%d/index", name, nodes), func(b *testing.B) {
				b.ReportAllocs()
				i, sum := 0, 0
				for b.Loop() {
					s.Fit(&fit, c.Pods[i%len(c.Pods)].Tolerations)
					sum += fit.Len()
					i++
				}
				b.ReportMetric(float64(sum)/float64(i), "fits/pod")
			})
			b.Run(fmt.Sprintf("%s/%d/match", name, nodes), func(b *testing.B) {
				i, sum := 0, 0
				for b.Loop() {
					for j := range c.Nodes {
						if _, refused := match.FirstUntolerated(c.Nodes[j].Taints, c.Pods[i%len(c.Pods)].Tolerations, taint.Hard); !refused {
							sum++
						}
					}
					i++
				}
				b.ReportMetric(float64(sum)/float64(i), "fits/pod")
			})
		}
	}
}

// BenchmarkP4 measures figure P4: a pod's answer as a bit for each node, against
// copying those bits.
func BenchmarkP4(b *testing.B) {
	c := scenario.Pools(1, 100_000, 1000)
	s := load(c).Snapshot()
	var fit index.Fit
	words := make([]uint64, 0, 1<<16)
	b.Run("fit", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			s.Fit(&fit, c.Pods[i%len(c.Pods)].Tolerations)
			words = fit.AppendWords(words[:0])
			i++
		}
		b.ReportMetric(float64(len(words)), "words")
	})
	target := make([]uint64, len(words))
	b.Run("copy", func(b *testing.B) {
		for b.Loop() {
			copy(target, words)
		}
	})
}

// BenchmarkP6 measures figure P6: 100,000 nodes each with a taint of its own, and
// pods that tolerate one each, against writing the answers.
func BenchmarkP6(b *testing.B) {
	c := scenario.Unique(1, 100_000, 100_000)
	c.Unshare()
	s := load(c).Snapshot()
	answers := make([]index.NodeID, 0, len(c.Pods))
	b.Run("index", func(b *testing.B) {
		var fit index.Fit
		for b.Loop() {
			answers = answers[:0]
			for i := range c.Pods {
				s.Fit(&fit, c.Pods[i].Tolerations)
				for id := range fit.Nodes() {
					answers = append(answers, id)
				}
			}
			if len(answers) != len(c.Pods) {
				b.Fatalf("%d answers", len(answers))
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(c.Pods)), "ns/pod")
	})
	b.Run("write", func(b *testing.B) {
		target := make([]index.NodeID, len(answers))
		for b.Loop() {
			copy(target, answers)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(c.Pods)), "ns/pod")
	})
}

// BenchmarkP9 measures figure P9: the memory of an index and a snapshot at 100,000
// nodes. "names" counts what the writer holds to find nodes by name; the strings
// of the names are the caller's.
func BenchmarkP9(b *testing.B) {
	const nodes = 100_000
	c := scenario.Pools(1, nodes, 0)
	names := make(map[string]index.NodeID)
	for i := range c.Nodes {
		names[c.Nodes[i].Name] = index.NodeID{}
	}
	for b.Loop() {
		before := heap()
		ix := load(c)
		s := ix.Snapshot()
		withNames := heap() - before
		before = heap()
		byName := maps.Clone(names)
		ofNames := heap() - before
		b.ReportMetric(float64(withNames-ofNames)/nodes, "B/node")
		b.ReportMetric(float64(ofNames)/nodes, "B/name")
		runtime.KeepAlive(byName)
		runtime.KeepAlive(s)
		runtime.KeepAlive(ix)
	}
}

// heap returns how many bytes are in use.
func heap() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// BenchmarkP7 measures figure P7: a change of one node's taints and a snapshot,
// against building the index anew.
func BenchmarkP7(b *testing.B) {
	for _, name := range scenario.Names() {
		find, _ := scenario.Find(name)
		c := find(1, 100_000, 0)
		ix := load(c)
		lists := [][]taint.Taint{c.Nodes[0].Taints, {taint.MustParse("a=b:NoSchedule")}}
		keep := ix.Set("another", lists[1])
		b.Run(name+"/set", func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				ix.Set(c.Nodes[0].Name, lists[i%2])
				i++
			}
		})
		b.Run(name+"/set and snapshot", func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				ix.Set(c.Nodes[0].Name, lists[i%2])
				ix.Snapshot()
				i++
			}
		})
		b.Run(name+"/rebuild", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				load(c).Snapshot()
			}
		})
		_ = keep
	}
}

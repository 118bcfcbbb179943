package index_test

import (
	"fmt"
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

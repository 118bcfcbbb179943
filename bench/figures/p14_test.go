package figures

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP14 measures figure P14: the longest of 100,000 changes, each with its
// snapshot, beside building the index anew.
func BenchmarkP14(b *testing.B) {
	clusters(b, []int{100_000}, 0, func(b *testing.B, name string, c *scenario.Cluster) {
		changes := draw(name, c, sized(10_000))
		ix := work.Index(c.Nodes)
		ix.Snapshot()
		var times []time.Duration
		for i := range sized(100_000) {
			change := &changes[i%len(changes)]
			start := time.Now()
			ix.Set(c.Nodes[change.Node].Name, change.Taints)
			ix.Snapshot()
			times = append(times, time.Since(start))
		}
		slices.Sort(times)
		longest := times[len(times)-1]
		r := ratio.Measure(b, "change", ratio.Side{Name: "rebuild", Units: 1, Do: func() int { return work.Index(c.Nodes).Snapshot().Len() }})
		rebuild := r.Nanoseconds("rebuild")
		b.ReportMetric(float64(longest), "longest-ns/change")
		b.ReportMetric(float64(times[len(times)-1-len(times)/1000]), "99.9%-ns/change")
		b.ReportMetric(rebuild/float64(longest), "rebuild/longest")
	})
}

// BenchmarkP15 measures figure P15: an index of which most nodes went, beside one that never had
// them: their memory, and a pod with its reasons.
func BenchmarkP15(b *testing.B) {
	for _, stay := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprintf("stay=%d", stay), func(b *testing.B) {
			c := cluster("unique", 300_000, 1000)
			peaked, after := heapOf(func() *index.Index {
				ix := work.Index(c.Nodes)
				ix.Snapshot()
				for i := stay; i < len(c.Nodes); i++ {
					ix.Delete(c.Nodes[i].Name)
				}
				ix.Snapshot()
				return ix
			})
			fresh, never := heapOf(func() *index.Index {
				ix := work.Index(c.Nodes[:stay])
				ix.Snapshot()
				return ix
			})
			ask := func(ix *index.Index) func() int {
				s := ix.Snapshot()
				var fit index.Fit
				var reasons []index.Reason
				return func() (n int) {
					for i := range c.Pods {
						s.FitList(&fit, c.Pods[i].Tolerations)
						reasons = fit.AppendReasons(reasons[:0], -1)
						n += fit.Len() + len(reasons)
					}
					return n
				}
			}
			r := ratio.Measure(b, "pod", ratio.Side{Name: "peaked", Units: len(c.Pods), Do: ask(peaked)}, ratio.Side{Name: "fresh", Units: len(c.Pods), Do: ask(fresh)})
			r.Agree(b, "peaked", "fresh")
			r.Report(b, "peaked", "fresh")
			b.ReportMetric(float64(after)/float64(never), "memory-peaked/fresh")
			b.ReportMetric(float64(after), "peaked-B")
		})
	}
}

// heapOf returns an index and the bytes that it takes.
func heapOf(f func() *index.Index) (*index.Index, int) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ix := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return ix, int(after.HeapAlloc) - int(before.HeapAlloc)
}

// BenchmarkP16 measures figure P16: pods as bits on an index that was changed 100,000 times, 50 for
// each of 20 snapshots of a whole cycle from base to base, beside one that was loaded with the same
// nodes.
func BenchmarkP16(b *testing.B) {
	clusters(b, []int{100_000}, 1000, func(b *testing.B, name string, c *scenario.Cluster) {
		changes := draw(name, c, sized(10_000))
		ix := work.Index(c.Nodes)
		random := rand.New(rand.NewPCG(1, 16))
		at, id, slot := 0, index.NodeID{}, 0
		change := func() (s *index.Snapshot, first bool) {
			to := &changes[at%len(changes)]
			at++
			before := id
			id = ix.Set(c.Nodes[to.Node].Name, to.Taints)
			s = ix.Snapshot()
			first = s.Has(before) && s.Slot(before) != slot // only another base moves a node
			slot = s.Slot(id)
			return s, first
		}
		for range sized(100_000) {
			change()
		}
		for _, first := change(); !first; {
			_, first = change()
		}
		var snapshots []*index.Snapshot
		for s, first := change(); !first; s, first = change() {
			snapshots = append(snapshots, s)
		}
		fresh := work.Index(c.Nodes).Snapshot()
		var fit index.Fit
		var words []uint64
		order := random.Perm(len(snapshots))
		r := ratio.Measure(b, "pod",
			ratio.Side{Name: "changed", Units: len(c.Pods), Do: func() (n int) {
				for i := range c.Pods {
					snapshots[order[i*20/len(c.Pods)]].FitList(&fit, c.Pods[i].Tolerations)
					words = fit.AppendWords(words[:0])
					n += len(words)
				}
				return n
			}},
			ratio.Side{Name: "loaded", Units: len(c.Pods), Do: func() (n int) {
				for i := range c.Pods {
					fresh.FitList(&fit, c.Pods[i].Tolerations)
					words = fit.AppendWords(words[:0])
					n += len(words)
				}
				return n
			}})
		r.Report(b, "changed", "loaded")
	})
}

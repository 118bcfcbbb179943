package figures

import (
	"fmt"
	"hash/maphash"
	"runtime"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/floor"
	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP5 measures figure P5: a million pods from raw structs, each with
// memory of its own, against 100,000 nodes and against a million, and how it compares
// with hashing the pods' strings once. The time of a pod by package match is that of a
// sample.
func BenchmarkP5(b *testing.B) {
	for _, of := range []struct {
		name  string
		nodes int
	}{{"pools", 100_000}, {"daemonsets", 100_000}, {"pools", 1_000_000}} {
		b.Run(fmt.Sprintf("%s/nodes=%d", of.name, of.nodes), func(b *testing.B) {
			c := cluster(of.name, of.nodes, 1_000_000)
			s := work.Index(c.Nodes).Snapshot()
			sample := sample(c)
			seed := maphash.MakeSeed()
			var fit index.Fit
			r := ratio.Measure(b, "pod",
				ratio.Side{Name: "match-sample", Units: len(sample), Do: func() int { return work.ByMatch(c.Nodes, sample) }},
				ratio.Side{Name: "index-sample", Units: len(sample), Do: func() int { return work.ByPodClass(s, &fit, sample) }},
				ratio.Side{Name: "index", Units: len(c.Pods), Do: func() int { return work.ByPodClass(s, &fit, c.Pods) }},
				ratio.Side{Name: "hash", Units: len(c.Pods), Do: func() int { return int(floor.Hash(seed, c.Pods)) }})
			r.Agree(b, "match-sample", "index-sample")
			r.Report(b, "index", "hash")
			r.Report(b, "match-sample", "index")
		})
	}
}

// BenchmarkP5Million is figure P5 for a fleet that is counted, not listed: a
// million nodes and ten million pods, by groups. The memory is that in use with
// the index and a snapshot of it, names included; making and loading the fleet
// is timed once.
func BenchmarkP5Million(b *testing.B) {
	nodes, pods := sized(1_000_000), sized(10_000_000)
	before := heap()
	start := time.Now()
	groups := scenario.PoolGroups(1, nodes, pods)
	ix := work.IndexOfGroups(groups.Nodes)
	s := ix.Snapshot()
	load := time.Since(start)
	used := heap() - before
	if ix.Len() != nodes {
		b.Fatalf("%d nodes", ix.Len())
	}
	var fit index.Fit
	ratio.Measure(b, "pod", ratio.Side{Name: "index", Units: pods, Do: func() int { return work.ByGroup(s, &fit, groups.Pods) }})
	runtime.KeepAlive(ix)
	b.ReportMetric(float64(len(groups.Pods)), "groups")
	b.ReportMetric(used/1e6, "MB")
	b.ReportMetric(load.Seconds(), "load-s")
}

package figures

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP3 measures figure P3: one pod against all nodes, from its raw
// tolerations, by fleet, against the plain loop over the nodes.
func BenchmarkP3(b *testing.B) {
	clusters(b, scenario.Sizes(), 1000, func(b *testing.B, _ string, c *scenario.Cluster) {
		s := work.Index(c.Nodes).Snapshot()
		sample := sample(c)
		var fit index.Fit
		r := ratio.Measure(b, "pod",
			ratio.Side{Name: "match-sample", Units: len(sample), Do: func() int { return work.ByMatch(c.Nodes, sample) }},
			ratio.Side{Name: "index-sample", Units: len(sample), Do: func() int { return work.ByIndex(s, &fit, sample) }},
			ratio.Side{Name: "index", Units: len(c.Pods), Do: func() int { return work.ByIndex(s, &fit, c.Pods) }})
		r.Agree(b, "match-sample", "index-sample")
		r.Report(b, "match-sample", "index")
	})
}

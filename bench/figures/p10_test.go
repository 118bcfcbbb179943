package figures

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP10 measures figure P10: 100,000 nodes, nearly each with another set of taints
// of which none selects few nodes, and pods that tolerate most keys.
func BenchmarkP10(b *testing.B) {
	c := cluster("distinct", 100_000, 100)
	s := work.Index(c.Nodes).Snapshot()
	sample := work.Sample(c.Pods, 20)
	var fit index.Fit
	r := ratio.Measure(b, "pod",
		ratio.Side{Name: "match-sample", Units: len(sample), Do: func() int { return work.ByMatch(c.Nodes, sample) }},
		ratio.Side{Name: "index-sample", Units: len(sample), Do: func() int { return work.ByIndex(s, &fit, sample) }},
		ratio.Side{Name: "index", Units: len(c.Pods), Do: func() int { return work.ByIndex(s, &fit, c.Pods) }})
	r.Agree(b, "match-sample", "index-sample")
	r.Report(b, "match-sample", "index")
	b.ReportMetric(float64(work.ByIndex(s, &fit, c.Pods))/float64(len(c.Pods)), "fit")
}

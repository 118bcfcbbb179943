package figures

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/floor"
	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP4 measures figure P4: a pod's answer as a bit for each node, from its
// raw tolerations, against copying those bits. To compile the tolerations, as one has to
// before anything can be answered, is a side of its own.
func BenchmarkP4(b *testing.B) {
	clusters(b, []int{100_000}, 1000, func(b *testing.B, _ string, c *scenario.Cluster) {
		s := work.Index(c.Nodes).Snapshot()
		var fit index.Fit
		var m compile.Matcher
		var words []uint64
		fill := func() (n int) {
			for i := range c.Pods {
				s.FitList(&fit, c.Pods[i].Tolerations)
				words = fit.AppendWords(words[:0])
				n += len(words)
			}
			return n
		}
		fill()
		target := make([]uint64, len(words))
		r := ratio.Measure(b, "pod",
			ratio.Side{Name: "bits", Units: len(c.Pods), Do: fill},
			ratio.Side{Name: "compile", Units: len(c.Pods), Do: func() int {
				for i := range c.Pods {
					s.Compile(&m, c.Pods[i].Tolerations)
				}
				return 0
			}},
			ratio.Side{Name: "copy", Units: len(c.Pods), Do: func() (n int) {
				for range c.Pods {
					n += floor.Copy(target, words)
				}
				return n
			}})
		r.Agree(b, "bits", "copy")
		r.Report(b, "bits", "copy")
		r.Report(b, "compile", "copy")
		b.ReportMetric(float64(len(words)), "words")
	})
}

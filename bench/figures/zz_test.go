package figures
import ("testing";"os"
"github.com/tolero-dev/tolero/bench/work"
"github.com/tolero-dev/tolero/bench/floor"
"github.com/tolero-dev/tolero/bench/ratio"
"github.com/tolero-dev/tolero/compile"
"github.com/tolero-dev/tolero/compile/index")
func BenchmarkZZ(b *testing.B) {
	name := os.Getenv("SC")
	c := cluster(name, 100_000, 1000)
	s := work.Index(c.Nodes).Snapshot()
	var fit index.Fit
	var m compile.Matcher
	ms := make([]compile.Matcher, 1000)
	for i := range ms { s.Compile(&ms[i], c.Pods[i].Tolerations) }
	var words []uint64
	s.FitList(&fit, nil)
	words=fit.AppendWords(words[:0])
	target := make([]uint64, len(words))
	var fits [100]index.Fit
	for i := range fits { s.FitList(&fits[i], c.Pods[i].Tolerations) }
	r := ratio.Measure(b, "pod",
	ratio.Side{Name:"compile", Units: 1000, Do: func() int { for i := range c.Pods { s.Compile(&m, c.Pods[i].Tolerations) }; return 0}},
	ratio.Side{Name:"fit", Units: 1000, Do: func() int { for i := range c.Pods { s.Fit(&fit, &ms[i]) }; return 0}},
	ratio.Side{Name:"words", Units: 100, Do: func() int { for i := range fits { words=fits[i].AppendWords(words[:0]) }; return 0}},
	ratio.Side{Name:"copy", Units: 1000, Do: func() int { for range c.Pods { floor.Copy(target, words) }; return 0}},
	)
	_ = r
}

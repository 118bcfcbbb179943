package figures

import (
	"hash/maphash"
	"testing"

	"github.com/tolero-dev/tolero/bench/floor"
	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkP6 measures figure P6: 100,000 nodes each with a taint of its own, and
// 100,000 pods that tolerate one each. The answers are the nodes of each pod, and
// the floor is writing them; hashing the pods' strings is what it takes to read
// what the pods ask.
func BenchmarkP6(b *testing.B) {
	c := cluster("unique", 100_000, 100_000)
	s := work.Index(c.Nodes).Snapshot()
	sample := sample(c)
	answers := make([]index.NodeID, 0, len(c.Pods))
	var fit index.Fit
	list := func() int {
		answers = answers[:0]
		for i := range c.Pods {
			s.FitList(&fit, c.Pods[i].Tolerations)
			for id := range fit.Nodes() {
				answers = append(answers, id)
			}
		}
		return len(answers)
	}
	list()
	seed := maphash.MakeSeed()
	target := make([]index.NodeID, len(answers))
	r := ratio.Measure(b, "pod",
		ratio.Side{Name: "match-sample", Units: len(sample), Do: func() int { return work.ByMatch(c.Nodes, sample) }},
		ratio.Side{Name: "index-sample", Units: len(sample), Do: func() int { return work.ByIndex(s, &fit, sample) }},
		ratio.Side{Name: "index", Units: len(c.Pods), Do: list},
		ratio.Side{Name: "hash", Units: len(c.Pods), Do: func() int { return int(floor.Hash(seed, c.Pods)) }},
		ratio.Side{Name: "write", Units: len(c.Pods), Do: func() int { return floor.Copy(target, answers) }})
	r.Agree(b, "match-sample", "index-sample")
	r.Agree(b, "index", "write")
	r.Report(b, "index", "write")
	r.Report(b, "index", "hash")
	r.Report(b, "match-sample", "index")
}

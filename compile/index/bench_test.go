package index_test

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
)

// BenchmarkHasClass measures what a pod costs a scheduler that has asked for the class
// of each of its nodes before, against the same for IDs.
func BenchmarkHasClass(b *testing.B) {
	c := scenario.Pools(1, 5000, 100)
	ix := load(c)
	s := ix.Snapshot()
	var ids []index.NodeID
	var classes []index.Class
	for i := range c.Nodes {
		id, _ := ix.ID(c.Nodes[i].Name)
		ids, classes = append(ids, id), append(classes, s.Class(id))
	}
	var fit index.Fit
	s.FitList(&fit, c.Pods[0].Tolerations)
	perNode := func(b *testing.B, fits int) {
		if fits != fit.Len() {
			b.Fatalf("%d nodes fit, want %d", fits, fit.Len())
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ids)), "ns/node")
	}
	b.Run("class", func(b *testing.B) {
		fits := 0
		for b.Loop() {
			fits = 0
			for _, class := range classes {
				if fit.HasClass(class) {
					fits++
				}
			}
		}
		perNode(b, fits)
	})
	b.Run("id", func(b *testing.B) {
		fits := 0
		for b.Loop() {
			fits = 0
			for _, id := range ids {
				if fit.Has(id) {
					fits++
				}
			}
		}
		perNode(b, fits)
	})
}

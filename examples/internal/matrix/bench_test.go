package matrix

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
)

// BenchmarkEngines sweeps a fleet that is grouped already. Reading and grouping
// are the same for both engines.
func BenchmarkEngines(b *testing.B) {
	size := 2000
	if testing.Short() {
		size = 200
	}
	for _, name := range scenario.Names() {
		f := newFleet(synthetic(&options{scenario: name, nodes: size, pods: size, seed: 1}), allOperators)
		for _, engine := range []string{"match", "compile"} {
			b.Run(name+"/"+engine, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					evaluate(quiet(), f, engines[engine], 3)
				}
				b.ReportMetric(float64(len(f.pods)*len(f.nodes)), "pairs/op")
			})
		}
	}
}

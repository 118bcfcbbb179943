package figures

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
)

// clusters runs a benchmark for every scenario, by its name, and number of nodes.
func clusters(b *testing.B, sizes []int, pods int, run func(b *testing.B, name string, c *scenario.Cluster)) {
	for _, name := range scenario.Names() {
		for _, nodes := range sizes {
			b.Run(fmt.Sprintf("%s/nodes=%d", name, nodes), func(b *testing.B) {
				run(b, name, cluster(name, nodes, pods))
			})
		}
	}
}

// cluster makes a cluster whose objects share no memory.
func cluster(name string, nodes, pods int) *scenario.Cluster {
	maker, _ := scenario.Find(name)
	c := maker(1, sized(nodes), sized(pods))
	c.Unshare()
	return c
}

// sized returns n, or a twentieth of a large n with -short: enough to see that a
// benchmark runs and that its sides agree, and no figure to quote.
func sized(n int) int {
	if testing.Short() && n > 5000 {
		return n / 20
	}
	return n
}

// sample returns the pods that engines are timed on which ask about every pair, or
// three of them with -short.
func sample(c *scenario.Cluster) []scenario.Pod {
	if testing.Short() {
		return work.Sample(c.Pods, 3)
	}
	return work.SampleFor(len(c.Nodes), c.Pods)
}

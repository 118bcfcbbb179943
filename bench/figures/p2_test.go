package figures

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkP2 measures figure P2: the first hard taint of a node that is left
// untolerated, by the number of tolerations, package match against a compiled
// list. The tolerations have real keys. There are as many nodes as tolerations
// and one more: a node whose only taint the i-th toleration tolerates, for each
// i, and a node with a taint that none tolerates.
func BenchmarkP2(b *testing.B) {
	keys := corpus.Keys()
	for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32} {
		b.Run(fmt.Sprintf("tolerations=%d", n), func(b *testing.B) {
			tolerations, nodes := oneTaintNodes(keys, n)
			m := compile.New(tolerations)
			r := ratio.Measure(b, "node",
				ratio.Side{Name: "match", Units: len(nodes), Do: func() (found int) {
					for _, node := range nodes {
						if _, refused := match.FirstUntolerated(node, tolerations, taint.Hard); refused {
							found++
						}
					}
					return found
				}},
				ratio.Side{Name: "compile", Units: len(nodes), Do: func() (found int) {
					for _, node := range nodes {
						if _, refused := m.FirstUntolerated(node, taint.Hard); refused {
							found++
						}
					}
					return found
				}})
			r.Agree(b, "match", "compile")
			r.Report(b, "match", "compile")
		})
	}
}

// oneTaintNodes returns n tolerations, and n+1 nodes of which only the last has a
// taint that they do not tolerate.
func oneTaintNodes(keys []string, n int) (tolerations []toleration.Toleration, nodes [][]taint.Taint) {
	for i := range n + 1 {
		key := keys[i*7%len(keys)]
		nodes = append(nodes, []taint.Taint{{Key: strings.Clone(key), Value: strings.Clone("true"), Effect: taint.Effect(strings.Clone("NoSchedule"))}})
		if i < n {
			tolerations = append(tolerations, toleration.Toleration{Key: key, Operator: toleration.OpEqual, Value: "true", Effect: taint.NoSchedule})
		}
	}
	return tolerations, nodes
}

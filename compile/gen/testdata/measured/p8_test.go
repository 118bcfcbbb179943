package measured_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/gen/generated/best"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// BenchmarkP8 measures figure P8: the first hard taint of a node that is left
// untolerated, by the number of tolerations, in one run: match against a compiled list
// that interns the node first, one that finds it interned, and generated code, with a
// comparison of two strings as the floor. The questions are
// those of figure P2: a node whose only taint the i-th toleration tolerates, for each
// i, and a node with a taint that none tolerates. Each side loops over the nodes
// itself, as a program that calls it does.
func BenchmarkP8(b *testing.B) {
	for _, list := range []struct {
		n         int
		generated func(nodes [][]taint.Taint) (refused int)
	}{
		{1, func(nodes [][]taint.Taint) (refused int) {
			for _, node := range nodes {
				if _, found := (best.Pools01{}).FirstUntolerated(node, taint.Hard); found {
					refused++
				}
			}
			return refused
		}},
		{2, func(nodes [][]taint.Taint) (refused int) {
			for _, node := range nodes {
				if _, found := (best.Pools02{}).FirstUntolerated(node, taint.Hard); found {
					refused++
				}
			}
			return refused
		}},
		{4, func(nodes [][]taint.Taint) (refused int) {
			for _, node := range nodes {
				if _, found := (best.Pools04{}).FirstUntolerated(node, taint.Hard); found {
					refused++
				}
			}
			return refused
		}},
		{8, func(nodes [][]taint.Taint) (refused int) {
			for _, node := range nodes {
				if _, found := (best.Pools08{}).FirstUntolerated(node, taint.Hard); found {
					refused++
				}
			}
			return refused
		}},
		{16, func(nodes [][]taint.Taint) (refused int) {
			for _, node := range nodes {
				if _, found := (best.Pools16{}).FirstUntolerated(node, taint.Hard); found {
					refused++
				}
			}
			return refused
		}},
		{32, func(nodes [][]taint.Taint) (refused int) {
			for _, node := range nodes {
				if _, found := (best.Pools32{}).FirstUntolerated(node, taint.Hard); found {
					refused++
				}
			}
			return refused
		}},
	} {
		nodes, times := poolNodes(list.n)
		tolerations, other := measured.Pools(list.n), nodes[list.n][0].Key
		var v compile.Vocabulary
		interned := make([][]compile.TaintID, len(nodes)) // in the steady state, every taint is known
		for i, node := range nodes {
			interned[i] = v.Append(nil, node)
		}
		var m compile.Matcher
		m.Compile(&v, tolerations)
		var ids []compile.TaintID
		b.Run(fmt.Sprintf("%02d", list.n), func(b *testing.B) {
			r := ratio.Measure(b, "node",
				ratio.Side{Name: "match", Units: len(nodes), Do: func() (refused int) {
					for _, node := range nodes {
						if _, found := match.FirstUntolerated(node, tolerations, taint.Hard); found {
							refused++
						}
					}
					return refused
				}},
				ratio.Side{Name: "compile", Units: len(nodes), Do: func() (refused int) {
					for _, node := range nodes {
						ids = v.Append(ids[:0], node)
						if _, found := m.FirstUntolerated(ids, taint.Hard); found {
							refused++
						}
						v.Release(ids)
					}
					return refused
				}},
				ratio.Side{Name: "interned", Units: len(nodes), Do: func() (refused int) {
					for _, ids := range interned {
						if _, found := m.FirstUntolerated(ids, taint.Hard); found {
							refused++
						}
					}
					return refused
				}},
				ratio.Side{Name: "generated", Units: len(nodes), Do: func() int { return list.generated(nodes) }},
				ratio.Side{Name: "floor", Units: len(nodes), Do: func() (refused int) {
					for _, node := range nodes {
						if node[0].Key == other {
							refused++
						}
					}
					return refused
				}},
			)
			r.Agree(b, "match", "compile", "interned", "generated", "floor")
			if refused := list.generated(nodes); refused != times {
				b.Fatalf("%d nodes are refused, want %d", refused, times)
			}
			r.Report(b, "match", "generated")
			r.Report(b, "compile", "generated")
			r.Report(b, "interned", "generated")
		})
	}
}

// poolNodes returns a node for each of n tolerations, and one that none of them
// tolerates, a number of times over. Strings are the nodes' own, as those of objects
// that came from an API server are.
func poolNodes(n int) (nodes [][]taint.Taint, times int) {
	for times = range 64 {
		if len(nodes) >= 64 {
			break
		}
		for i := range n + 1 {
			nodes = append(nodes, []taint.Taint{{
				Key: strings.Clone(measured.PoolKey(i)), Value: strings.Clone("true"), Effect: taint.Effect(strings.Clone("NoSchedule")),
			}})
		}
	}
	return nodes, times
}

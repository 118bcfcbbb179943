package figures

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkP2 measures figure P2: the first hard taint of a node that is left
// untolerated, package match against a compiled Matcher that is asked about interned
// taints. To compile is a side of its own; "pays-at" is for how many nodes a pod must be
// asked until compiling it has paid.
//
// The lists of 1 to 32 tolerations have real keys. There are as many nodes as
// tolerations and one more: a node whose only taint the i-th toleration tolerates, for
// each i, and a node with a taint that none tolerates; they come again until there are
// at least 100. In the scenarios every pod is asked about every node.
func BenchmarkP2(b *testing.B) {
	keys := corpus.Keys()
	for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32} {
		b.Run(fmt.Sprintf("tolerations=%d", n), func(b *testing.B) {
			tolerations, nodes := oneTaintNodes(keys, n)
			for len(nodes) < 100 {
				nodes = append(nodes, nodes[:n+1]...)
			}
			measureP2(b, [][]toleration.Toleration{tolerations}, nodes)
		})
	}
	clusters(b, []int{1000}, 100, func(b *testing.B, _ string, c *scenario.Cluster) {
		var pods [][]toleration.Toleration
		var nodes [][]taint.Taint
		for i := range c.Pods {
			pods = append(pods, c.Pods[i].Tolerations)
		}
		for i := range c.Nodes {
			nodes = append(nodes, c.Nodes[i].Taints)
		}
		measureP2(b, pods, nodes)
	})
}

// comparing are the rules of a cluster with Gt and Lt, which some pods of the scenarios have.
var comparing = toleration.Rules{Comparisons: true}

func measureP2(b *testing.B, pods [][]toleration.Toleration, nodes [][]taint.Taint) {
	var v compile.Vocabulary
	ids := make([][]compile.TaintID, len(nodes))
	for i := range nodes {
		ids[i] = v.Append(nil, nodes[i])
	}
	matchers := make([]compile.Matcher, len(pods))
	for i := range pods {
		matchers[i].Compile(&v, pods[i], comparing)
	}
	var m compile.Matcher
	r := ratio.Measure(b, "node",
		ratio.Side{Name: "match", Units: len(pods) * len(nodes), Do: func() (found int) {
			for _, pod := range pods {
				for _, node := range nodes {
					if _, refused := match.FirstUntolerated(node, pod, taint.Hard, comparing); refused {
						found++
					}
				}
			}
			return found
		}},
		ratio.Side{Name: "matcher", Units: len(pods) * len(nodes), Do: func() (found int) {
			for i := range matchers {
				m := &matchers[i]
				for _, node := range ids {
					if _, refused := m.FirstUntolerated(node, taint.Hard); refused {
						found++
					}
				}
			}
			return found
		}},
		ratio.Side{Name: "set", Units: len(pods) * len(nodes), Do: func() (found int) {
			for i := range matchers {
				set := matchers[i].Set()
				for _, node := range ids {
					if _, refused := set.FirstUntolerated(node, taint.Hard); refused {
						found++
					}
				}
			}
			return found
		}},
		ratio.Side{Name: "called", Units: len(pods) * len(nodes), Do: func() (found int) {
			for i := range matchers {
				set := matchers[i].Set()
				for _, node := range ids {
					if called(&set, node) {
						found++
					}
				}
			}
			return found
		}},
		ratio.Side{Name: "read", Units: len(pods) * len(nodes), Do: func() (found int) {
			for range matchers {
				for _, node := range ids {
					if len(node) > 0 && node[0] == read {
						found++
					}
				}
			}
			return found
		}},
		ratio.Side{Name: "compile", Units: len(pods), Do: func() int {
			for _, pod := range pods {
				m.Compile(&v, pod, comparing)
			}
			return 0
		}})
	r.Agree(b, "match", "matcher", "set", "called")
	r.Report(b, "match", "matcher")
	r.Report(b, "match", "called")
	r.Report(b, "match", "set")
	r.Report(b, "match", "read")
	b.ReportMetric(r.Nanoseconds("compile")/(r.Nanoseconds("match")-r.Nanoseconds("set")), "pays-at")
}

// read is an ID that no taint has: to compare each node's first taint with it is to look at
// every node and to decide nothing, which no engine can do in less.
const read = ^compile.TaintID(0)

// called is the set's answer by a call. A Matcher notices that the vocabulary has grown,
// which is too much to be inlined, so it cannot be faster.
//
//go:noinline
func called(set *compile.TaintSet, ids []compile.TaintID) bool {
	_, refused := set.FirstUntolerated(ids, taint.Hard)
	return refused
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

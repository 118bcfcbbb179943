package figures

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// nodeInfo is what a scheduler with a node cache of its own keeps of a node.
type nodeInfo struct {
	node   *scenario.Node
	taints []compile.TaintID
}

// BenchmarkNodeCache measures a scheduler with a node cache of its own, which filters
// 5,000 nodes for one pod after the other: match with the nodes' own lists, against one
// Matcher that is compiled for each pod, and against its set. Compiling is included.
// "set-B/node" is the memory of the vocabulary and of the IDs.
func BenchmarkNodeCache(b *testing.B) {
	clusters(b, []int{5000}, 20, func(b *testing.B, _ string, c *scenario.Cluster) {
		before := heap()
		v, nodes := new(compile.Vocabulary), make([]nodeInfo, len(c.Nodes))
		for i := range nodes {
			nodes[i] = nodeInfo{&c.Nodes[i], v.Append(nil, c.Nodes[i].Taints)}
		}
		memory := heap() - before
		var m compile.Matcher
		filter := func(fits func(pod *scenario.Pod) int) func() int {
			return func() (found int) {
				for i := range c.Pods {
					found += fits(&c.Pods[i])
				}
				return found
			}
		}
		r := ratio.Measure(b, "pod",
			ratio.Side{Name: "match", Units: len(c.Pods), Do: filter(func(pod *scenario.Pod) (found int) {
				for i := range nodes {
					if _, refused := match.FirstUntolerated(nodes[i].node.Taints, pod.Tolerations, taint.Hard, comparing); !refused {
						found++
					}
				}
				return found
			})},
			ratio.Side{Name: "matcher", Units: len(c.Pods), Do: filter(func(pod *scenario.Pod) (found int) {
				m.Compile(v, pod.Tolerations, comparing)
				for i := range nodes {
					if _, refused := m.FirstUntolerated(nodes[i].taints, taint.Hard); !refused {
						found++
					}
				}
				return found
			})},
			ratio.Side{Name: "set", Units: len(c.Pods), Do: filter(func(pod *scenario.Pod) (found int) {
				m.Compile(v, pod.Tolerations, comparing)
				set := m.Set()
				for i := range nodes {
					if _, refused := set.FirstUntolerated(nodes[i].taints, taint.Hard); !refused {
						found++
					}
				}
				return found
			})})
		r.Agree(b, "match", "matcher", "set")
		r.Report(b, "match", "matcher")
		r.Report(b, "match", "set")
		b.ReportMetric(memory/float64(len(nodes)), "set-B/node")
	})
}

package match_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkPools asks each question about every pod and node of scenario
// "pools". The comparison with Kubernetes (figure P1) is in the nested module
// match/kube.
func BenchmarkPools(b *testing.B) {
	c := scenario.Pools(1, 1000, 200)
	buffer := make([]taint.Taint, 0, 16)
	for _, question := range []struct {
		name string
		ask  func(node *scenario.Node, pod *scenario.Pod)
	}{
		{"FirstUntolerated", func(n *scenario.Node, p *scenario.Pod) { match.FirstUntolerated(n.Taints, p.Tolerations, taint.Hard) }},
		{"Filter", func(n *scenario.Node, p *scenario.Pod) {
			buffer = match.Filter(buffer[:0], n.Taints, p.Tolerations, taint.AllEffects)
		}},
		{"Decide", func(n *scenario.Node, p *scenario.Pod) { match.Decide(n.Taints, p.Tolerations) }},
		{"CountUntolerated", func(n *scenario.Node, p *scenario.Pod) { match.CountUntolerated(n.Taints, p.Tolerations, taint.Soft) }},
		{"EvictionDelay", func(n *scenario.Node, p *scenario.Pod) { match.EvictionDelay(n.Taints, p.Tolerations) }},
	} {
		b.Run(question.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range c.Pods {
					for j := range c.Nodes {
						question.ask(&c.Nodes[j], &c.Pods[i])
					}
				}
			}
			pairs := float64(b.N) * float64(len(c.Pods)*len(c.Nodes))
			b.ReportMetric(float64(b.Elapsed())/float64(time.Nanosecond)/pairs, "ns/pair")
		})
	}
}

// BenchmarkTolerates asks about a taint that only the last toleration of a list
// tolerates, by length of the list: the cost of one toleration that does not
// match.
func BenchmarkTolerates(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		var tolerations []toleration.Toleration
		for i := range n {
			key := fmt.Sprintf("example.com/pool-%02d", i)
			tolerations = append(tolerations, pod(b, key+"=true:NoSchedule")...)
		}
		last := taint.Taint{Key: fmt.Sprintf("example.com/pool-%02d", n-1), Value: "true", Effect: "NoSchedule"}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if !match.Tolerates(tolerations, &last) {
					b.Fatal("not tolerated")
				}
			}
		})
	}
}

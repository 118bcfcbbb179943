package kube_test

import (
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// BenchmarkMatcher compares a Matcher, its compilation for each pod included, with
// kube.FirstUntolerated: a pod with that many tolerations against 1,000 nodes with up to
// as many taints, most of which it tolerates.
func BenchmarkMatcher(b *testing.B) {
	for _, size := range []int{1, 2, 4, 8, 12, 32} {
		nodes, tolerations := make([][]v1.Taint, 1000), []v1.Toleration(nil)
		for i := range size {
			tolerations = append(tolerations, v1.Toleration{Key: fmt.Sprintf("example.com/key-%d", i), Operator: "Exists", Effect: "NoSchedule"})
		}
		for i := range nodes {
			for j := range i % (size + 1) {
				nodes[i] = append(nodes[i], v1.Taint{Key: fmt.Sprintf("example.com/key-%d", (i+j*7)%(size+size/8+1)), Effect: v1.TaintEffect(append([]byte(nil), "NoSchedule"...))})
			}
		}
		var m kube.Matcher
		count := func(found func(taints []v1.Taint) bool) (n int) {
			for _, taints := range nodes {
				if found(taints) {
					n++
				}
			}
			return n
		}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			r := ratio.Measure(b, "node",
				ratio.Side{Name: "lists", Units: len(nodes), Do: func() int {
					return count(func(taints []v1.Taint) bool {
						_, found := kube.FirstUntolerated(taints, tolerations, taint.Hard)
						return found
					})
				}},
				ratio.Side{Name: "matcher", Units: len(nodes), Do: func() int {
					m.Compile(tolerations)
					return count(func(taints []v1.Taint) bool {
						_, found := m.FirstUntolerated(taints, taint.Hard)
						return found
					})
				}})
			r.Agree(b, "lists", "matcher")
			r.Report(b, "lists", "matcher")
		})
	}
}

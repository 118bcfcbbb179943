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

// BenchmarkTolerationLists compares ways to ask about a pod's list and that of a flavor of
// node as one, for 200 pairs of them and a node each:
//
//	joined   kube.FirstUntolerated of a joined copy
//	matcher  a kube.Matcher, kept, that compiles both
//	lists    kube.TolerationLists
//	first    kube.FirstUntolerated of the pod's list alone, which is less work
func BenchmarkTolerationLists(b *testing.B) {
	type question struct {
		taints      []v1.Taint
		pod, flavor []v1.Toleration
	}
	var questions []question
	for i := range 200 {
		key := func(n int) string { return fmt.Sprintf("example.com/key-%d", n%7) }
		questions = append(questions, question{
			taints: []v1.Taint{{Key: key(i), Effect: "NoSchedule"}, {Key: key(i * 3), Effect: "NoSchedule"}},
			pod:    []v1.Toleration{{Key: key(i), Operator: "Exists", Effect: "NoSchedule"}, {Key: key(i + 1), Operator: "Exists"}},
			flavor: []v1.Toleration{{Key: key(i * 5), Operator: "Exists", Effect: "NoSchedule"}, {Key: key(i + 3), Operator: "Exists"}},
		})
	}
	side := func(name string, found func(q *question) bool) ratio.Side {
		return ratio.Side{Name: name, Units: len(questions), Do: func() (count int) {
			for i := range questions {
				if found(&questions[i]) {
					count++
				}
			}
			return count
		}}
	}
	var m kube.Matcher
	r := ratio.Measure(b, "node",
		side("joined", func(q *question) bool {
			_, found := kube.FirstUntolerated(q.taints, append(q.pod[:len(q.pod):len(q.pod)], q.flavor...), taint.Hard)
			return found
		}),
		side("matcher", func(q *question) bool {
			m.Compile(q.pod)
			m.Add(q.flavor)
			_, found := m.FirstUntolerated(q.taints, taint.Hard)
			return found
		}),
		side("lists", func(q *question) bool {
			_, found := kube.TolerationLists{q.pod, q.flavor}.FirstUntolerated(q.taints, taint.Hard)
			return found
		}),
		side("first", func(q *question) bool {
			_, found := kube.FirstUntolerated(q.taints, q.pod, taint.Hard)
			return found
		}))
	r.Agree(b, "joined", "matcher", "lists")
	r.Report(b, "joined", "lists")
	r.Report(b, "matcher", "lists")
	r.Report(b, "lists", "first")
}

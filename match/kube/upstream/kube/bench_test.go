package kube

import (
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	upstream "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkP1 measures figure P1: for each pair of a pod and a node of scenario
// "pools", the first taint that keeps the pod from being scheduled there.
//
//	peer   FindMatchingUntoleratedTaint of k8s.io/component-helpers on v1 objects
//	match  match.FirstUntolerated on this module's structs
//	loop   the loop that descheduler and Koordinator have of their own: no slice,
//	       and the method ToleratesTaint for each taint and toleration
//	kube   kube.FindMatchingUntoleratedTaint on v1 objects
//	index  kube.FirstUntolerated on v1 objects
//
// Each pod and each node has lists and strings of its own, as objects decoded
// from the API server have: comparing strings that share memory would be too
// cheap. "all" is every pair, "tainted" those whose node has a taint.
func BenchmarkP1(b *testing.B) {
	for _, fleet := range []struct {
		name string
		keep func(taints []taint.Taint) bool
	}{
		{"all", func([]taint.Taint) bool { return true }},
		{"tainted", func(taints []taint.Taint) bool { return len(taints) > 0 }},
	} {
		nodes, pods := poolsLists(fleet.keep)
		b.Run(fleet.name, func(b *testing.B) { benchmarkPairs(b, nodes, pods) })
	}
}

func benchmarkPairs(b *testing.B, nodes [][]taint.Taint, pods [][]toleration.Toleration) {
	v1Nodes, v1Pods := make([][]v1.Taint, len(nodes)), make([][]v1.Toleration, len(pods))
	for i, taints := range nodes {
		v1Nodes[i] = kube.AppendV1Taints(nil, ownTaints(taints))
	}
	for i, tolerations := range pods {
		v1Pods[i] = kube.AppendV1Tolerations(nil, ownTolerations(tolerations))
	}
	want := 0
	b.Run("peer", func(b *testing.B) {
		measurePairs(b, len(nodes), len(pods), &want, func(node, pod int) bool {
			_, found := upstream.FindMatchingUntoleratedTaint(klog.Logger{}, v1Nodes[node], v1Pods[pod], isHard, true)
			return found
		})
	})
	b.Run("match", func(b *testing.B) {
		measurePairs(b, len(nodes), len(pods), &want, func(node, pod int) bool {
			_, found := match.FirstUntolerated(nodes[node], pods[pod], taint.Hard)
			return found
		})
	})
	b.Run("loop", func(b *testing.B) {
		measurePairs(b, len(nodes), len(pods), &want, func(node, pod int) bool {
			return handLoop(v1Nodes[node], v1Pods[pod], isHard)
		})
	})
	b.Run("index", func(b *testing.B) {
		measurePairs(b, len(nodes), len(pods), &want, func(node, pod int) bool {
			_, found := kube.FirstUntolerated(v1Nodes[node], v1Pods[pod], taint.Hard, toleration.Rules{Comparisons: true})
			return found
		})
	})
	b.Run("kube", func(b *testing.B) {
		measurePairs(b, len(nodes), len(pods), &want, func(node, pod int) bool {
			_, found := kube.FindMatchingUntoleratedTaint(klog.Logger{}, v1Nodes[node], v1Pods[pod], isHard, true)
			return found
		})
	})
}

// handLoop is the loop of a project that does not call FindMatchingUntoleratedTaint.
func handLoop(taints []v1.Taint, tolerations []v1.Toleration, filter func(*v1.Taint) bool) bool {
	for i := range taints {
		if !filter(&taints[i]) {
			continue
		}
		if !slices.ContainsFunc(tolerations, func(t v1.Toleration) bool { return t.ToleratesTaint(klog.Logger{}, &taints[i], true) }) {
			return true
		}
	}
	return false
}

// measurePairs times found over all pairs, pod by pod, and checks that every
// contender finds as many untolerated taints as the first one.
func measurePairs(b *testing.B, nodes, pods int, want *int, found func(node, pod int) bool) {
	b.ReportAllocs()
	count := 0
	for b.Loop() {
		count = 0
		for pod := range pods {
			for node := range nodes {
				if found(node, pod) {
					count++
				}
			}
		}
	}
	if *want == 0 {
		*want = count
	}
	if count != *want {
		b.Fatalf("%d of %d pairs have an untolerated taint, want %d", count, nodes*pods, *want)
	}
	pairs := float64(b.N) * float64(nodes*pods)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/pairs, "ns/pair")
	b.ReportMetric(float64(count)/float64(nodes*pods), "untolerated/pair")
}

func isHard(t *v1.Taint) bool {
	return t.Effect == v1.TaintEffectNoSchedule || t.Effect == v1.TaintEffectNoExecute
}

// poolsLists returns the lists of the nodes that keep selects and of all pods.
func poolsLists(keep func([]taint.Taint) bool) (nodes [][]taint.Taint, pods [][]toleration.Toleration) {
	cluster := scenario.Pools(1, 1000, 200)
	for _, node := range cluster.Nodes {
		if keep(node.Taints) {
			nodes = append(nodes, ownTaints(node.Taints))
		}
	}
	for _, pod := range cluster.Pods {
		pods = append(pods, ownTolerations(pod.Tolerations))
	}
	return nodes, pods
}

// ownTaints returns a copy of taints that shares no memory with it.
func ownTaints(taints []taint.Taint) []taint.Taint {
	own := slices.Clone(taints)
	for i := range own {
		t := &own[i]
		t.Key, t.Value, t.Effect = strings.Clone(t.Key), strings.Clone(t.Value), taint.Effect(strings.Clone(string(t.Effect)))
	}
	return own
}

// ownTolerations returns a copy of tolerations that shares no strings with it.
func ownTolerations(tolerations []toleration.Toleration) []toleration.Toleration {
	own := slices.Clone(tolerations)
	for i := range own {
		t := &own[i]
		t.Key, t.Value, t.Effect = strings.Clone(t.Key), strings.Clone(t.Value), taint.Effect(strings.Clone(string(t.Effect)))
		t.Operator = toleration.Operator(strings.Clone(string(t.Operator)))
	}
	return own
}

package kube

import (
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	upstream "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/bench/ratio"
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
//	loop   a loop of one's own, as several projects have: no slice,
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
	v1Nodes, v1Pods := v1Lists(nodes, pods)
	want := 0
	b.Run("peer", func(b *testing.B) {
		measurePairs(b, len(nodes), len(pods), &want, func(node, pod int) bool {
			_, found := upstream.FindMatchingUntoleratedTaint(klog.Logger{}, v1Nodes[node], v1Pods[pod], isHard, true)
			return found
		})
	})
	b.Run("match", func(b *testing.B) {
		measurePairs(b, len(nodes), len(pods), &want, func(node, pod int) bool {
			_, found := match.FirstUntolerated(nodes[node], pods[pod], taint.Hard, toleration.Rules{Comparisons: true})
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

// BenchmarkFirstUntolerated compares kube.FirstUntolerated with the loops that projects
// have of their own, in turns and on the pairs of [BenchmarkP1].
//
//	contains  slices.ContainsFunc over tolerations, with a filter for taints
//	indexed   loops over indexes, with a filter, as projects write them
//	matcher   a kube.Matcher, compiled for each pod
func BenchmarkFirstUntolerated(b *testing.B) {
	for _, fleet := range []struct {
		name string
		keep func(taints []taint.Taint) bool
	}{
		{"all", func([]taint.Taint) bool { return true }},
		{"tainted", func(taints []taint.Taint) bool { return len(taints) > 0 }},
	} {
		nodes, pods := poolsLists(fleet.keep)
		v1Nodes, v1Pods := v1Lists(nodes, pods)
		var m kube.Matcher
		side := func(name string, found func(taints []v1.Taint, tolerations []v1.Toleration) bool) ratio.Side {
			return ratio.Side{Name: name, Units: len(nodes) * len(pods), Do: func() (count int) {
				for _, tolerations := range v1Pods {
					for _, taints := range v1Nodes {
						if found(taints, tolerations) {
							count++
						}
					}
				}
				return count
			}}
		}
		b.Run(fleet.name, func(b *testing.B) {
			r := ratio.Measure(b, "pair",
				side("contains", func(taints []v1.Taint, tolerations []v1.Toleration) bool {
					return handLoop(taints, tolerations, isHard)
				}),
				side("indexed", func(taints []v1.Taint, tolerations []v1.Toleration) bool {
					return indexedLoop(taints, tolerations, isHard)
				}),
				side("kube", func(taints []v1.Taint, tolerations []v1.Toleration) bool {
					_, found := kube.FirstUntolerated(taints, tolerations, taint.Hard, toleration.Rules{Comparisons: true})
					return found
				}),
				ratio.Side{Name: "matcher", Units: len(nodes) * len(pods), Do: func() (count int) {
					for _, tolerations := range v1Pods {
						m.Compile(tolerations, toleration.Rules{Comparisons: true})
						for _, taints := range v1Nodes {
							if _, found := m.FirstUntolerated(taints, taint.Hard); found {
								count++
							}
						}
					}
					return count
				}})
			r.Agree(b, "contains", "indexed", "kube", "matcher")
			r.Report(b, "contains", "kube")
			r.Report(b, "indexed", "matcher")
			r.Report(b, "indexed", "kube")
		})
	}
}

// indexedLoop is the loop of a project that calls upstream's method for each pair.
func indexedLoop(taints []v1.Taint, tolerations []v1.Toleration, filter func(*v1.Taint) bool) bool {
	for i := range taints {
		if filter != nil && !filter(&taints[i]) {
			continue
		}
		if !anyTolerates(tolerations, &taints[i]) {
			return true
		}
	}
	return false
}

func anyTolerates(tolerations []v1.Toleration, x *v1.Taint) bool {
	for i := range tolerations {
		if tolerations[i].ToleratesTaint(klog.Logger{}, x, true) {
			return true
		}
	}
	return false
}

// v1Lists returns the lists as those of k8s.io/api, with memory of their own.
func v1Lists(nodes [][]taint.Taint, pods [][]toleration.Toleration) (v1Nodes [][]v1.Taint, v1Pods [][]v1.Toleration) {
	for _, taints := range nodes {
		v1Nodes = append(v1Nodes, kube.AppendV1Taints(nil, ownTaints(taints)))
	}
	for _, tolerations := range pods {
		v1Pods = append(v1Pods, kube.AppendV1Tolerations(nil, ownTolerations(tolerations)))
	}
	return v1Nodes, v1Pods
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

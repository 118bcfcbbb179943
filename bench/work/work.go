// Package work holds the questions that the figures are about, as each engine
// of this module answers them. The benchmarks of package figures and of the
// nested module match/kube share it, so that all time the same.
//
// Answers are numbers of pairs of a pod and a node where the pod may be
// scheduled (rule F2).
package work

import (
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Index returns an index of the nodes of a cluster.
func Index(nodes []scenario.Node) *index.Index {
	ix := index.New(toleration.Rules{Comparisons: true})
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range nodes {
			if !yield(nodes[i].Name, nodes[i].Taints) {
				return
			}
		}
	})
	return ix
}

// ByMatch asks package match about every pair.
func ByMatch(nodes []scenario.Node, pods []scenario.Pod) (fits int) {
	for i := range pods {
		for j := range nodes {
			if _, refused := match.FirstUntolerated(nodes[j].Taints, pods[i].Tolerations, taint.Hard, toleration.Rules{Comparisons: true}); !refused {
				fits++
			}
		}
	}
	return fits
}

// ByIndex asks the index about each pod, from its raw tolerations.
func ByIndex(s *index.Snapshot, fit *index.Fit, pods []scenario.Pod) (fits int) {
	for i := range pods {
		s.FitList(fit, pods[i].Tolerations)
		fits += fit.Len()
	}
	return fits
}

// ByPodClass finds which pods have the same tolerations, from the raw lists, and
// asks the index about each list once.
func ByPodClass(s *index.Snapshot, fit *index.Fit, pods []scenario.Pod) (fits int) {
	var classes index.Pods
	for i := range pods {
		classes.Add(pods[i].Tolerations)
	}
	for class, count := range classes.All() {
		s.FitList(fit, classes.Tolerations(class))
		fits += count * fit.Len()
	}
	return fits
}

// ByGroup asks the index about each group of pods.
func ByGroup(s *index.Snapshot, fit *index.Fit, groups []scenario.PodGroup) (fits int) {
	for i := range groups {
		s.FitList(fit, groups[i].Tolerations)
		fits += groups[i].Count * fit.Len()
	}
	return fits
}

// Sample returns n of the pods, or all if there are no more, at equal distances.
func Sample(pods []scenario.Pod, n int) []scenario.Pod {
	if len(pods) <= n {
		return pods
	}
	sample := make([]scenario.Pod, n)
	for i := range sample {
		sample[i] = pods[i*len(pods)/n]
	}
	return sample
}

// SampleFor returns a sample of pods that an engine which asks about every pair
// can be timed on in a second or so: the fewer, the more tolerations they have.
func SampleFor(nodes int, pods []scenario.Pod) []scenario.Pod {
	const pairs, least, short = 5_000_000, 20, 16
	total := 0
	for i := range pods {
		total += len(pods[i].Tolerations)
	}
	times := max(1, total/max(1, len(pods))/short) // as long as short lists
	return Sample(pods, max(least/min(times, least/4), pairs/times/max(1, nodes)))
}

package match_test

import (
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkGroups shows where the plain loop is the faster one: an autoscaler
// with a few node groups, or many, that asks for each of 10,000 pods which groups
// it fits.
//
//	match    match.FirstUntolerated for each pod and group
//	index    Snapshot.FitList for each pod, and Has for each group
//	classes  match.FirstUntolerated for each class of pods, kept in index.Pods
func BenchmarkGroups(b *testing.B) {
	for _, n := range []int{6, 100, 1000} {
		c := scenario.Pools(1, 20*n, 10_000)
		var groups [][]taint.Taint
		seen := map[string]bool{}
		for i := range c.Nodes {
			if text := taint.FormatList(c.Nodes[i].Taints); !seen[text] && len(groups) < n {
				seen[text] = true
				groups = append(groups, c.Nodes[i].Taints)
			}
		}
		b.Run(strconv.Itoa(len(groups)), func(b *testing.B) { benchmarkGroups(b, groups, c.Pods) })
	}
}

func benchmarkGroups(b *testing.B, groups [][]taint.Taint, pods []scenario.Pod) {
	ix := index.New(toleration.Rules{Comparisons: true})
	ids := make([]index.NodeID, len(groups))
	for i, taints := range groups {
		ids[i] = ix.Set("group "+strconv.Itoa(i), taints)
	}
	snapshot := ix.Snapshot()
	var fit index.Fit
	var classes index.Pods
	lists := map[index.PodClass][]toleration.Toleration{}
	for i := range pods {
		lists[classes.Add(pods[i].Tolerations)] = pods[i].Tolerations
	}
	ratio.Measure(b, "pod",
		ratio.Side{Name: "match", Units: len(pods), Do: func() (fits int) {
			for i := range pods {
				fits += fitting(groups, pods[i].Tolerations)
			}
			return fits
		}},
		ratio.Side{Name: "index", Units: len(pods), Do: func() (fits int) {
			for i := range pods {
				snapshot.FitList(&fit, pods[i].Tolerations)
				for _, id := range ids {
					if fit.Has(id) {
						fits++
					}
				}
			}
			return fits
		}},
		ratio.Side{Name: "classes", Units: len(pods), Do: func() (fits int) {
			for class, count := range classes.All() {
				fits += count * fitting(groups, lists[class])
			}
			return fits
		}},
	).Agree(b, "match", "index", "classes")
}

func fitting(groups [][]taint.Taint, tolerations []toleration.Toleration) (n int) {
	for _, taints := range groups {
		if _, refused := match.FirstUntolerated(taints, tolerations, taint.Hard); !refused {
			n++
		}
	}
	return n
}

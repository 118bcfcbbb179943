package upstream

import (
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// taintPlugin returns the scheduler's TaintToleration plugin.
func taintPlugin(t rapid.TB, gate bool) *tainttoleration.TaintToleration {
	plugin, err := tainttoleration.New(quietly(), nil, nil, feature.Features{EnableTaintTolerationComparisonOperators: gate})
	if err != nil {
		t.Fatalf("no plugin: %v", err)
	}
	return plugin.(*tainttoleration.TaintToleration)
}

func nodeInfo(node *v1.Node) fwk.NodeInfo {
	info := framework.NewNodeInfo()
	info.SetNode(node)
	return info
}

// TestF2Scheduler runs pods through the plugin's Filter, Score and
// NormalizeScore over all nodes, and holds FirstUntolerated, Score and
// NormalizeScores against it (rules F2, F4).
func TestF2Scheduler(t *testing.T) {
	nodes, pods := placementUniverse()
	for _, gate := range [...]bool{true, false} {
		plugin := taintPlugin(t, gate)
		infos := nodeInfos(nodes)
		for _, tolerations := range pods {
			compareCycle(t, plugin, infos, nodes, tolerations, toleration.Rules{Comparisons: gate})
		}
	}
	t.Logf("%d pairs of pod and node compared", 2*len(nodes)*len(pods))
}

func TestF2SchedulerGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gate := rapid.Bool().Draw(t, "gate")
		nodes := rapid.SliceOfN(taintLists, 1, 5).Draw(t, "nodes")
		tolerations := tolerationLists.Draw(t, "tolerations")
		compareCycle(t, taintPlugin(t, gate), nodeInfos(nodes), nodes, tolerations, toleration.Rules{Comparisons: gate})
	})
}

// TestF2SchedulerScenarios schedules the pods of every scenario.
func TestF2SchedulerScenarios(t *testing.T) {
	for _, name := range scenario.Names() {
		maker, _ := scenario.Find(name)
		cluster := maker(1, 500, 150)
		var nodes [][]taint.Taint
		for _, node := range cluster.Nodes {
			nodes = append(nodes, node.Taints)
		}
		for _, gate := range [...]bool{true, false} {
			plugin, infos := taintPlugin(t, gate), nodeInfos(nodes)
			for _, pod := range cluster.Pods {
				compareCycle(t, plugin, infos, nodes, pod.Tolerations, toleration.Rules{Comparisons: gate})
			}
		}
		t.Logf("%s: %d pairs of pod and node compared", name, 2*len(nodes)*len(cluster.Pods))
	}
}

func nodeInfos(nodes [][]taint.Taint) (infos []fwk.NodeInfo) {
	for _, taints := range nodes {
		infos = append(infos, nodeInfo(newNode(taints)))
	}
	return infos
}

// compareCycle does what one scheduling cycle does with the plugin.
func compareCycle(t rapid.TB, plugin *tainttoleration.TaintToleration, infos []fwk.NodeInfo, nodes [][]taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) {
	ctx, pod, state := quietly(), newPod(0, tolerations), framework.NewCycleState()
	if status := plugin.PreScore(ctx, state, pod, infos); !status.IsSuccess() {
		t.Fatalf("PreScore: %v", status)
	}
	var wantScores fwk.NodeScoreList
	var scores []int64
	for i, taints := range nodes {
		want := plugin.Filter(ctx, state, pod, infos[i]).IsSuccess()
		if _, found := match.FirstUntolerated(taints, tolerations, taint.Hard, rules...); found == want {
			t.Fatalf("FirstUntolerated(%q, %q): found: %t, the plugin lets the pod pass: %t", taints, tolerations, found, want)
		}
		if unschedulable := match.Decide(taints, tolerations, rules...).Scheduling == match.Unschedulable; unschedulable == want {
			t.Fatalf("Decide(%q, %q): unschedulable: %t, the plugin lets the pod pass: %t", taints, tolerations, unschedulable, want)
		}
		score, status := plugin.Score(ctx, state, pod, infos[i])
		if got := match.CountUntolerated(taints, tolerations, taint.Soft, rules...); !status.IsSuccess() || got != score {
			t.Fatalf("Score(%q, %q) = %d, want %d, %v", taints, tolerations, got, score, status)
		}
		wantScores, scores = append(wantScores, fwk.NodeScore{Score: score}), append(scores, score)
	}
	compareNormalize(t, plugin, scores, wantScores)
}

func compareNormalize(t rapid.TB, plugin *tainttoleration.TaintToleration, counts []int64, scores fwk.NodeScoreList) {
	got := slices.Clone(counts)
	match.NormalizeScores(got)
	status := plugin.NormalizeScore(quietly(), nil, nil, scores)
	for i := range scores {
		if !status.IsSuccess() || got[i] != scores[i].Score {
			t.Fatalf("NormalizeScores(%d) = %d, want %v, %v", counts, got, scores, status)
		}
	}
}

// TestF4Normalize normalises any counts, also those that no node has.
func TestF4Normalize(t *testing.T) {
	plugin := taintPlugin(t, true)
	for most := range int64(300) {
		counts, scores := make([]int64, most+1), make(fwk.NodeScoreList, most+1)
		for count := range most + 1 {
			counts[count], scores[count].Score = count, count
		}
		compareNormalize(t, plugin, counts, scores)
	}
	compareNormalize(t, plugin, nil, nil)
}

// TestF7Cordoned holds Cordoned against the plugin NodeUnschedulable.
func TestF7Cordoned(t *testing.T) {
	keys := []string{"", "a", taint.KeyUnschedulable}
	pods := listsUpTo(1, allTolerations(keys, operatorWords, fewValues, effectWords, secondsWords[:1]))
	_, more := placementUniverse()
	for _, gate := range [...]bool{true, false} {
		plugin, err := nodeunschedulable.New(quietly(), nil, nil, feature.Features{EnableTaintTolerationComparisonOperators: gate})
		if err != nil {
			t.Fatal(err)
		}
		filter := plugin.(fwk.FilterPlugin)
		for _, unschedulable := range [...]bool{true, false} {
			info := nodeInfo(&v1.Node{Spec: v1.NodeSpec{Unschedulable: unschedulable}})
			for _, tolerations := range slices.Concat(pods, more) {
				refused := !filter.Filter(quietly(), nil, newPod(0, tolerations), info).IsSuccess()
				if got := unschedulable && match.Cordoned(tolerations); got != refused {
					t.Fatalf("gate %t: Cordoned(%q) = %t, the plugin refuses: %t", gate, tolerations, got, refused)
				}
			}
		}
	}
	t.Logf("%d answers compared", 4*(len(pods)+len(more)))
}

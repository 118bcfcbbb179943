package upstream

import (
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match/kube/scheduler"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// plugins is the plugin of match/kube/scheduler beside the two that it stands for,
// all made from the feature gates as they are.
type plugins struct {
	ours   *scheduler.Plugin
	taints *tainttoleration.TaintToleration
	cordon *nodeunschedulable.NodeUnschedulable
}

func newPlugins(tb rapid.TB, args scheduler.Args) plugins {
	tb.Helper()
	enabled := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	taints, err := tainttoleration.New(quietly(), nil, nil, enabled)
	if err != nil {
		tb.Fatalf("no plugin: %v", err)
	}
	cordon, err := nodeunschedulable.New(quietly(), nil, nil, enabled)
	if err != nil {
		tb.Fatalf("no plugin: %v", err)
	}
	return plugins{scheduler.NewPlugin(args), taints.(*tainttoleration.TaintToleration), cordon.(*nodeunschedulable.NodeUnschedulable)}
}

// filter is what the scheduler makes of the two: the first that refuses counts.
func (p plugins) filter(pod *v1.Pod, info fwk.NodeInfo) *fwk.Status {
	if status := p.cordon.Filter(quietly(), nil, pod, info); !status.IsSuccess() {
		return status
	}
	return p.taints.Filter(quietly(), nil, pod, info)
}

// compareCycle holds the plugin against the two for a whole scheduling cycle: codes,
// reasons, counts and scores.
func (p plugins) compareCycle(tb rapid.TB, pod *v1.Pod, infos []fwk.NodeInfo) {
	tb.Helper()
	state := framework.NewCycleState()
	result, got := p.ours.PreFilter(quietly(), state, pod, infos)
	if _, want := p.taints.PreFilter(quietly(), state, pod, infos); got.Code() != want.Code() {
		tb.Fatalf("PreFilter = %v, want %v", got.Code(), want.Code())
	}
	_ = p.taints.PreScore(quietly(), state, pod, infos)
	skipped := p.ours.PreScore(quietly(), state, pod, infos)
	scores, wantScores := make(fwk.NodeScoreList, len(infos)), make(fwk.NodeScoreList, len(infos))
	for i, info := range infos {
		if got, want := p.ours.Filter(quietly(), state, pod, info), p.filter(pod, info); got.Code() != want.Code() || got.Message() != want.Message() {
			tb.Fatalf("Filter of %v on %v = %v %q, want %v %q", pod.Spec.Tolerations, info.Node().Spec, got.Code(), got.Message(), want.Code(), want.Message())
		}
		if name := info.Node().Name; !result.AllNodes() && p.filter(pod, info).IsSuccess() && !result.NodeNames.Has(name) {
			tb.Fatalf("node %s fits and is left out", name)
		}
		got, status := p.ours.Score(quietly(), state, pod, info)
		want, _ := p.taints.Score(quietly(), state, pod, info)
		if got != want || status != nil {
			tb.Fatalf("Score of %v on %v = %d, %v, want %d", pod.Spec.Tolerations, info.Node().Spec, got, status, want)
		}
		scores[i].Score, wantScores[i].Score = got, want
	}
	different := func(s fwk.NodeScore) bool { return s.Score != 0 }
	if got := !slices.ContainsFunc(wantScores, different); got != skipped.IsSkip() || !got && !skipped.IsSuccess() {
		tb.Fatalf("PreScore = %v, and the counts are %v", skipped, wantScores)
	}
	status := p.ours.ScoreExtensions().NormalizeScore(quietly(), state, pod, scores)
	_ = p.taints.ScoreExtensions().NormalizeScore(quietly(), state, pod, wantScores)
	if status != nil || !slices.Equal(scores, wantScores) {
		tb.Fatalf("NormalizeScore = %v, %v, want %v", scores, status, wantScores)
	}
}

// cordonedInfos returns a node info for each list, and one of a cordoned node.
func cordonedInfos(lists [][]taint.Taint) []fwk.NodeInfo {
	infos := nodeInfos(lists)
	for _, info := range nodeInfos(lists) {
		info.Node().Spec.Unschedulable = true
		infos = append(infos, info)
	}
	return infos
}

// forEachGate runs a test with the gate of the comparison operators off and on.
func forEachGate(t *testing.T, run func(t *testing.T)) {
	withGate(t, func(t *testing.T, _ ...toleration.Rules) { run(t) })
}

func TestF2Plugin(t *testing.T) {
	nodes, pods := placementUniverse()
	forEachGate(t, func(t *testing.T) {
		p, infos := newPlugins(t, scheduler.Args{}), cordonedInfos(nodes)
		for _, tolerations := range pods {
			p.compareCycle(t, newPod(0, tolerations), infos)
		}
		t.Logf("%d pairs of pod and node compared", len(infos)*len(pods))
	})
}

func TestF2PluginGenerated(t *testing.T) {
	forEachGate(t, func(t *testing.T) {
		p := newPlugins(t, scheduler.Args{})
		rapid.Check(t, func(t *rapid.T) {
			infos := cordonedInfos(rapid.SliceOfN(taintLists, 1, 5).Draw(t, "nodes"))
			p.compareCycle(t, newPod(0, tolerationLists.Draw(t, "tolerations")), infos)
		})
	})
}

func TestF2PluginScenarios(t *testing.T) {
	for _, name := range scenario.Names() {
		maker, _ := scenario.Find(name)
		cluster := maker(1, 300, 100)
		var lists [][]taint.Taint
		for _, node := range cluster.Nodes {
			lists = append(lists, node.Taints)
		}
		forEachGate(t, func(t *testing.T) {
			p, infos := newPlugins(t, scheduler.Args{}), cordonedInfos(lists)
			for _, pod := range cluster.Pods {
				p.compareCycle(t, newPod(0, pod.Tolerations), infos)
			}
		})
	}
}

// TestF7PluginIgnoresCordon: without the cordon the plugin is TaintToleration alone.
func TestF7PluginIgnoresCordon(t *testing.T) {
	nodes, pods := placementUniverse()
	p := newPlugins(t, scheduler.Args{IgnoreCordon: true})
	for _, info := range cordonedInfos(nodes) {
		for _, tolerations := range pods {
			pod := newPod(0, tolerations)
			got, want := p.ours.Filter(quietly(), nil, pod, info), p.taints.Filter(quietly(), nil, pod, info)
			if got.Code() != want.Code() || got.Message() != want.Message() {
				t.Fatalf("Filter of %v on %v = %v, want %v", tolerations, info.Node().Spec, got, want)
			}
		}
	}
}

// TestN4PluginArgument: what the argument says counts, whatever the gate.
func TestN4PluginArgument(t *testing.T) {
	nodes, pods := placementUniverse()
	for _, on := range [...]bool{true, false} {
		setGate(t, on)
		theirs := newPlugins(t, scheduler.Args{})
		setGate(t, !on)
		p := plugins{newPlugins(t, scheduler.Args{ComparisonOperators: &on}).ours, theirs.taints, theirs.cordon}
		for _, tolerations := range pods {
			p.compareCycle(t, newPod(0, tolerations), nodeInfos(nodes))
		}
	}
}

// TestDeferredResize: the gate makes the plugins leave a pod alone that waits on its
// node for a resize.
func TestDeferredResize(t *testing.T) {
	infos := cordonedInfos([][]taint.Taint{nil, mustTaints("a:NoSchedule")})
	conditions := [][]v1.PodCondition{
		nil,
		{{Type: v1.PodResizePending, Reason: v1.PodReasonDeferred}},
		{{Type: v1.PodResizePending, Reason: v1.PodReasonInfeasible}},
		{{Type: v1.PodReady}, {Type: v1.PodResizePending, Reason: v1.PodReasonDeferred}},
		{{Type: v1.PodResizePending}, {Type: v1.PodResizePending, Reason: v1.PodReasonDeferred}},
	}
	for _, on := range [...]bool{true, false} {
		featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.InPlacePodVerticalScalingSchedulerPreemption, on)
		p := newPlugins(t, scheduler.Args{})
		for _, list := range conditions {
			pod := newPod(0, nil)
			pod.Status.Conditions = list
			p.compareCycle(t, pod, infos)
		}
	}
}

package upstream

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/parallelize"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// spreadHandle is as much of the framework as the plugin asks for.
type spreadHandle struct{ fwk.Handle }

func (spreadHandle) Parallelizer() fwk.Parallelizer         { return parallelize.NewParallelizer(1) }
func (spreadHandle) SnapshotSharedLister() fwk.SharedLister { return spreadLister{} }

type spreadLister struct{ fwk.SharedLister }

// TestR2NodeTaintsPolicy asks PodTopologySpread, with maxSkew 1, whether a second pod may
// go to a zone that has one, beside an empty zone whose only node has the taints. It may
// if and only if that node does not count.
func TestR2NodeTaintsPolicy(t *testing.T) {
	some := []taint.Taint{{Key: "a", Effect: "NoSchedule"}, {Key: "a", Value: "7", Effect: "NoExecute"}, {Key: "b", Effect: "PreferNoSchedule"}, {Key: "b", Effect: "odd"}}
	lists := [][]toleration.Toleration{nil, mustTolerations("a"), mustTolerations("a:NoSchedule"), mustTolerations("*"), {{Key: "a", Operator: "Gt", Value: "5"}}, mustTolerations("b")}
	count := map[bool]int{}
	metrics.Register()
	for _, gate := range []bool{false, true} {
		rules := toleration.Rules{Comparisons: gate}
		plugin, err := podtopologyspread.New(quietly(), &config.PodTopologySpreadArgs{DefaultingType: config.ListDefaulting}, spreadHandle{},
			feature.Features{EnableNodeInclusionPolicyInPodTopologySpread: true, EnableTaintTolerationComparisonOperators: gate})
		must(t, err)
		for _, policy := range []v1.NodeInclusionPolicy{"", v1.NodeInclusionPolicyIgnore, v1.NodeInclusionPolicyHonor} {
			for _, taints := range listsUpTo(2, some) {
				for _, list := range lists {
					for _, cordoned := range []bool{false, true} {
						counted := spreadCounts(t, plugin.(filterer), policy, taints, list, cordoned)
						_, refused := match.FirstUntolerated(taints, list, taint.Hard, rules)
						if got := policy != v1.NodeInclusionPolicyHonor || !refused; got != counted {
							t.Fatalf("policy %q, %v, %v, gate %t: %t, want %t", policy, taints, list, gate, got, counted)
						}
						count[counted]++
					}
				}
			}
		}
	}
	t.Logf("answers: %v", count)
}

// filterer is the plugin as far as it is asked.
type filterer interface {
	fwk.PreFilterPlugin
	fwk.FilterPlugin
}

func spreadCounts(t *testing.T, plugin filterer, policy v1.NodeInclusionPolicy, taints []taint.Taint, list []toleration.Toleration, cordoned bool) bool {
	constraint := v1.TopologySpreadConstraint{
		MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: v1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "x"}},
	}
	if policy != "" {
		constraint.NodeTaintsPolicy = &policy
	}
	pod := newPod(1, list)
	pod.Labels, pod.Spec.NodeName, pod.Spec.TopologySpreadConstraints = map[string]string{"app": "x"}, "", []v1.TopologySpreadConstraint{constraint}
	running := newPod(0, nil)
	running.Labels = pod.Labels
	full, empty := framework.NewNodeInfo(running), framework.NewNodeInfo()
	full.SetNode(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "full", Labels: map[string]string{"zone": "a"}}})
	empty.SetNode(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "empty", Labels: map[string]string{"zone": "b"}},
		Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, taints), Unschedulable: cordoned}})
	state := framework.NewCycleState()
	if _, status := plugin.PreFilter(quietly(), state, pod, []fwk.NodeInfo{full, empty}); !status.IsSuccess() && !status.IsSkip() {
		t.Fatal(status.AsError())
	}
	return !plugin.Filter(quietly(), state, pod, full).IsSuccess()
}

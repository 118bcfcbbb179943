package upstream

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	corev1 "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/matchtest/vectors"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

type object = map[string]any

// vectorKinds answers each kind of question with the code of Kubernetes.
var vectorKinds = map[string]func(*testing.T, *vectorInput, *vectors.Case) any{
	"tolerates": func(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
		return in.Toleration.ToleratesTaint(quiet, &in.Taint, in.gate())
	},
	"untolerated":     untoleratedVector,
	"fits":            fitsVector,
	"verdict":         verdictVector,
	"scores":          scoresVector,
	"cordon":          cordonVector,
	"kubelet":         kubeletVector,
	"daemonSet":       daemonSetVector,
	"topologySpread":  topologySpreadVector,
	"evictions":       evictionsVector,
	"zone":            zoneVector,
	"conditionTaints": conditionTaintsVector,
	"nodeLifecycle":   nodeLifecycleVector,
}

func untoleratedVector(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
	indexes := []int{}
	for i := range in.Node.Spec.Taints {
		if _, found := corev1.FindMatchingUntoleratedTaint(quiet, in.Node.Spec.Taints[i:i+1], in.Pod.Spec.Tolerations, nil, in.gate()); found {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// firstVector is the index of the first untolerated taint with one of the effects.
func firstVector(in *vectorInput, effects ...v1.TaintEffect) (index int, found bool) {
	x, found := corev1.FindMatchingUntoleratedTaint(quiet, in.Node.Spec.Taints, in.Pod.Spec.Tolerations,
		func(x *v1.Taint) bool { return slices.Contains(effects, x.Effect) }, in.gate())
	return slices.Index(in.Node.Spec.Taints, x), found
}

// fitsVector asks the plugin whether the pod fits, and the helper that it uses which
// taint it is.
func fitsVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	info := framework.NewNodeInfo()
	info.SetNode(&in.Node)
	status := taintPlugin(t, in.gate()).Filter(quietly(), framework.NewCycleState(), &in.Pod, info)
	i, found := firstVector(in, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute)
	if status.IsSuccess() == found {
		t.Errorf("the plugin says %v, its helper %t", status, found)
	}
	if !found {
		return object{"fits": true}
	}
	return object{"fits": false, "taint": i}
}

// verdictVector has the controller say when the pod is evicted, in a minute or so. Which
// taint evicts is what the controller does not say: that is the first that it does not
// tolerate, or the vector's.
func verdictVector(t *testing.T, in *vectorInput, c *vectors.Case) any {
	answer := object{"scheduling": "schedulable", "eviction": "stay"}
	if i, found := firstVector(in, v1.TaintEffectPreferNoSchedule); found {
		answer["scheduling"], answer["schedulingTaint"] = "avoid", i
	}
	if i, found := firstVector(in, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute); found {
		answer["scheduling"], answer["schedulingTaint"] = "unschedulable", i
	}
	const horizon = 24 * time.Hour
	at, evicted := evictions(t, in.taints(), [][]toleration.Toleration{in.tolerations()}, horizon)[0]
	expected := object{}
	mustDecode(t, c.Expected("kubernetes"), &expected)
	late, _ := expected["milliseconds"].(float64)
	switch {
	case !evicted && expected["eviction"] == "evict after" && late > float64(horizon.Milliseconds()):
		// as far as a day shows it
		answer["eviction"], answer["milliseconds"], answer["evictionTaint"] = "evict after", expected["milliseconds"], expected["evictionTaint"]
	case evicted && at == 0:
		answer["eviction"], answer["evictionTaint"] = "evict now", expected["evictionTaint"]
	case evicted:
		answer["eviction"], answer["milliseconds"], answer["evictionTaint"] = "evict after", at.Milliseconds(), expected["evictionTaint"]
	}
	if i, found := firstVector(in, v1.TaintEffectNoExecute); found {
		answer["evictionTaint"] = i
	}
	return answer
}

func scoresVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	plugin, state := taintPlugin(t, in.gate()), framework.NewCycleState()
	var infos []fwk.NodeInfo
	for i := range in.Nodes {
		infos = append(infos, nodeInfo(&in.Nodes[i]))
	}
	_ = plugin.PreScore(quietly(), state, &in.Pod, infos)
	list := make(fwk.NodeScoreList, len(infos))
	for i, info := range infos {
		list[i].Score, _ = plugin.Score(quietly(), state, &in.Pod, info)
	}
	_ = plugin.ScoreExtensions().NormalizeScore(quietly(), state, &in.Pod, list)
	scores := []int64{}
	for _, s := range list {
		scores = append(scores, s.Score)
	}
	return scores
}

func cordonVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	plugin, err := nodeunschedulable.New(quietly(), nil, nil, feature.Features{EnableTaintTolerationComparisonOperators: in.gate()})
	must(t, err)
	return plugin.(fwk.FilterPlugin).Filter(quietly(), nil, &in.Pod, nodeInfo(&in.Node)).IsSuccess()
}

func kubeletVector(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
	return kubeletAdmits(in.taints(), in.tolerations(), in.Pod.Annotations["kubernetes.io/config.source"] == "file").Admit
}

// daemonSetVector asks about a DaemonSet whose pods have the tolerations. The controller
// adds its own, which none of the vectors' taints has the keys of.
func daemonSetVector(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
	set := &apps.DaemonSet{Spec: apps.DaemonSetSpec{Template: v1.PodTemplateSpec{Spec: in.Pod.Spec}}}
	run, keep := daemon.NodeShouldRunDaemonPod(quiet, &in.Node, set)
	return object{"run": run, "keep": keep}
}

func topologySpreadVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	metrics.Register()
	plugin, err := podtopologyspread.New(quietly(), &config.PodTopologySpreadArgs{DefaultingType: config.ListDefaulting}, spreadHandle{},
		feature.Features{EnableNodeInclusionPolicyInPodTopologySpread: true, EnableTaintTolerationComparisonOperators: in.gate()})
	must(t, err)
	policy := v1.NodeInclusionPolicy("")
	if p := in.Pod.Spec.TopologySpreadConstraints[0].NodeTaintsPolicy; p != nil {
		policy = *p
	}
	return spreadCounts(t, plugin.(filterer), policy, in.taints(), in.tolerations(), in.Node.Spec.Unschedulable)
}

// evictionsVector plays the events to the taint-eviction controller.
func evictionsVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	list := []object{}
	b := runBoth(t, func(b *both) {
		for _, e := range in.Events {
			b.sleep(time.Until(b.controller.start.Add(milliseconds(e.At))))
			switch {
			case e.Node != nil:
				b.setNode(e.Node.Name, kube.AppendTaints(nil, e.Node.Spec.Taints))
			case e.DeleteNode != "":
				b.deleteNode(e.DeleteNode)
			case e.Pod != nil:
				b.setPod(e.Pod.Name, e.Pod.Spec.NodeName, kube.AppendTolerations(nil, e.Pod.Spec.Tolerations))
			case e.DeletePod != "":
				b.deletePod(e.DeletePod)
			case e.Budget != nil: // what counts is a delete, and no eviction that a budget could refuse
				b.must(b.controller.client.PolicyV1().PodDisruptionBudgets("default").Create(context.Background(), e.Budget, metav1.CreateOptions{}))
			}
		}
	})
	for _, text := range b.theirs {
		at, pod := nanosecondsOf(t, text)
		list = append(list, object{"at": at.Milliseconds(), "pod": pod})
	}
	return list
}

// nanosecondsOf reads what eviction wrote.
func nanosecondsOf(t *testing.T, text string) (at time.Duration, pod string) {
	fields := strings.Fields(text)
	at, err := time.ParseDuration(fields[0] + fields[1])
	must(t, err)
	return at, fields[2]
}

func zoneVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	d := lifecycle.Defaults()
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	c, err := nodelifecycle.NewNodeLifecycleController(quietly(), factory.Coordination().V1().Leases(), factory.Core().V1().Pods(), factory.Core().V1().Nodes(), factory.Apps().V1().DaemonSets(),
		fake.NewClientset(), time.Second, time.Second, time.Second, d.Rate, d.SecondaryRate, int32(d.LargeZone), d.UnhealthyShare)
	must(t, err)
	var conditions []*v1.NodeCondition
	for range in.Ready {
		conditions = append(conditions, &v1.NodeCondition{Status: v1.ConditionTrue})
	}
	conditions = append(conditions, make([]*v1.NodeCondition, in.NotReady)...)
	_, state := c.ComputeZoneState(conditions)
	rate := c.HealthyQPSFunc(len(conditions))
	if state == "PartialDisruption" {
		rate = c.ReducedQPSFunc(len(conditions))
	}
	return object{"state": state, "nodesPerSecond": rate}
}

// lifecycleEvents returns the events of a vector as those of the tests here.
func lifecycleEvents(in *vectorInput) (events []event) {
	for _, e := range in.Events {
		var x event
		switch {
		case e.Node != nil:
			node := kube.LifecycleNode(e.Node)
			x = event{at: milliseconds(e.At), node: e.Node.Name}
			x = x.reports(node.Conditions).in("z").does(func(n *lifecycle.Node) { n.Unschedulable = node.Unschedulable })
		case e.DeleteNode != "":
			x = event{at: milliseconds(e.At), node: e.DeleteNode}.deletes()
		case e.RenewLease != "":
			x = event{at: milliseconds(e.At), node: e.RenewLease}.renews()
		case e.HideLease != "":
			x = event{at: milliseconds(e.At), node: e.HideLease}.fails(true)
		}
		events = append(events, x)
	}
	return events
}

func nodeLifecycleVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	config := lifecycle.Defaults()
	if in.Flags.MonitorPeriod != "" {
		period, err := time.ParseDuration(in.Flags.MonitorPeriod)
		must(t, err)
		config.MonitorPeriod = period
	}
	list, before := []object{}, map[string]lifecycle.TaintSet{}
	for _, m := range upstreamTimeline(t, config, lifecycleEvents(in), milliseconds(in.Until)) {
		for _, name := range slices.Sorted(maps.Keys(m.nodes)) {
			if now := m.nodes[name].taints; now != before[name] {
				list = append(list, object{"at": m.at.Milliseconds(), "node": name, "taints": taintNames(now)})
				before[name] = now
			}
		}
	}
	return list
}

func taintNames(s lifecycle.TaintSet) []string {
	names := []string{}
	for x := range s.All() {
		names = append(names, x.String())
	}
	slices.Sort(names)
	return names
}

// conditionTaintsVector runs the node life-cycle controller for the first second of a
// node.
func conditionTaintsVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	change := object{}
	synctest.Test(t, func(t *testing.T) {
		runNodeController(t, lifecycle.Defaults(), func(c *nodeController) {
			node := in.Node.DeepCopy()
			node.Name = nodeName
			_, err := c.client.CoreV1().Nodes().Create(context.Background(), c.number(node), metav1.CreateOptions{})
			must(t, err)
			time.Sleep(time.Second)
			synctest.Wait()
			got, err := c.client.Tracker().Get(nodesResource, "", nodeName)
			must(t, err)
			after := kube.AppendTaints(nil, got.(*v1.Node).Spec.Taints)
			change["add"], change["remove"] = missing(after, in.taints()), missing(in.taints(), after)
		})
	})
	return change
}

// missing returns the texts of the NoSchedule taints of a that b does not have, sorted.
func missing(a, b []taint.Taint) []string {
	names := []string{}
	for _, x := range a {
		if _, found := taint.Find(b, &x); x.Effect == taint.NoSchedule && !found {
			names = append(names, x.String())
		}
	}
	slices.Sort(names)
	return names
}

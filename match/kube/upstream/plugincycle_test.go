package upstream

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
	upstreamscheduler "k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/profile"

	"github.com/tolero-dev/tolero/match/kube/scheduler"
)

// cycles is a scheduler of Kubernetes with a configuration, of which single scheduling
// cycles are run.
type cycles struct {
	scheduler *upstreamscheduler.Scheduler
	profile   framework.Framework
}

func newCycles(tb testing.TB, text string, nodes []*v1.Node) cycles {
	tb.Helper()
	loaded := loadConfig(tb, []byte(text))
	withoutDevices(&loaded.Profiles[0])
	client := fake.NewClientset(cyclePod(func(*v1.Pod) {})) // preemption looks it up
	factory := informers.NewSharedInformerFactory(client, 0)
	s, err := upstreamscheduler.New(quietly(), client, factory, nil, profile.NewRecorderFactory(events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})),
		upstreamscheduler.WithProfiles(loaded.Profiles...),
		upstreamscheduler.WithNodeInfoSnapshot(cache.NewSnapshot(nil, nodes)),
		upstreamscheduler.WithFrameworkOutOfTreeRegistry(frameworkruntime.Registry{scheduler.Name: scheduler.New}))
	if err != nil {
		tb.Fatal(err)
	}
	factory.Start(tb.Context().Done())
	factory.WaitForCacheSync(tb.Context().Done())
	return cycles{s, s.Profiles["default-scheduler"]}
}

// run schedules a pod and does what follows when no node is found. It returns the node,
// or what the pod's condition would say.
func (c cycles) run(tb testing.TB, pod *v1.Pod) (node, message string) {
	tb.Helper()
	state := framework.NewCycleState()
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		tb.Fatal(err)
	}
	result, err := c.scheduler.SchedulePod(quietly(), c.profile, state, &framework.QueuedPodInfo{PodInfo: info})
	if err == nil {
		return result.SuggestedHost, ""
	}
	fit := new(framework.FitError)
	if !errors.As(err, &fit) {
		tb.Fatal(err)
	}
	_, status := c.profile.RunPostFilterPlugins(quietly(), state, pod, fit.Diagnosis.NodeToStatus)
	if status.Code() == fwk.Error {
		tb.Fatal(status.AsError())
	}
	fit.Diagnosis.PostFilterMsg = status.Message()
	return "", fit.Error()
}

// cycleNodes returns nodes of which one in share takes a pod without tolerations, and
// of which every seventh is cordoned.
func cycleNodes(n, share int) (nodes []*v1.Node) {
	for i := range n {
		node := newNode(nil)
		node.Name = fmt.Sprint("node-", i)
		node.Labels = map[string]string{"kubernetes.io/hostname": node.Name}
		node.Status.Allocatable = v1.ResourceList{v1.ResourcePods: resource.MustParse("110"), v1.ResourceCPU: resource.MustParse("4")}
		if i%share != 0 {
			node.Spec.Taints = []v1.Taint{{Key: "dedicated", Value: "ml", Effect: v1.TaintEffectNoSchedule}}
			node.Spec.Unschedulable = i%7 == 3
		}
		nodes = append(nodes, node)
	}
	return nodes
}

func cyclePod(change func(*v1.Pod)) *v1.Pod {
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default", UID: "p"},
		Spec:       v1.PodSpec{SchedulerName: "default-scheduler", Containers: []v1.Container{{Name: "c", Image: "c"}}},
	}
	change(pod)
	return pod
}

func wants(cpu string) func(*v1.Pod) {
	return func(pod *v1.Pod) {
		pod.Spec.Containers[0].Resources.Requests = v1.ResourceList{v1.ResourceCPU: resource.MustParse(cpu)}
	}
}

func onNode(name string) func(*v1.Pod) {
	return func(pod *v1.Pod) {
		term := v1.NodeSelectorTerm{MatchFields: []v1.NodeSelectorRequirement{{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{name}}}}
		pod.Spec.Affinity = &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{term}}}}
	}
}

// TestNarrowCycle runs whole scheduling cycles of kube-scheduler, stock, with the plugin
// as it is, and without narrowing: a pod is placed, or the pod's condition says the same,
// letter by letter, whatever PreFilter left out, and whichever plugin refuses.
func TestNarrowCycle(t *testing.T) {
	text, err := os.ReadFile(configFile)
	if err != nil {
		t.Fatal(err)
	}
	wide := strings.Replace(string(text), "nameTaints: false", "narrow: false", 1)
	if wide == string(text) {
		t.Fatal("the configuration has no nameTaints")
	}
	pods := map[string]*v1.Pod{
		"plain":                  cyclePod(func(*v1.Pod) {}),
		"too big":                cyclePod(wants("8")),
		"on a node that refuses": cyclePod(onNode("node-1")),
		"on a node that is full": cyclePod(func(pod *v1.Pod) { onNode("node-0")(pod); wants("8")(pod) }),
		"labels of no node":      cyclePod(func(pod *v1.Pod) { pod.Spec.NodeSelector = map[string]string{"a": "b"} }),
		"a claim that is not there": cyclePod(func(pod *v1.Pod) {
			pod.Spec.Volumes = []v1.Volume{{Name: "v", VolumeSource: v1.VolumeSource{PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: "none"}}}}
		}),
		"tolerates": cyclePod(func(pod *v1.Pod) { pod.Spec.Tolerations = []v1.Toleration{{Key: "dedicated", Value: "ml"}} }),
		"tolerates, too big": cyclePod(func(pod *v1.Pod) {
			pod.Spec.Tolerations = []v1.Toleration{{Key: "dedicated", Value: "ml"}}
			wants("8")(pod)
		}),
	}
	for _, share := range []int{1, 3, 30, 300, 1000} {
		nodes := cycleNodes(300, share)
		if share == 1000 { // none fits
			nodes = nodes[1:]
		}
		stock, narrow, all := newCycles(t, stockConfig, nodes), newCycles(t, string(text), nodes), newCycles(t, wide, nodes)
		for name, pod := range pods {
			wantNode, want := stock.run(t, pod)
			for side, c := range map[string]cycles{"narrow": narrow, "wide": all} {
				node, got := c.run(t, pod)
				if (node == "") != (wantNode == "") || got != want {
					t.Errorf("one in %d fits, %s, %s: node %q\n%s\nwant node %q\n%s", share, name, side, node, got, wantNode, want)
				}
			}
		}
	}
}

// TestNarrowIsAtWork: in these cycles PreFilter does leave out nodes.
func TestNarrowIsAtWork(t *testing.T) {
	text, err := os.ReadFile(configFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, nodes := range [][]*v1.Node{cycleNodes(300, 30), cycleNodes(300, 1000)[1:]} {
		f := newCycles(t, string(text), nodes).profile
		result, status, plugins := f.RunPreFilterPlugins(quietly(), framework.NewCycleState(), cyclePod(func(*v1.Pod) {}))
		if !status.IsSuccess() || result.AllNodes() || !plugins.Has(scheduler.Name) {
			t.Errorf("PreFilter = %v, %v, %v", result, status, plugins)
		}
	}
}

// TestPluginNamed: under the in-tree name the plugin has its place and its weight in the
// default profile, in a program that has a registry of its own.
func TestPluginNamed(t *testing.T) {
	profile := withoutDevices(&loadConfig(t, []byte(stockConfig)).Profiles[0])
	f := buildFramework(t, profile, frameworkruntime.Registry{"TaintToleration": scheduler.Named("TaintToleration")}, nil)
	for _, p := range f.ListPlugins().Score.Enabled {
		if p.Name == "TaintToleration" && p.Weight == 3 {
			result, status, _ := f.RunPreFilterPlugins(quietly(), framework.NewCycleState(), cyclePod(func(*v1.Pod) {}))
			if !status.IsSuccess() {
				t.Errorf("PreFilter = %v, %v", result, status)
			}
			info := nodeInfo(cycleNodes(2, 2)[1])
			if got := f.RunFilterPlugins(quietly(), framework.NewCycleState(), cyclePod(func(*v1.Pod) {}), info); got.Plugin() != "TaintToleration" || got.Message() != "node(s) had untolerated taint(s)" {
				t.Errorf("refused by %s: %s", got.Plugin(), got.Message())
			}
			return
		}
	}
	t.Errorf("the score plugins are %v", f.ListPlugins().Score.Enabled)
}

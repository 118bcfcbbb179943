package kube_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

func TestC1LifecycleNode(t *testing.T) {
	created, beat, other := time.Unix(1000, 0), time.Unix(2000, 0), time.Unix(3000, 0)
	node := &v1.Node{
		ObjectMeta: metav1.ObjectMeta{
			CreationTimestamp: metav1.Time{Time: created},
			Labels:            map[string]string{v1.LabelTopologyZone: "z", v1.LabelTopologyRegion: "r", lifecycle.LabelExcludeDisruption: ""},
		},
		Spec: v1.NodeSpec{Unschedulable: true, Taints: []v1.Taint{
			{Key: "other", Effect: "NoSchedule"}, {Key: taint.KeyNotReady, Value: "any", Effect: "NoExecute"}}},
		Status: v1.NodeStatus{Conditions: []v1.NodeCondition{
			{Type: v1.NodeMemoryPressure, Status: v1.ConditionTrue, LastHeartbeatTime: metav1.Time{Time: other}},
			{Type: v1.NodeReady, Status: v1.ConditionFalse, LastHeartbeatTime: metav1.Time{Time: beat}},
			{Type: "KernelDeadlock", Status: v1.ConditionTrue},
			{Type: v1.NodeDiskPressure, Status: "odd", LastHeartbeatTime: metav1.Time{Time: other}},
		}},
	}
	want := lifecycle.Node{
		Zone: lifecycle.ZoneKey(node.Labels), Excluded: true, Unschedulable: true, Created: created, Heartbeat: beat,
		Conditions: lifecycle.Conditions{Ready: lifecycle.False, MemoryPressure: lifecycle.True},
		Taints:     lifecycle.NotReadyNoExecute,
	}
	if got := kube.LifecycleNode(node); got != want {
		t.Errorf("LifecycleNode = %+v, want %+v", got, want)
	}
	if got := kube.LifecycleNode(&v1.Node{}); got != (lifecycle.Node{}) {
		t.Errorf("LifecycleNode of nothing = %+v", got)
	}
}

func TestA3A4PodResources(t *testing.T) {
	list := func(cpu, gpu string) v1.ResourceList {
		return v1.ResourceList{"cpu": resource.MustParse(cpu), "example.com/gpu": resource.MustParse(gpu)}
	}
	pod := &v1.Pod{Spec: v1.PodSpec{
		InitContainers: []v1.Container{{}},
		Containers:     []v1.Container{{Resources: v1.ResourceRequirements{Requests: list("500m", "1"), Limits: list("0.5", "2")}}},
	}}
	r := kube.PodResources(pod)
	if r.Pod != nil || len(r.InitContainers) != 1 || r.InitContainers[0].Requests != nil || len(r.Containers) != 1 {
		t.Fatalf("PodResources = %+v", r)
	}
	if c := r.Containers[0]; !maps.Equal(c.Requests, map[string]admit.Quantity{"cpu": "500m", "example.com/gpu": "1"}) ||
		!maps.Equal(c.Limits, map[string]admit.Quantity{"cpu": "500m", "example.com/gpu": "2"}) {
		t.Errorf("requests %v, limits %v", c.Requests, c.Limits)
	}
	if class, err := r.QOS(); class != admit.Burstable || err != nil {
		t.Errorf("QOS = %s, %v", class, err)
	}
	if names := r.Extended(); !slices.Equal(names, []string{"example.com/gpu"}) {
		t.Errorf("Extended = %v", names)
	}
	if r := kube.PodResources(&v1.Pod{}); r.Pod != nil || r.Containers != nil || r.InitContainers != nil {
		t.Errorf("PodResources of nothing = %+v", r)
	}
}

// The resources of the pod as a whole count if this release of k8s.io/api has them; the
// lowest one does not.
func TestA3WholePod(t *testing.T) {
	var pod v1.Pod
	field := reflect.ValueOf(&pod.Spec).Elem().FieldByName("Resources")
	if !field.IsValid() {
		t.Skip("only the newest releases of k8s.io/api have the field Resources")
	}
	field.Set(reflect.ValueOf(&v1.ResourceRequirements{Requests: v1.ResourceList{"cpu": resource.MustParse("1")}}))
	r := kube.PodResources(&pod)
	if class, err := r.QOS(); class != admit.Burstable || err != nil || r.Pod == nil {
		t.Errorf("QOS = %s, %v", class, err)
	}
}

// The queue decides about objects of the API what it decides about their lists.
func TestE1Evict(t *testing.T) {
	var q evict.Queue[string]
	start, seconds := time.Unix(0, 0), int64(60)
	pod := func(name string, tolerations ...v1.Toleration) *v1.Pod {
		return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1.PodSpec{NodeName: "n", Tolerations: tolerations}}
	}
	pods := []*v1.Pod{
		pod("at once"),
		pod("later", v1.Toleration{Operator: "Exists", TolerationSeconds: &seconds}),
		pod("never", v1.Toleration{Operator: "Exists", Effect: "NoExecute"}), // a mirror of a static pod
	}
	for _, p := range pods {
		if decisions := kube.SetPod(&q, nil, start, p.Name, p); len(decisions) != 0 {
			t.Errorf("%s: %v before there is a node", p.Name, decisions)
		}
	}
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Spec: v1.NodeSpec{Unschedulable: true, Taints: []v1.Taint{{Key: "a", Effect: "NoExecute"}}}}
	decisions := kube.SetNode(&q, nil, start, node)
	if len(decisions) != 1 || decisions[0].Pod != "at once" {
		t.Errorf("at once: %v", decisions)
	}
	decisions = q.Advance(nil, start.Add(time.Minute))
	if len(decisions) != 1 || decisions[0].Pod != "later" {
		t.Errorf("after a minute: %v", decisions)
	}
	if n := testing.AllocsPerRun(100, func() {
		decisions = kube.SetNode(&q, decisions[:0], start, node)
		for _, p := range pods {
			decisions = kube.SetPod(&q, decisions[:0], start, p.Name, p)
		}
	}); n != 0 {
		t.Errorf("SetNode and SetPod allocate %v times", n)
	}
}

// A fleet of nodes, one of them cordoned and one nil, gives the answers of Matcher; what
// was in the index stays.
func TestF7Load(t *testing.T) {
	nodes := []*v1.Node{nil}
	for i, x := range everyTaint() {
		nodes = append(nodes, &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("n", i)}, Spec: v1.NodeSpec{Unschedulable: i%3 == 0, Taints: []v1.Taint{x}}})
	}
	var fit index.Fit
	var m kube.Matcher
	for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
		ix := index.New(rules)
		ix.Set("before", []taint.Taint{{Key: "none", Effect: taint.NoExecute}})
		kube.Load(ix, nodes)
		s := ix.Snapshot()
		if s.Len() != len(nodes) {
			t.Fatalf("%d nodes, want %d", s.Len(), len(nodes))
		}
		for _, x := range everyToleration() {
			list := []v1.Toleration{x, {Key: taint.KeyUnschedulable, Operator: "Exists"}}
			for _, list := range [][]v1.Toleration{list, list[:1]} {
				kube.Fit(s, &fit, list)
				m.Compile(list, rules)
				for _, node := range nodes[1:] {
					id, _ := s.ID(node.Name)
					if got, want := fit.Has(id), m.Schedulable(node); got != want {
						t.Fatalf("%v, %v, %v: fits %t, want %t", list, node.Spec, rules, got, want)
					}
				}
			}
		}
		if n := testing.AllocsPerRun(100, func() { kube.Fit(s, &fit, someTolerations) }); n != 0 {
			t.Errorf("Fit allocates %v times", n)
		}
	}
}

// One snapshot of a fleet answers for all nodes at once.
func ExampleLoad() {
	nodes := []*v1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "plain"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "cordoned"}, Spec: v1.NodeSpec{Unschedulable: true}},
		{ObjectMeta: metav1.ObjectMeta{Name: "gpu"}, Spec: v1.NodeSpec{Taints: []v1.Taint{{Key: "gpu", Effect: v1.TaintEffectNoSchedule}}}},
	}
	ix := index.New(toleration.Rules{})
	kube.Load(ix, nodes)
	s := ix.Snapshot()
	var fit index.Fit
	kube.Fit(s, &fit, []v1.Toleration{{Key: "gpu", Operator: v1.TolerationOpExists}})
	for id := range fit.Nodes() {
		name, _ := s.Name(id)
		fmt.Println(name)
	}
	// Unordered output:
	// plain
	// gpu
}

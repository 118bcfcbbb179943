package upstream

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/cloud-provider/controllers/nodelifecycle"
	fakecloud "k8s.io/cloud-provider/fake"
	"k8s.io/kubernetes/cmd/kubeadm/app/phases/markcontrolplane"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/auth/nodeidentifier"
	"k8s.io/kubernetes/pkg/controller/podgc"
	kubeleteviction "k8s.io/kubernetes/pkg/kubelet/eviction"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/proxy/healthcheck"
	"k8s.io/kubernetes/plugin/pkg/admission/noderestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/runtimeclass"
	"k8s.io/utils/clock"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// TestR1Pressure asks the eviction manager about every set of conditions, class of pod
// and toleration of a small universe. How it comes to know conditions, by measuring, is
// left out: they are written into the field where it keeps them.
func TestR1Pressure(t *testing.T) {
	_, handler := kubeleteviction.NewManager(nil, kubeleteviction.Config{}, nil, nil, nil, nil, nil, clock.RealClock{}, false)
	field := reflect.ValueOf(handler).Elem().FieldByName("nodeConditions")
	conditions := reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Interface().(*[]v1.NodeConditionType)
	priorities := []*int32{nil, new(int32), new(int32)}
	*priorities[2] = 2_000_000_000
	count := map[bool]int{}
	for _, *conditions = range [][]v1.NodeConditionType{nil, {v1.NodeMemoryPressure}, {v1.NodeDiskPressure}, {v1.NodePIDPressure}, {v1.NodeMemoryPressure, v1.NodeDiskPressure}} {
		for _, priority := range priorities {
			for _, requests := range []v1.ResourceList{nil, {"cpu": resource.MustParse("1")}} {
				for _, static := range []string{"api", "file"} {
					for seed := range 40 {
						list := []toleration.Toleration{
							{Key: []string{"", taint.KeyMemoryPressure, taint.KeyDiskPressure, "a"}[seed%4], Operator: []toleration.Operator{"Exists", "", "Gt", "Equal", "Exists"}[seed%5], Effect: []taint.Effect{"", "NoSchedule", "NoExecute"}[seed%3]},
						}
						pod := newPod(0, list)
						pod.Annotations = map[string]string{"kubernetes.io/config.source": static}
						pod.Spec.Priority = priority
						pod.Spec.Containers = []v1.Container{{Resources: v1.ResourceRequirements{Requests: requests}}}
						r := kube.PodResources(pod)
						class, err := r.QOS()
						if err != nil {
							t.Fatal(err)
						}
						p := admit.Pressure{
							Memory:     slices.Contains(*conditions, v1.NodeMemoryPressure),
							Other:      len(*conditions) > 1 || len(*conditions) == 1 && (*conditions)[0] != v1.NodeMemoryPressure,
							Critical:   static == "file" || priority != nil && *priority >= 2_000_000_000,
							BestEffort: class == admit.BestEffort, Tolerations: list,
						}
						want := handler.Admit(quietly(), &lifecycle.PodAdmitAttributes{Pod: pod}).Admit
						if got := p.Admits(); got != want {
							t.Fatalf("%v, %+v: %t, want %t", *conditions, p, got, want)
						}
						count[want]++
					}
				}
			}
		}
	}
	t.Logf("answers: %v", count)
}

// TestR3OutOfService has the garbage collector of pods decide about pods on nodes with
// each key, effect and readiness.
func TestR3OutOfService(t *testing.T) {
	var objects []*v1.Node
	client := fake.NewClientset()
	want := map[string]bool{}
	for _, ready := range []v1.ConditionStatus{v1.ConditionTrue, v1.ConditionFalse, v1.ConditionUnknown} {
		for _, x := range componentTaints() {
			for _, terminating := range []bool{false, true} {
				name := fmt.Sprint("n", len(objects))
				node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, []taint.Taint{{Key: "other", Effect: "NoSchedule"}, x})}}
				node.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: ready}}
				objects = append(objects, node)
				pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: v1.PodSpec{NodeName: name}}
				if terminating {
					pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
				}
				must(t, client.Tracker().Add(node))
				must(t, client.Tracker().Add(pod))
				want[name] = terminating && ready != v1.ConditionTrue && taint.KeyExists([]taint.Taint{x}, taint.KeyOutOfService)
			}
		}
	}
	ctx, cancel := context.WithCancel(quietly())
	defer cancel()
	factory := informers.NewSharedInformerFactory(client, 0)
	gc := podgc.NewPodGCInternal(ctx, client, factory.Core().V1().Pods(), factory.Core().V1().Nodes(), -1, 10*time.Millisecond, time.Hour)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	deleted := 0
	for _, d := range want {
		if d {
			deleted++
		}
	}
	go gc.Run(ctx)
	left := func() map[string]bool {
		list, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
		must(t, err)
		names := map[string]bool{}
		for _, pod := range list.Items {
			names[pod.Name] = true
		}
		return names
	}
	for end := time.Now().Add(10 * time.Second); len(left()) > len(want)-deleted && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // a few rounds more, in which nothing else must go
	names := left()
	for i, node := range objects {
		if names[node.Name] == want[node.Name] {
			t.Errorf("%v, %v, pod %d: left %t", node.Spec.Taints, node.Status.Conditions, i, names[node.Name])
		}
	}
	t.Logf("%d of %d pods deleted by force", deleted, len(want))
}

// componentTaints is the keys that components look for, with all sorts of values and effects.
func componentTaints() (all []taint.Taint) {
	for _, key := range []string{taint.KeyOutOfService, taint.KeyToBeDeleted, taint.KeyDeletionCandidate, taint.KeyCloudProviderShutdown, taint.KeyControlPlane, "a"} {
		for _, value := range []string{"", "x"} {
			for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
				all = append(all, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return all
}

// proxyNode is what kube-proxy knows of its node.
type proxyNode struct{ node *v1.Node }

func (n proxyNode) Node() *v1.Node { return n.node }

// TestR4Proxy asks the health check of kube-proxy.
func TestR4Proxy(t *testing.T) {
	for _, x := range componentTaints() {
		list := []taint.Taint{{Key: "other"}, x}
		want := healthcheck.NewProxyHealthServer("", time.Second, proxyNode{newNode(list)}).NodeEligible()
		if got := !taint.KeyExists(list, taint.KeyToBeDeleted); got != want {
			t.Errorf("%v: %t", list, got)
		}
	}
}

// TestR5CloudShutdown runs the cloud node life-cycle controller once over a node for each
// list, readiness and answer of the provider.
func TestR5CloudShutdown(t *testing.T) {
	for _, ready := range []v1.ConditionStatus{"", v1.ConditionTrue, v1.ConditionFalse, v1.ConditionUnknown} {
		for _, shutdown := range []bool{false, true} {
			client := fake.NewClientset()
			lists := map[string][]taint.Taint{"none": nil}
			for i, x := range componentTaints() {
				lists[fmt.Sprint("n", i)] = []taint.Taint{{Key: "other", Effect: "NoSchedule"}, x}
			}
			for name, list := range lists {
				node := newNode(list)
				node.Name = name
				if ready != "" {
					node.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: ready}}
				}
				must(t, client.Tracker().Add(node))
			}
			ctx, cancel := context.WithCancel(quietly())
			factory := informers.NewSharedInformerFactory(client, 0)
			cloud := &fakecloud.Cloud{NodeShutdown: shutdown, ExistsByProviderID: true, EnableInstancesV2: true}
			controller, err := nodelifecycle.NewCloudNodeLifecycleController(factory.Core().V1().Nodes(), client, cloud, time.Hour, 1)
			must(t, err)
			factory.Start(ctx.Done())
			factory.WaitForCacheSync(ctx.Done())
			controller.MonitorNodes(ctx)
			for name, list := range lists {
				node, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
				must(t, err)
				got, want := list, kube.AppendTaints(nil, node.Spec.Taints)
				switch mark := (taint.Taint{Key: taint.KeyCloudProviderShutdown, Effect: taint.NoSchedule}); {
				case ready == v1.ConditionTrue:
					got, _ = taint.Remove(nil, list, mark)
				case shutdown:
					got, _ = taint.Upsert(nil, list, mark)
				}
				if !taint.Equal(got, want) {
					t.Errorf("Ready %q, shut down %t, %v: %v, want %v", ready, shutdown, list, got, want)
				}
			}
			cancel()
			factory.Shutdown()
		}
	}
}

// TestR5ControlPlane has kubeadm mark nodes with each list of taints.
func TestR5ControlPlane(t *testing.T) {
	some := componentTaints()
	for _, marks := range [][]taint.Taint{{}, {{Key: taint.KeyControlPlane, Effect: taint.NoSchedule}}, some[20:26]} {
		for i := range some {
			before := []taint.Taint{some[i], some[(i+7)%len(some)], some[i]}
			node := newNode(before)
			node.Labels = map[string]string{v1.LabelHostname: nodeName}
			client := fake.NewClientset(node)
			must(t, markcontrolplane.MarkControlPlane(client, nodeName, kube.AppendV1Taints(nil, marks)))
			marked, err := client.CoreV1().Nodes().Get(context.Background(), nodeName, metav1.GetOptions{})
			must(t, err)
			got, want := admit.ControlPlane{Taints: marks}.Append(nil, before), kube.AppendTaints(nil, marked.Spec.Taints)
			if !taint.Equal(got, want) {
				t.Errorf("%v marked with %v: %v, want %v", before, marks, got, want)
			}
		}
	}
}

// TestR6Kubelet asks NodeRestriction about a kubelet that writes its own node.
func TestR6Kubelet(t *testing.T) {
	plugin := noderestriction.NewPlugin(nodeidentifier.NewDefaultNodeIdentifier())
	plugin.InspectFeatureGates(utilfeature.DefaultFeatureGate) // before the listers, which depend on them
	plugin.SetExternalKubeInformerFactory(informers.NewSharedInformerFactory(fake.NewClientset(), 0))
	kubelet := &user.DefaultInfo{Name: "system:node:" + nodeName, Groups: []string{"system:nodes"}}
	kind, resource := schema.GroupVersionKind{Version: "v1", Kind: "Node"}, schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	object := func(list []taint.Taint) *core.Node {
		return &core.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName}, Spec: core.NodeSpec{Taints: timedTaints(list)}}
	}
	early, late := &taint.Time{Time: time.Unix(1, 0)}, &taint.Time{Time: time.Unix(2, 0)}
	some := []taint.Taint{{Key: "a", Effect: "NoSchedule"}, {Key: "a", Effect: "NoSchedule", TimeAdded: early}, {Key: "a", Effect: "NoSchedule", TimeAdded: late}, {Key: "a", Value: "x", Effect: "NoExecute"}, {Key: "b"}}
	count := map[bool]int{}
	for _, updated := range listsUpTo(2, some) {
		for _, old := range listsUpTo(2, some) {
			attributes := admission.NewAttributesRecord(object(updated), object(old), kind, "", nodeName, resource, "", admission.Update, &metav1.UpdateOptions{}, false, kubelet)
			want := plugin.Admit(context.Background(), attributes, nil) == nil
			if got := taint.Equal(updated, taint.Clone(old)); got != want {
				t.Fatalf("from %v to %v: %t, want %t", old, updated, got, want)
			}
			count[want]++
		}
	}
	attributes := admission.NewAttributesRecord(object(some), nil, kind, "", nodeName, resource, "", admission.Create, &metav1.CreateOptions{}, false, kubelet)
	must(t, plugin.Admit(context.Background(), attributes, nil))
	t.Logf("answers: %v", count)
}

func timedTaints(list []taint.Taint) []core.Taint {
	all := coreTaints(list)
	for i := range list {
		all[i].TimeAdded = (*metav1.Time)(list[i].TimeAdded)
	}
	return all
}

// TestR7RuntimeClass has the plugin admit pods of a class with and without tolerations.
func TestR7RuntimeClass(t *testing.T) {
	class := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "class"}, Handler: "h"}
	for seed := range 300 {
		list, added := admissionTolerations.Example(seed), admissionTolerations.Example(seed+1000)
		part := admit.RuntimeClass{Scheduling: seed%3 != 0}
		class.Scheduling = nil
		if part.Scheduling {
			class.Scheduling = &nodev1.Scheduling{}
			if seed%3 == 1 {
				part.Tolerations, class.Scheduling.Tolerations = added, kube.AppendV1Tolerations(nil, added)
			}
		}
		client := fake.NewClientset(class)
		factory := informers.NewSharedInformerFactory(client, 0)
		must(t, factory.Node().V1().RuntimeClasses().Informer().GetStore().Add(class))
		plugin := runtimeclass.NewRuntimeClass()
		plugin.SetExternalKubeClientSet(client)
		plugin.SetExternalKubeInformerFactory(factory)
		pod := &core.Pod{Spec: core.PodSpec{RuntimeClassName: &class.Name, Tolerations: coreTolerations(list)}}
		attributes := admission.NewAttributesRecord(pod, nil, core.Kind("Pod").WithVersion("v1"), "default", "p", core.Resource("pods").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
		ctx, cancel := context.WithCancel(context.Background())
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		must(t, plugin.Admit(ctx, attributes, nil))
		cancel()
		factory.Shutdown()
		if got, want := coreTolerations(part.Append(nil, list)), pod.Spec.Tolerations; !slices.EqualFunc(got, want, func(a, b core.Toleration) bool { return reflect.DeepEqual(a, b) }) {
			t.Fatalf("%v with %v: %v, want %v", list, added, got, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package upstream

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/cloud-provider/controllers/node"
	"k8s.io/cloud-provider/controllers/service"
	fakecloud "k8s.io/cloud-provider/fake"
	"k8s.io/component-base/metrics/prometheus/controllers"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/util/taints"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// cloudLists is lists in which the keys that cloud controllers look for stand at every
// place, once and twice.
func cloudLists() map[string][]taint.Taint {
	lists := map[string][]taint.Taint{"none": nil}
	some := componentTaints()
	for _, value := range []string{"", "true", "x"} {
		for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
			some = append(some, taint.Taint{Key: taint.KeyCloudProviderUninitialized, Value: value, Effect: effect})
		}
	}
	for i, x := range some {
		other := taint.Taint{Key: "other", Effect: "NoSchedule"}
		lists[fmt.Sprint("first-", i)] = []taint.Taint{x, other}
		lists[fmt.Sprint("last-", i)] = []taint.Taint{other, x}
		lists[fmt.Sprint("twice-", i)] = []taint.Taint{x, other, some[(i+1)%len(some)], other}
	}
	return lists
}

// waitUntil waits until done, at most ten seconds, and a little longer, in which nothing
// else may happen.
func waitUntil(done func() bool) {
	for end := time.Now().Add(10 * time.Second); !done() && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
}

// TestR5CloudInitialized runs the cloud node controller over a node for each list.
func TestR5CloudInitialized(t *testing.T) {
	client, lists := fake.NewClientset(), cloudLists()
	cloud := &fakecloud.Cloud{EnableInstancesV2: true, ProviderID: map[types.NodeName]string{}}
	for name, list := range lists {
		n := newNode(list)
		n.Name = name
		n.Spec.ProviderID = "fake://" + name
		must(t, client.Tracker().Add(n))
	}
	ctx, cancel := context.WithCancel(quietly())
	defer cancel()
	factory := informers.NewSharedInformerFactory(client, 0)
	controller, err := node.NewCloudNodeController(factory.Core().V1().Nodes(), client, cloud, time.Hour, 2, 1)
	must(t, err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go controller.RunWithContext(ctx, controllers.NewControllerManagerMetrics("test"))
	look := func() map[string][]taint.Taint {
		all, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		must(t, err)
		left := map[string][]taint.Taint{}
		for i := range all.Items {
			left[all.Items[i].Name] = kube.AppendTaints(nil, all.Items[i].Spec.Taints)
		}
		return left
	}
	waitUntil(func() bool {
		for _, list := range look() {
			if taint.KeyExists(list, taint.KeyCloudProviderUninitialized) {
				return false
			}
		}
		return true
	})
	waited := 0
	for name, want := range look() {
		got, did := taint.RemoveKey(nil, lists[name], taint.KeyCloudProviderUninitialized)
		if !taint.Equal(got, want) || did != (len(want) < len(lists[name])) {
			t.Errorf("%v: %v, %t, want %v", lists[name], got, did, want)
		}
		if did {
			waited++
		}
	}
	t.Logf("%d of %d nodes waited", waited, len(lists))
}

// TestR4Service has the service controller choose the nodes of a load balancer.
func TestR4Service(t *testing.T) {
	client, lists := fake.NewClientset(), cloudLists()
	for name, list := range lists {
		n := newNode(list)
		n.Name = name
		n.Spec.ProviderID = "fake://" + name
		n.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}
		must(t, client.Tracker().Add(n))
	}
	must(t, client.Tracker().Add(&v1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "s", Namespace: "default", UID: "1"},
		Spec:       v1.ServiceSpec{Type: v1.ServiceTypeLoadBalancer, Ports: []v1.ServicePort{{Port: 80, Protocol: v1.ProtocolTCP}}},
	}))
	hosts := make(chan []*v1.Node, 100)
	cloud := &fakecloud.Cloud{EnsureCallCb: func(c fakecloud.UpdateBalancerCall) { hosts <- c.Hosts }}
	ctx, cancel := context.WithCancel(quietly())
	defer cancel()
	factory := informers.NewSharedInformerFactory(client, 0)
	controller, err := service.New(cloud, client, factory.Core().V1().Services(), factory.Core().V1().Nodes(), "cluster", utilfeature.DefaultFeatureGate)
	must(t, err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go controller.Run(ctx, 1, controllers.NewControllerManagerMetrics("test"))
	var chosen []string
	select {
	case list := <-hosts:
		for _, n := range list {
			chosen = append(chosen, n.Name)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no load balancer")
	}
	for name, list := range lists {
		if got, want := !taint.KeyExists(list, taint.KeyToBeDeleted), slices.Contains(chosen, name); got != want {
			t.Errorf("%v: %t", list, got)
		}
	}
	t.Logf("%d of %d nodes chosen", len(chosen), len(lists))
}

// TestR3Key: whether a node is out of service is for the attach-detach controller a
// question of the key.
func TestR3Key(t *testing.T) {
	for _, list := range cloudLists() {
		if got, want := taint.KeyExists(list, taint.KeyOutOfService), taints.TaintKeyExists(kube.AppendV1Taints(nil, list), v1.TaintNodeOutOfService); got != want {
			t.Errorf("%v: %t", list, got)
		}
	}
}

// TestNodeTaintsChange: an update of a node wakes pods for its taints if any of their
// fields changes or their order does.
func TestNodeTaintsChange(t *testing.T) {
	early, late := &taint.Time{Time: time.Unix(1, 0)}, &taint.Time{Time: time.Unix(2, 0)}
	some := []taint.Taint{{Key: "a", Effect: "NoSchedule"}, {Key: "a", Effect: "NoSchedule", TimeAdded: early}, {Key: "a", Effect: "NoSchedule", TimeAdded: late}, {Key: "a", Value: "x", Effect: "NoSchedule"}, {Key: "b"}}
	count := map[bool]int{}
	for _, before := range listsUpTo(3, some) {
		for _, after := range listsUpTo(2, some) {
			events := framework.NodeSchedulingPropertiesChange(newNode(after), newNode(taint.Clone(before)))
			want := slices.ContainsFunc(events, func(e fwk.ClusterEvent) bool { return e.ActionType&fwk.UpdateNodeTaint != 0 })
			if got := !taint.Equal(before, after); got != want {
				t.Fatalf("from %v to %v: %t, want %t", before, after, got, want)
			}
			count[want]++
		}
	}
	t.Logf("answers: %v", count)
}

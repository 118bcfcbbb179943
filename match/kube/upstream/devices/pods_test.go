package devices

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"

	resourceapi "k8s.io/api/resource/v1"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/taint"
)

// TestD9Templates has pods whose claims are made from templates: by the status of the
// pod, which comes later, and by the owner of the claim. The queue is told what package
// resource says of the pod.
func TestD9Templates(t *testing.T) {
	for _, test := range []struct {
		name  string
		owner types.UID
		want  []string
	}{
		{"its own", "p-0", []string{eviction(150*time.Second, "p-0")}},
		{"another's", "other", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := runBoth(t, func(b *both) {
				b.publish("s", 0, 100, "a:NoExecute")
				pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p", UID: "p-0"}, Spec: v1.PodSpec{NodeName: "n"}}
				pod.Spec.ResourceClaims = []v1.PodResourceClaim{{Name: "c", ResourceClaimTemplateName: new("t")}}
				claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p-c", UID: "c",
					OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: test.owner, Controller: new(true)}}}}
				claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: "p", UID: "p-0"}}
				claim.Status.Allocation = &resourceapi.AllocationResult{}
				claim.Status.Allocation.Devices.Results = []resourceapi.DeviceRequestAllocationResult{{Request: "r", Driver: gpu.Driver, Pool: gpu.Pool, Device: gpu.Device}}
				b.write(pod, claim)
				b.sleep(150 * time.Second)
				pod = pod.DeepCopy()
				pod.Status.ResourceClaimStatuses = []v1.PodResourceClaimStatus{{Name: "c", ResourceClaimName: new("p-c")}}
				b.write(pod, claim)
			})
			b.compare(t)
			if !slices.Equal(b.theirs, test.want) {
				t.Errorf("evicted: %q, want %q", b.theirs, test.want)
			}
		})
	}
}

// TestD9ExtendedResource shows that a pod stays whose claim the scheduler made for its
// extended resources: the controller looks at the claims of the pod's spec only.
func TestD9ExtendedResource(t *testing.T) {
	b := runBoth(t, func(b *both) {
		b.publish("s", 0, 100, "a:NoExecute")
		pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p", UID: "p-0"}, Spec: v1.PodSpec{NodeName: "n"}}
		pod.Status.ExtendedResourceClaimStatus = &v1.PodExtendedResourceClaimStatus{ResourceClaimName: "p-extended"}
		claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p-extended", UID: "c",
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: "p-0", Controller: new(true)}}}}
		claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: "p", UID: "p-0"}}
		claim.Status.Allocation = &resourceapi.AllocationResult{}
		claim.Status.Allocation.Devices.Results = []resourceapi.DeviceRequestAllocationResult{{Request: "r", Driver: gpu.Driver, Pool: gpu.Pool, Device: gpu.Device}}
		b.write(pod, claim)
	})
	if b.compare(t); len(b.theirs) != 0 {
		t.Errorf("evicted: %q", b.theirs)
	}
}

// write writes a pod and its claim, and tells the queue of them what package resource
// says.
func (b *both) write(pod *v1.Pod, claim *resourceapi.ResourceClaim) {
	write(b, "claim ", claim.Name, claim, b.client.ResourceV1().ResourceClaims("default"))
	b.tell(func(now time.Time) []evict.Decision[types.UID] {
		return b.queue.SetClaim(nil, now, resource.ClaimName(claim), resource.AppendAllocations(nil, claim), resource.AppendReservedFor(nil, claim))
	})
	b.pods[pod.Name] = pod.UID
	write(b, "pod ", pod.Name, pod, b.client.CoreV1().Pods("default"))
	b.tell(func(now time.Time) []evict.Decision[types.UID] {
		claims := resource.AppendClaims(nil, pod)
		if !resource.Owns(pod, claim) {
			claims = nil
		}
		return b.queue.SetPod(nil, now, pod.UID, pod.Spec.NodeName != "", claims)
	})
}

// TestD10EvictedDifference shows that the controller remembers the last 500 pods that
// it evicted: if their deletion takes long, it evicts one that it has forgotten again
// once something happens to it. Which one that is depends on its workers. The queue
// evicts each once.
func TestD10EvictedDifference(t *testing.T) {
	const pods = 501
	evicted := map[string]int{}
	runBoth(t, func(b *both) {
		b.client.PrependReactor("delete", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			evicted[action.(clienttesting.DeleteAction).GetName()]++
			return true, nil, nil // the pod stays
		})
		for i := range pods {
			name := fmt.Sprint("p", i)
			pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}, Spec: v1.PodSpec{NodeName: "n"}}
			pod.Spec.ResourceClaims = []v1.PodResourceClaim{{Name: "c", ResourceClaimName: &name}}
			if _, err := b.client.CoreV1().Pods("default").Create(context.Background(), pod, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			b.queue.SetPod(nil, time.Now(), pod.UID, true, []string{name})
			claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
			claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: name, UID: pod.UID}}
			claim.Status.Allocation = &resourceapi.AllocationResult{}
			claim.Status.Allocation.Devices.Results = []resourceapi.DeviceRequestAllocationResult{{Request: "r", Driver: gpu.Driver, Pool: gpu.Pool, Device: gpu.Device}}
			if _, err := b.client.ResourceV1().ResourceClaims("default").Create(context.Background(), claim, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			b.queue.SetClaim(nil, time.Now(), name, resource.AppendAllocations(nil, claim), resource.AppendReservedFor(nil, claim))
			b.sleep(0)
		}
		ours := 0
		set := func(key string) {
			rule := device.Rule{DeviceSelector: &device.Selector{}, Taint: taint.MustParse(key + ":NoExecute")}
			rule.SetDefaults(time.Now())
			write(b, "rule ", "r", resourceRule("r", &rule), b.client.ResourceV1().DeviceTaintRules())
			b.sleep(time.Second)
			ours += len(b.queue.SetRule(nil, time.Now(), "r", &rule))
		}
		set("a")
		set("b")
		if ours != pods {
			t.Errorf("the queue evicts %d pods, want %d", ours, pods)
		}
	})
	most := 0
	for _, times := range evicted {
		most = max(most, times)
	}
	if len(evicted) != pods || most < 2 {
		t.Errorf("the controller evicts %d pods, none more than %d times; want %d, and one of them again", len(evicted), most, pods)
	}
}

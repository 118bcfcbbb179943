package resource_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

var words = rapid.SampledFrom([]string{"", "a", "x/y", "None", "NoExecute", "Exists"})

func drawTaint(t *rapid.T) resourceapi.DeviceTaint {
	x := resourceapi.DeviceTaint{Key: words.Draw(t, "key"), Value: words.Draw(t, "value"), Effect: resourceapi.DeviceTaintEffect(words.Draw(t, "effect"))}
	if rapid.Bool().Draw(t, "added") {
		x.TimeAdded = &metav1.Time{Time: time.Unix(rapid.Int64Range(1, 1<<31).Draw(t, "time"), 0).UTC()}
	}
	return x
}

func drawToleration(t *rapid.T) resourceapi.DeviceToleration {
	x := resourceapi.DeviceToleration{Key: words.Draw(t, "key"), Value: words.Draw(t, "value"),
		Operator: resourceapi.DeviceTolerationOperator(words.Draw(t, "operator")), Effect: resourceapi.DeviceTaintEffect(words.Draw(t, "effect"))}
	if rapid.Bool().Draw(t, "limited") {
		x.TolerationSeconds = ptr(rapid.Int64().Draw(t, "seconds"))
	}
	return x
}

// viaJSON has the API's JSON read as this module's type.
func viaJSON[T any](t rapid.TB, object any) (read T) {
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// What is converted equals what is read from the API's JSON, and converts back.
func TestConversions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := rapid.SliceOfN(rapid.Custom(drawTaint), 0, 3).Draw(t, "taints")
		tolerations := rapid.SliceOfN(rapid.Custom(drawToleration), 0, 3).Draw(t, "tolerations")
		ours, ourTolerations := resource.AppendTaints(nil, taints), resource.AppendTolerations(nil, tolerations)
		if !taint.Equal(ours, viaJSON[[]taint.Taint](t, taints)) || !toleration.Equal(ourTolerations, viaJSON[[]toleration.Toleration](t, tolerations)) {
			t.Fatalf("%+v, %+v", ours, ourTolerations)
		}
		if back := resource.AppendV1Taints(nil, ours); !slices.Equal(back, taints) {
			t.Fatalf("%+v, want %+v", back, taints)
		}
		if back := resource.AppendV1Tolerations(nil, ourTolerations); !slices.Equal(back, tolerations) {
			t.Fatalf("%+v, want %+v", back, tolerations)
		}
		compareAnswers(t, taints, tolerations)
	})
}

// compareAnswers compares those on the API's types with those of package device.
func compareAnswers(t rapid.TB, taints []resourceapi.DeviceTaint, tolerations []resourceapi.DeviceToleration) {
	ours, list := resource.AppendTaints(nil, taints), resource.AppendTolerations(nil, tolerations)
	i, ok := resource.FirstUntolerated(taints, tolerations)
	if want, wanted := device.FirstUntolerated(ours, list); i != want || ok != wanted {
		t.Fatalf("FirstUntolerated: %d, %t", i, ok)
	}
	at, evicted := resource.EvictionTime(taints, tolerations)
	if e, wanted := device.EvictionTime(ours, list); evicted != wanted || !at.Equal(e.At) {
		t.Fatalf("EvictionTime: %v, %t", at, evicted)
	}
	for i := range taints {
		for j := range tolerations {
			if got := resource.ToleratesTaint(tolerations[j], taints[i]); got != list[j].Tolerates(&ours[i]) {
				t.Fatalf("ToleratesTaint: %t", got)
			}
		}
	}
}

func TestObjects(t *testing.T) {
	taint := resourceapi.DeviceTaint{Key: "a", Effect: "None"}
	slice := &resourceapi.ResourceSlice{Spec: resourceapi.ResourceSliceSpec{
		Driver: "d", Pool: resourceapi.ResourcePool{Name: "p", Generation: 7, ResourceSliceCount: 1},
		Devices: []resourceapi.Device{{Name: "x", Taints: []resourceapi.DeviceTaint{taint}}, {Name: "y"}},
	}}
	if got, want := resource.Slice(slice), viaJSON[device.Slice](t, slice.Spec); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	claim := &resourceapi.ResourceClaim{}
	if got := resource.AppendAllocations(nil, claim); got != nil {
		t.Errorf("not allocated: %+v", got)
	}
	claim.Status.Allocation = &resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{Results: []resourceapi.DeviceRequestAllocationResult{
		{Request: "r", Driver: "d", Pool: "p", Device: "x", Tolerations: []resourceapi.DeviceToleration{{Key: "a", TolerationSeconds: ptr(int64(3))}}}, {Request: "s", Driver: "d"},
	}}}
	if got, want := resource.AppendAllocations(nil, claim), viaJSON[[]device.Allocation](t, claim.Status.Allocation.Devices.Results); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestPodsAndClaims(t *testing.T) {
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p", UID: "u"}}
	pod.Spec.ResourceClaims = []v1.PodResourceClaim{
		{Name: "named", ResourceClaimName: ptr("x")}, {Name: "made", ResourceClaimTemplateName: ptr("t")},
		{Name: "unmade", ResourceClaimTemplateName: ptr("t")}, {Name: "unneeded", ResourceClaimTemplateName: ptr("t")}, {Name: "nothing"},
	}
	pod.Status.ResourceClaimStatuses = []v1.PodResourceClaimStatus{{Name: "unneeded"}, {Name: "made", ResourceClaimName: ptr("p-made")}}
	if got := resource.AppendClaims(nil, pod); !slices.Equal(got, []string{"ns/x", "ns/p-made"}) {
		t.Errorf("%q", got)
	}
	claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p-made"}}
	if resource.ClaimName(claim) != "ns/p-made" || resource.Owns(pod, claim) {
		t.Error(resource.ClaimName(claim))
	}
	claim.OwnerReferences = []metav1.OwnerReference{{UID: "u", Controller: ptr(true)}}
	if !resource.Owns(pod, claim) {
		t.Error("the pod does not own its claim")
	}
	if claim.Namespace = "other"; resource.Owns(pod, claim) {
		t.Error("the pod owns a claim of another namespace")
	}
	claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{
		{Resource: "pods", Name: "p", UID: "u"}, {APIGroup: "scheduling.k8s.io", Resource: "podgroups", Name: "g", UID: "v"}, {Resource: "pods", UID: "w"},
	}
	if got := resource.AppendReservedFor(nil, claim); !slices.Equal(got, []types.UID{"u", "w"}) {
		t.Errorf("%q", got)
	}
}

func TestNothingAllocates(t *testing.T) {
	taints := []resourceapi.DeviceTaint{{Key: "a", Effect: "NoExecute"}, {Key: "b", Effect: "NoSchedule"}}
	tolerations := []resourceapi.DeviceToleration{{Key: "a", Operator: "Exists"}, {Key: "c"}}
	dst, other := make([]taint.Taint, 0, 4), make([]toleration.Toleration, 0, 4)
	for name, call := range map[string]func(){
		"ToleratesTaint":    func() { resource.ToleratesTaint(tolerations[0], taints[0]) },
		"FirstUntolerated":  func() { resource.FirstUntolerated(taints, tolerations) },
		"AppendTaints":      func() { resource.AppendTaints(dst, taints) },
		"AppendTolerations": func() { resource.AppendTolerations(other, tolerations) },
	} {
		if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

package main

import (
	"context"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

const driver = "gpu.example.com"

// drivers plays the drivers that publish devices, the scheduler that allocates them, and
// the administrator who makes rules.
type drivers struct {
	client kubernetes.Interface
}

// use is a claim for some devices, each with the tolerations of its request, and the pods
// that it is reserved for. A pod is on the node b3, which has nothing to do with it: it
// tolerates what nodes have.
type use struct {
	name    string
	devices []held
	pods    []string
	waits   bool // its pods have no node
}

type held struct {
	pool, device string
	tolerations  []toleration.Toleration
}

func holds(pool, name string, tolerations ...toleration.Toleration) []held {
	return []held{{pool, name, tolerations}}
}

// within tolerates all NoExecute taints for some seconds, forever if they are negative.
func within(seconds int64) toleration.Toleration {
	t := toleration.Toleration{Operator: "Exists", Effect: taint.NoExecute}
	if seconds >= 0 {
		t.TolerationSeconds = &seconds
	}
	return t
}

// uses is the claims. The device d0 of p0 gets a taint at look 3 and loses it at 12; d0
// of p1 gets one by a rule from 6 to 20.
var uses = []use{
	{name: "now", devices: holds("p0", "d0"), pods: []string{"now", "now-too"}},
	{name: "five", devices: holds("p0", "d0", within(5)), pods: []string{"five"}},
	{name: "twenty", devices: holds("p0", "d0", within(20)), pods: []string{"twenty"}},
	{name: "ever", devices: holds("p0", "d0", within(-1)), pods: []string{"ever"}},
	{name: "empty", devices: holds("p0", "d0", toleration.Toleration{Operator: "Exists"}), pods: []string{"empty"}}, // rule D6
	{name: "least", devices: holds("p0", "d0", within(30), within(7)), pods: []string{"least"}},
	{name: "best", devices: holds("p0", "d0", within(5), within(-1)), pods: []string{"best"}},
	{name: "other", devices: holds("p0", "d1"), pods: []string{"other"}},
	{name: "ruled", devices: holds("p1", "d0"), pods: []string{"ruled"}},
	{name: "ten", devices: holds("p1", "d0", within(10)), pods: []string{"ten"}},
	{name: "thirty", devices: holds("p1", "d0", within(30)), pods: []string{"thirty"}},
	{name: "unplaced", devices: holds("p1", "d0"), pods: []string{"unplaced"}, waits: true},
	{name: "two", devices: append(holds("p0", "d0", within(25)), holds("p1", "d0", within(9))...), pods: []string{"two"}},
	{name: "watched", devices: holds("p1", "d2"), pods: []string{"watched"}},
	{name: "watched-four", devices: holds("p1", "d2", within(4)), pods: []string{"watched-four"}},
	{name: "newer", devices: holds("p2", "d0", within(15)), pods: []string{"newer"}},
	{name: "old", devices: holds("p1", "d3", within(37)), pods: []string{"old"}},
	{name: "old-now", devices: holds("p1", "d3", within(20)), pods: []string{"old-now"}},
	{name: "sooner", devices: holds("p2", "d1", within(25)), pods: []string{"sooner"}},
	{name: "last", devices: holds("p0", "d3", within(30)), pods: []string{"last"}},
}

// late is a claim that is allocated when the device has its taint already.
var late = use{name: "late", devices: holds("p0", "d0", within(1)), pods: []string{"late"}}

// deviceSteps is what happens to devices.
func deviceSteps() []step {
	broken := taint.Taint{Key: "broken", Effect: taint.NoExecute}
	return []step{
		{3, publish("p0", 1, map[string][]taint.Taint{"d0": {{Key: "seen", Effect: taint.NoSchedule}, broken}})},
		{6, setRule("broken", "p1", "d0", taint.NoExecute, 0)},
		{8, setRule("watched", "p1", "d2", device.None, 0)},
		{9, func(ctx context.Context, s *stage) error { return s.devices.allocate(ctx, &late) }},
		{10, publish("p2", 1, map[string][]taint.Taint{"d0": {broken}})},
		{12, publish("p0", 1, nil)},
		{14, setRule("watched", "p1", "d2", taint.NoExecute, 0)},
		{16, publish("p2", 2, nil)}, // a newer generation, without the taint
		{20, func(ctx context.Context, s *stage) error {
			return s.client.ResourceV1().DeviceTaintRules().Delete(ctx, "broken", metav1.DeleteOptions{})
		}},
		{22, setRule("old", "p1", "d3", taint.NoExecute, 30*time.Second)},
		{25, setRule("sooner", "p2", "d1", taint.NoExecute, 0)},
		{31, setRule("sooner", "p2", "d1", taint.NoExecute, 16*time.Second)},
		{33, setRule("only-watched", "p0", "d3", device.None, 0)},
	}
}

func (d *drivers) build(ctx context.Context) error {
	for _, pool := range []string{"p0", "p1", "p2"} {
		if _, err := d.client.ResourceV1().ResourceSlices().Create(ctx, newSlice(pool, 1, nil), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for i := range uses {
		if err := d.allocate(ctx, &uses[i]); err != nil {
			return err
		}
	}
	return nil
}

// allocate makes a claim and its pods, and writes the allocation and the reservations
// into its status.
func (d *drivers) allocate(ctx context.Context, u *use) error {
	claims := d.client.ResourceV1().ResourceClaims(metav1.NamespaceDefault)
	claim, err := claims.Create(ctx, newClaim(u), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	claim.Status = allocation(u)
	for _, name := range u.pods {
		pod, err := d.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, devicePod(u, name), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		claim.Status.ReservedFor = append(claim.Status.ReservedFor, resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: pod.Name, UID: pod.UID})
	}
	_, err = claims.UpdateStatus(ctx, claim, metav1.UpdateOptions{})
	return err
}

func devicePod(u *use, name string) *v1.Pod {
	pod := newPod(name, []v1.Toleration{{Operator: v1.TolerationOpExists}})
	pod.Spec.ResourceClaims = []v1.PodResourceClaim{{Name: "devices", ResourceClaimName: &u.name}}
	if u.waits {
		return pod
	}
	return placed(pod, "b3")
}

func newClaim(u *use) *resourceapi.ResourceClaim {
	claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: u.name, Namespace: metav1.NamespaceDefault}}
	for i, h := range u.devices {
		claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, resourceapi.DeviceRequest{
			Name:    fmt.Sprint("r", i),
			Exactly: &resourceapi.ExactDeviceRequest{DeviceClassName: "gpu", Tolerations: resource.AppendV1Tolerations(nil, h.tolerations)},
		})
	}
	return claim
}

func allocation(u *use) (s resourceapi.ResourceClaimStatus) {
	s.Allocation = &resourceapi.AllocationResult{}
	for i, h := range u.devices {
		s.Allocation.Devices.Results = append(s.Allocation.Devices.Results, resourceapi.DeviceRequestAllocationResult{
			Request: fmt.Sprint("r", i), Driver: driver, Pool: h.pool, Device: h.device, Tolerations: resource.AppendV1Tolerations(nil, h.tolerations),
		})
	}
	return s
}

// newSlice returns all devices of a pool, some of them tainted.
func newSlice(pool string, generation int64, taints map[string][]taint.Taint) *resourceapi.ResourceSlice {
	everywhere := true
	slice := &resourceapi.ResourceSlice{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", pool, generation)},
		Spec: resourceapi.ResourceSliceSpec{Driver: driver, AllNodes: &everywhere,
			Pool: resourceapi.ResourcePool{Name: pool, Generation: generation, ResourceSliceCount: 1}},
	}
	for _, name := range []string{"d0", "d1", "d2", "d3"} {
		slice.Spec.Devices = append(slice.Spec.Devices, resourceapi.Device{Name: name, Taints: resource.AppendV1Taints(nil, taints[name])})
	}
	return slice
}

// publish makes or replaces the slice of a generation of a pool.
func publish(pool string, generation int64, taints map[string][]taint.Taint) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		slices, slice := s.client.ResourceV1().ResourceSlices(), newSlice(pool, generation, taints)
		old, err := slices.Get(ctx, slice.Name, metav1.GetOptions{})
		if err != nil {
			_, err = slices.Create(ctx, slice, metav1.CreateOptions{})
			return err
		}
		slice.ResourceVersion = old.ResourceVersion
		_, err = slices.Update(ctx, slice, metav1.UpdateOptions{})
		return err
	}
}

// setRule makes or changes the rule of that name: a taint for one device that was added
// some time ago, if ago is not zero.
func setRule(name, pool, of string, effect taint.Effect, ago time.Duration) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		gpu := driver
		rule := &resourceapi.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: resourceapi.DeviceTaintRuleSpec{
			DeviceSelector: &resourceapi.DeviceTaintSelector{Driver: &gpu, Pool: &pool, Device: &of},
			Taint:          resourceapi.DeviceTaint{Key: "rule", Value: name, Effect: resourceapi.DeviceTaintEffect(effect)},
		}}
		if ago > 0 {
			added := metav1.NewTime(time.Now().Add(-ago).Truncate(time.Second))
			rule.Spec.Taint.TimeAdded = &added
		}
		rules := s.client.ResourceV1().DeviceTaintRules()
		old, err := rules.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			_, err = rules.Create(ctx, rule, metav1.CreateOptions{})
			return err
		}
		old.Spec = rule.Spec
		_, err = rules.Update(ctx, old, metav1.UpdateOptions{})
		return err
	}
}

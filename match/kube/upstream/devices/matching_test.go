package devices

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/resourceclaim"
	"k8s.io/dynamic-resource-allocation/structured"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// resourceRule and ruleOf convert as the page of package resource says.
func resourceRule(name string, r *device.Rule) *resourceapi.DeviceTaintRule {
	return &resourceapi.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: resourceapi.DeviceTaintRuleSpec{
		DeviceSelector: (*resourceapi.DeviceTaintSelector)(r.DeviceSelector),
		Taint:          resource.V1Taint(&r.Taint),
	}}
}

func ruleOf(r *resourceapi.DeviceTaintRule) device.Rule {
	return device.Rule{DeviceSelector: (*device.Selector)(r.Spec.DeviceSelector), Taint: resource.Taint(&r.Spec.Taint)}
}

// TestRuleConversion: what is converted equals what is read from the API's JSON, and
// converts back.
func TestRuleConversion(t *testing.T) {
	for _, s := range []*resourceapi.DeviceTaintSelector{nil, {}, {Driver: new("d"), Device: new("x")}, {Pool: new("p")}} {
		rule := &resourceapi.DeviceTaintRule{Spec: resourceapi.DeviceTaintRuleSpec{DeviceSelector: s, Taint: resourceapi.DeviceTaint{Key: "a", Effect: resourceapi.DeviceTaintEffectNone}}}
		text, err := json.Marshal(rule.Spec)
		var want device.Rule
		if err := errors.Join(err, json.Unmarshal(text, &want)); err != nil {
			t.Fatal(err)
		}
		got := ruleOf(rule)
		if back := resourceRule("", &got); !got.Equal(&want) || !reflect.DeepEqual(back, rule) {
			t.Errorf("%s: %+v, and back %+v", text, got, back.Spec)
		}
	}
}

func resourceSlice(name string, s *device.Slice) *resourceapi.ResourceSlice {
	slice := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: name}}
	slice.Spec.Driver = s.Driver
	slice.Spec.Pool = resourceapi.ResourcePool{Name: s.Pool.Name, Generation: s.Pool.Generation, ResourceSliceCount: 1}
	slice.Spec.AllNodes = new(true)
	for i := range s.Devices {
		slice.Spec.Devices = append(slice.Spec.Devices, resourceapi.Device{Name: s.Devices[i].Name, Taints: resource.AppendV1Taints(nil, s.Devices[i].Taints)})
	}
	return slice
}

// universe returns every taint and toleration of the widest small universe.
func universe() ([]taint.Taint, []toleration.Toleration) {
	wide := matchtest.Wide()
	wide.Effects = append(wide.Effects, device.None)
	return wide.Taints(), wide.Tolerations()
}

// TestD2Universe compares every toleration of the universe with every taint.
func TestD2Universe(t *testing.T) {
	taints, tolerations := universe()
	theirTaints, theirTolerations := resource.AppendV1Taints(nil, taints), resource.AppendV1Tolerations(nil, tolerations)
	for i := range tolerations {
		for j := range taints {
			want := resourceclaim.ToleratesTaint(theirTolerations[i], theirTaints[j])
			if got := device.Tolerates(tolerations[i:i+1], &taints[j]); got != want {
				t.Fatalf("%+v tolerates %+v: %t, want %t", tolerations[i], taints[j], got, want)
			}
			if got := resource.ToleratesTaint(theirTolerations[i], theirTaints[j]); got != want {
				t.Fatalf("the drop-in: %+v tolerates %+v: %t, want %t", tolerations[i], taints[j], got, want)
			}
		}
	}
	t.Logf("%d pairs compared", len(taints)*len(tolerations))
}

// FuzzD2 does so for any words.
func FuzzD2(f *testing.F) {
	f.Add("a", "x", "NoExecute", "a", "Equal", "x", "")
	f.Add("a", "5", "None", "", "Gt", "4", "None")     // Gt matches nothing
	f.Add("", "", "", "", "", "", "")                  // everything empty
	f.Add("a", "x", "Future", "a", "Exists", "x", "F") // unknown effects are compared as strings
	target.Fuzz(f, func(t *testing.T, key, value, effect, tolerated, operator, equal, on string) {
		x := taint.Taint{Key: key, Value: value, Effect: taint.Effect(effect)}
		list := []toleration.Toleration{{Key: tolerated, Operator: toleration.Operator(operator), Value: equal, Effect: taint.Effect(on)}}
		if got, want := device.Tolerates(list, &x), resourceclaim.ToleratesTaint(resource.V1Toleration(&list[0]), resource.V1Taint(&x)); got != want {
			t.Fatalf("%+v tolerates %+v: %t, want %t", list[0], x, got, want)
		}
	})
}

// Generators of few words, so that they meet.
var (
	deviceEffects     = rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoExecute, taint.NoSchedule, device.None, "", "PreferNoSchedule", "Future"})
	deviceKeys        = rapid.SampledFrom([]string{"a", "b", ""})
	deviceValues      = rapid.SampledFrom([]string{"", "x"})
	deviceTaints      = rapid.SliceOfN(rapid.Custom(drawDeviceTaint), 0, 3)
	deviceTolerations = rapid.SliceOfN(rapid.Custom(drawDeviceToleration), 0, 4)
	deviceNames       = []string{"d0", "d1", "d2"}
	drivers           = []string{"gpu.example.com", "nic.example.com"}
	poolNames         = []string{"p", "q/r"}
)

func drawDeviceTaint(t *rapid.T) taint.Taint {
	return taint.Taint{Key: deviceKeys.Draw(t, "key"), Value: deviceValues.Draw(t, "value"), Effect: deviceEffects.Draw(t, "effect")}
}

func drawDeviceToleration(t *rapid.T) toleration.Toleration {
	x := toleration.Toleration{
		Key: deviceKeys.Draw(t, "key"), Value: deviceValues.Draw(t, "value"),
		Effect:   rapid.OneOf(deviceEffects, rapid.Just(taint.Effect(""))).Draw(t, "effect"),
		Operator: rapid.SampledFrom([]toleration.Operator{toleration.OpExists, toleration.OpExists, toleration.OpEqual, "", "Gt"}).Draw(t, "operator"),
	}
	if rapid.Bool().Draw(t, "limited") { // which plays no part
		x.TolerationSeconds = new(rapid.Int64Range(-1, 1).Draw(t, "seconds"))
	}
	return x
}

func drawSelector(t *rapid.T) *device.Selector {
	part := func(names []string) *string {
		if rapid.IntRange(0, 2).Draw(t, "any") == 0 {
			return nil
		}
		return new(rapid.SampledFrom(append(names, "other")).Draw(t, "name"))
	}
	if rapid.IntRange(0, 9).Draw(t, "no selector") == 0 {
		return nil
	}
	return &device.Selector{Driver: part(drivers), Pool: part(poolNames), Device: part(deviceNames)}
}

func drawSlice(t *rapid.T) device.Slice {
	slice := device.Slice{
		Driver: rapid.SampledFrom(drivers).Draw(t, "driver"),
		Pool:   device.Pool{Name: rapid.SampledFrom(poolNames).Draw(t, "pool")},
	}
	for _, name := range deviceNames {
		slice.Devices = append(slice.Devices, device.Device{Name: name, Taints: deviceTaints.Draw(t, "taints")})
	}
	return slice
}

// classes is a lister of the one class.
type classes struct{ resourceapi.DeviceClass }

func (c *classes) Get(name string) (*resourceapi.DeviceClass, error) {
	if name != c.Name {
		return nil, fmt.Errorf("no class %q", name)
	}
	return &c.DeviceClass, nil
}

func (c *classes) List() ([]*resourceapi.DeviceClass, error) {
	return []*resourceapi.DeviceClass{&c.DeviceClass}, nil
}

// allocator is one of upstream's three for a slice.
func allocator(t rapid.TB, name string, slice *resourceapi.ResourceSlice) structured.Allocator {
	class := &classes{resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "any"}}}
	return newAllocator(t, name, class, []*resourceapi.ResourceSlice{slice}, nil)
}

var celCache = cel.NewCache(10, cel.Features{})

// newAllocator is one of upstream's three for slices, of which some devices are allocated
// already.
func newAllocator(t rapid.TB, name string, class *classes, slices []*resourceapi.ResourceSlice, taken []device.ID) structured.Allocator {
	structured.EnableAllocators(name)
	defer structured.EnableAllocators()
	state := structured.AllocatedState{AllocatedDevices: sets.New[structured.DeviceID]()}
	for _, id := range taken {
		state.AllocatedDevices.Insert(structured.MakeDeviceID(id.Driver, id.Pool, id.Device))
	}
	a, err := structured.NewAllocator(quietly(), structured.Features{DeviceTaints: true, AdminAccess: true, PrioritizedList: true},
		state, class, slices, celCache)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// claimFor is a claim for all devices that the tolerations make available, exactly
// or as the first of the alternatives.
func claimFor(tolerations []toleration.Toleration, admin, alternative bool) *resourceapi.ResourceClaim {
	claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c"}}
	list := resource.AppendV1Tolerations(nil, tolerations)
	if alternative {
		claim.Spec.Devices.Requests = []resourceapi.DeviceRequest{{Name: "r", FirstAvailable: []resourceapi.DeviceSubRequest{{
			Name: "s", DeviceClassName: "any", AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1, Tolerations: list,
		}}}}
		return claim
	}
	claim.Spec.Devices.Requests = []resourceapi.DeviceRequest{{Name: "r", Exactly: &resourceapi.ExactDeviceRequest{
		DeviceClassName: "any", AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1, Tolerations: list, AdminAccess: &admin,
	}}}
	return claim
}

// TestD5Allocator has upstream's allocators allocate a device of a slice whose
// devices have taints of their own and of rules, for requests and sub-requests, with
// and without admin access. They take the first one that is allowed.
func TestD5Allocator(t *testing.T) {
	allocated, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		slice, tolerations := drawSlice(t), deviceTolerations.Draw(t, "tolerations")
		rules := make([]device.Rule, rapid.IntRange(0, 2).Draw(t, "rules"))
		for i := range rules {
			rules[i] = device.Rule{DeviceSelector: drawSelector(t), Taint: drawDeviceTaint(t)}
		}
		want := ""
		for i := range slice.Devices {
			d := &slice.Devices[i]
			d.Taints = device.AppendEffective(nil, d.Taints, rules, slice.ID(d.Name))
			if _, forbidden := device.FirstUntolerated(d.Taints, tolerations); !forbidden && want == "" {
				want = d.Name
			}
		}
		if want == "" {
			refused++
		} else {
			allocated++
		}
		theirs := resourceSlice("s", &slice)
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
		name := rapid.SampledFrom([]string{"stable", "incubating", "experimental"}).Draw(t, "allocator")
		claim := claimFor(tolerations, rapid.Bool().Draw(t, "admin"), rapid.Bool().Draw(t, "alternative"))
		results, err := allocator(t, name, theirs).Allocate(context.Background(), node, []*resourceapi.ResourceClaim{claim})
		got := ""
		if err == nil && len(results) == 1 && len(results[0].Devices.Results) == 1 {
			got = results[0].Devices.Results[0].Device
			compareCopied(t, results[0].Devices.Results[0].Tolerations, tolerations)
		}
		if got != want {
			t.Fatalf("%s allocates %q, want %q (%v): %+v, %+v", name, got, want, err, slice.Devices, tolerations)
		}
	})
	t.Logf("%d claims allocated, %d refused", allocated, refused)
}

// compareCopied checks that the result of an allocation has the request's
// tolerations.
func compareCopied(t rapid.TB, got []resourceapi.DeviceToleration, want []toleration.Toleration) {
	if len(got) != len(want) {
		t.Fatalf("%d tolerations in the result, want %d", len(got), len(want))
	}
	for i, u := range resource.AppendV1Tolerations(nil, want) {
		if !reflect.DeepEqual(got[i], u) {
			t.Fatalf("the result has %+v, want %+v", got[i], u)
		}
	}
}

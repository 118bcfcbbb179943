package devices

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/toleration"
)

// fleetSlices draws what drivers may publish: one or two slices for each of some pools,
// each device once in a generation, and perhaps a slice of an older generation.
func fleetSlices(t *rapid.T) map[string]device.Slice {
	published := map[string]device.Slice{}
	for i, id := range []device.ID{{Driver: drivers[0], Pool: "p"}, {Driver: drivers[0], Pool: "q/r"}, {Driver: drivers[1], Pool: "p"}} {
		for j, names := range [][]string{{"d0", "d1"}, {"d2"}, {"d0", "d3"}} {
			s := device.Slice{Driver: id.Driver, Pool: device.Pool{Name: id.Pool, Generation: 1}}
			if j == 2 {
				s.Pool.Generation = 0
			}
			if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
				continue
			}
			for _, name := range names {
				s.Devices = append(s.Devices, device.Device{Name: name, Taints: deviceTaints.Draw(t, "taints")})
			}
			published[fmt.Sprint("s", i, j)] = s
		}
	}
	return published
}

// TestD5Fleet compares the index of devices with what Kubernetes does: the tracker merges
// rules into slices, and one of the allocators is asked about each device, with all
// others allocated already. The fleet got there by changes, of slices and rules that are
// different or gone now.
func TestD5Fleet(t *testing.T) {
	checkLess(t, 5)
	asked, allocated := 0, 0
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		var fleet devices.Fleet
		for name, s := range fleetSlices(t) {
			fleet.SetSlice(name, &s)
		}
		published, rules := fleetSlices(t), map[string]device.Rule{}
		for i := range 3 {
			name := fmt.Sprint("r", i)
			before := device.Rule{DeviceSelector: drawSelector(t), Taint: drawDeviceTaint(t)}
			fleet.SetRule(name, &before)
			if rapid.Bool().Draw(t, "gone") {
				fleet.DeleteRule(name)
				continue
			}
			rules[name] = device.Rule{DeviceSelector: drawSelector(t), Taint: drawDeviceTaint(t)}
		}
		for i := range 3 {
			for j := range 3 {
				name := fmt.Sprint("s", i, j)
				if s, known := published[name]; known {
					fleet.SetSlice(name, &s)
				} else {
					fleet.DeleteSlice(name)
				}
			}
		}
		for name, r := range rules {
			fleet.SetRule(name, &r)
		}
		tolerations := deviceTolerations.Draw(t, "tolerations")
		var fit index.Fit
		fleet.Snapshot().FitList(&fit, tolerations)
		theirs := allowedOfEach(outer, t, published, rules, tolerations)
		if fleet.Len() != len(theirs) {
			t.Fatalf("%d devices, want %d", fleet.Len(), len(theirs))
		}
		for id, want := range theirs {
			if node, known := fleet.ID(id); !known || fit.Has(node) != want {
				t.Fatalf("%v may be allocated: %t, want %t: %+v, %+v, %v", id, fit.Has(node), want, published, rules, tolerations)
			}
			asked++
			if want {
				allocated++
			}
		}
	})
	t.Logf("%d devices compared, %d of them allocated", asked, allocated)
}

// allowedOfEach has the allocator say of each device of the newest generations whether
// it may be allocated.
func allowedOfEach(outer *testing.T, t *rapid.T, published map[string]device.Slice, rules map[string]device.Rule, tolerations []toleration.Toleration) map[device.ID]bool {
	count, newest := map[device.ID]int64{}, map[device.ID]int64{}
	for _, s := range published {
		newest[s.ID("")] = max(newest[s.ID("")], s.Pool.Generation)
	}
	var ids []device.ID
	for _, s := range published {
		if s.Pool.Generation != newest[s.ID("")] {
			continue
		}
		count[s.ID("")]++
		for _, d := range s.Devices {
			ids = append(ids, s.ID(d.Name))
		}
	}
	var objects []runtime.Object
	for name, s := range published {
		slice := resourceSlice(name, &s)
		slice.Spec.Pool.ResourceSliceCount = count[s.ID("")]
		objects = append(objects, slice)
	}
	for name, r := range rules {
		objects = append(objects, resourceRule(name, &r))
	}
	var patched []*resourceapi.ResourceSlice
	synctest.Test(outer, func(bubble *testing.T) { patched = merged(bubble, objects...) })
	class := &classes{resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "any"}}}
	name := rapid.SampledFrom([]string{"stable", "incubating", "experimental"}).Draw(t, "allocator")
	allowed := map[device.ID]bool{}
	for i, id := range ids {
		others := append(append([]device.ID(nil), ids[:i]...), ids[i+1:]...)
		a := newAllocator(t, name, class, patched, others)
		results, err := a.Allocate(context.Background(), &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}, []*resourceapi.ResourceClaim{claimFor(tolerations, false, false)})
		if err != nil {
			t.Fatal(err)
		}
		allowed[id] = len(results) == 1
		if len(results) == 1 {
			if r := results[0].Devices.Results[0]; (device.ID{Driver: r.Driver, Pool: r.Pool, Device: r.Device}) != id {
				t.Fatalf("%v was allocated, and not %v", r, id)
			}
		}
	}
	return allowed
}

// TestD5FleetUniverse compares every toleration of the small universe with every taint,
// in one fleet: each device has one of the taints, and each taint one of the devices.
func TestD5FleetUniverse(t *testing.T) {
	var fleet devices.Fleet
	slice := device.Slice{Driver: "d", Pool: device.Pool{Name: "p"}}
	taints, tolerations := universe()
	for i := range taints {
		slice.Devices = append(slice.Devices, device.Device{Name: fmt.Sprint(i), Taints: taints[i : i+1]})
	}
	fleet.SetSlice("s", &slice)
	theirs := resourceSlice("s", &slice)
	s := fleet.Snapshot()
	var ids []index.NodeID
	for i := range taints {
		id, _ := fleet.ID(slice.ID(fmt.Sprint(i)))
		ids = append(ids, id)
	}
	var fit index.Fit
	for i := range tolerations {
		s.FitList(&fit, tolerations[i:i+1])
		request := claimFor(tolerations[i:i+1], false, false).Spec.Devices.Requests[0].Exactly.Tolerations
		for j := range taints {
			if want := allowed(&theirs.Spec.Devices[j], request); fit.Has(ids[j]) != want {
				t.Fatalf("%+v and %+v: %t, want %t", tolerations[i], taints[j], !want, want)
			}
		}
	}
	t.Logf("%d pairs compared", len(taints)*len(tolerations))
}

package devices

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/taint"
)

// merged runs upstream's tracker, which merges rules into slices for the scheduler, and
// returns these. It has to be called in a bubble.
func merged(t *testing.T, objects ...runtime.Object) []*resourceapi.ResourceSlice {
	ctx, cancel := context.WithCancel(quietly())
	factory := informers.NewSharedInformerFactory(fake.NewClientset(objects...), 0)
	options := tracker.Options{EnableDeviceTaintRules: true}
	options.SliceInformer = factory.Resource().V1().ResourceSlices()
	options.TaintInformer = factory.Resource().V1().DeviceTaintRules()
	tracked, err := tracker.StartTracker(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	synctest.Wait()
	slices, err := tracked.ListPatchedResourceSlices()
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	tracked.Stop()
	factory.Shutdown()
	return slices
}

// patched returns the taints of each device of a slice as the tracker has them.
func patched(t *testing.T, slice *device.Slice, rules []device.Rule) map[string][]resourceapi.DeviceTaint {
	objects := []runtime.Object{resourceSlice("s", slice)}
	for i := range rules {
		objects = append(objects, resourceRule("r"+string(rune('0'+i)), &rules[i]))
	}
	taints := map[string][]resourceapi.DeviceTaint{}
	for _, d := range merged(t, objects...)[0].Spec.Devices {
		taints[d.Name] = d.Taints
	}
	return taints
}

// TestD4Tracker compares the taints of devices. Upstream keeps no order among
// rules, so the taints of the slice are compared in order, and those of the rules
// sorted.
func TestD4Tracker(t *testing.T) {
	checkLess(t, 5)
	devices, added := 0, 0
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		slice := drawSlice(t)
		rules := make([]device.Rule, rapid.IntRange(0, 4).Draw(t, "rules"))
		for i := range rules {
			rules[i] = device.Rule{DeviceSelector: drawSelector(t), Taint: drawDeviceTaint(t)}
		}
		synctest.Test(outer, func(bubble *testing.T) {
			theirs := patched(bubble, &slice, rules)
			for i := range slice.Devices {
				d := &slice.Devices[i]
				ours := resource.AppendV1Taints(nil, device.AppendEffective(nil, d.Taints, rules, slice.ID(d.Name)))
				if own := len(d.Taints); !sameTaints(ours, theirs[d.Name], own) {
					t.Fatalf("%s: %+v, the tracker has %+v", d.Name, ours, theirs[d.Name])
				}
				devices++
				added += len(ours) - len(d.Taints)
			}
		})
	})
	t.Logf("%d devices compared, %d taints added by rules", devices, added)
}

// TestD4MoreThanLimit shows that rules add their taints to a device that has the most
// that a driver may give it.
func TestD4MoreThanLimit(t *testing.T) {
	slice := device.Slice{Driver: gpu.Driver, Pool: device.Pool{Name: gpu.Pool}, Devices: []device.Device{{Name: gpu.Device}}}
	for range device.MaxTaints {
		slice.Devices[0].Taints = append(slice.Devices[0].Taints, taint.Taint{Key: "a", Effect: device.None})
	}
	rules := []device.Rule{{DeviceSelector: &device.Selector{}, Taint: taint.MustParse("b:NoExecute")}, {DeviceSelector: &device.Selector{}, Taint: taint.MustParse("c:NoSchedule")}}
	synctest.Test(t, func(t *testing.T) {
		theirs := patched(t, &slice, rules)[gpu.Device]
		ours := device.AppendEffective(nil, slice.Devices[0].Taints, rules, gpu)
		if want := device.MaxTaints + 2; len(theirs) != want || len(ours) != want {
			t.Errorf("the tracker has %d taints, we %d, want %d", len(theirs), len(ours), want)
		}
	})
}

// sameTaints reports whether two lists are the same, from own on in any order.
func sameTaints(a, b []resourceapi.DeviceTaint, own int) bool {
	return len(a) == len(b) && slices.Equal(a[:own], b[:own]) && slices.Equal(sorted(a[own:]), sorted(b[own:]))
}

func sorted(taints []resourceapi.DeviceTaint) []resourceapi.DeviceTaint {
	return slices.SortedFunc(slices.Values(taints), func(a, b resourceapi.DeviceTaint) int {
		return slices.Compare([]string{a.Key, a.Value, string(a.Effect)}, []string{b.Key, b.Value, string(b.Effect)})
	})
}

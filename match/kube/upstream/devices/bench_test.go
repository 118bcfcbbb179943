package devices

import (
	"context"
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/dynamic-resource-allocation/resourceclaim"

	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device"
)

// benchNodes is that many nodes with a slice of eight devices, of which one in every
// has a taint of its own, of so many kinds.
func benchNodes(nodes, every, kinds int, visit func(name string, s *device.Slice) bool) {
	for i := range nodes {
		s := device.Slice{Driver: "gpu.example.com", Pool: device.Pool{Name: fmt.Sprint("node-", i)}, Devices: make([]device.Device, 8)}
		for j := range s.Devices {
			s.Devices[j].Name = fmt.Sprint("gpu-", j)
			if n := i*8 + j; n%every == 0 {
				s.Devices[j].Taints = []device.Taint{{Key: fmt.Sprint("example.com/state-", n/every%kinds), Effect: device.NoSchedule}}
			}
		}
		if !visit(s.Pool.Name, &s) {
			return
		}
	}
}

// BenchmarkFleet asks which devices of 10,000 nodes a request may get: the index,
// upstream's ToleratesTaint about each taint of each device, and upstream's allocator
// for one device on each node. The last does more than look at taints, and has to be
// asked for each node: its figure is that of the best it can do with a fleet.
//
// In "few" one device in fifty has a taint, of twenty kinds; in "own" each device has
// one that no other has.
func BenchmarkFleet(b *testing.B) {
	const nodes = 10_000
	b.Run("few", func(b *testing.B) {
		benchFleet(b, nodes, 50, 20)
		b.Run("allocator", benchAllocator)
	})
	b.Run("own", func(b *testing.B) { benchFleet(b, nodes, 1, nodes*8) })
}

var benchRequest = []device.Toleration{{Key: "example.com/state-3", Operator: device.OpExists}}

// benchFleet asks the index, and ToleratesTaint about each device.
func benchFleet(b *testing.B, nodes, every, kinds int) {
	left := make(map[string]int)
	b.Run("index", func(b *testing.B) {
		var fleet devices.Fleet
		fleet.Load(func(yield func(string, *device.Slice) bool) { benchNodes(nodes, every, kinds, yield) })
		s := fleet.Snapshot()
		var fit devices.Fit
		for b.Loop() {
			fit.Request(s, benchRequest)
		}
		left["index"] = fit.Len()
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes*8), "ns/device")
	})
	b.Run("ToleratesTaint", func(b *testing.B) {
		claim := claimFor(benchRequest, false, false)
		var slices []*resourceapi.ResourceSlice
		benchNodes(nodes, every, kinds, func(name string, s *device.Slice) bool {
			slices = append(slices, resourceSlice(name, s))
			return true
		})
		for b.Loop() {
			free := 0
			for _, slice := range slices {
				for i := range slice.Spec.Devices {
					if allowed(&slice.Spec.Devices[i], claim.Spec.Devices.Requests[0].Exactly.Tolerations) {
						free++
					}
				}
			}
			left["ToleratesTaint"] = free
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes*8), "ns/device")
	})
	if n, ok := left["index"]; ok && left["ToleratesTaint"] != 0 && n != left["ToleratesTaint"] {
		b.Errorf("the index leaves %d devices, ToleratesTaint %d", n, left["ToleratesTaint"])
	}
}

// benchAllocator asks the allocator for a device of one node.
func benchAllocator(b *testing.B) {
	claims := []*resourceapi.ResourceClaim{claimFor(benchRequest, false, false)}
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	var slice *resourceapi.ResourceSlice
	benchNodes(1, 50, 20, func(name string, s *device.Slice) bool { slice = resourceSlice(name, s); return true })
	a := allocator(b, "stable", slice)
	for b.Loop() {
		if results, err := a.Allocate(context.Background(), node, claims); err != nil || len(results) != 1 {
			b.Fatal(results, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*8), "ns/device")
}

// allowed is what the allocator looks at, by upstream's own function.
func allowed(d *resourceapi.Device, tolerations []resourceapi.DeviceToleration) bool {
	for i := range d.Taints {
		x := &d.Taints[i]
		if x.Effect != resourceapi.DeviceTaintEffectNoExecute && x.Effect != resourceapi.DeviceTaintEffectNoSchedule {
			continue
		}
		tolerated := false
		for j := range tolerations {
			tolerated = tolerated || resourceclaim.ToleratesTaint(tolerations[j], *x)
		}
		if !tolerated {
			return false
		}
	}
	return true
}

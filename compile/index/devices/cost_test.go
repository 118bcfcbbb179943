//go:build tolero_invariants

package devices_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// costFleet is a fleet of so many nodes with eight devices each, half of them of another
// driver, with rules for other devices: one for each node up to a thousand.
func costFleet(nodes, rules int) *devices.Fleet {
	f := new(devices.Fleet)
	f.Load(func(yield func(string, *device.Slice) bool) {
		for i := range nodes {
			s := &device.Slice{Driver: fmt.Sprint("driver-", i%2), Pool: device.Pool{Name: fmt.Sprint("node-", i)}}
			for j := range 8 {
				s.Devices = append(s.Devices, device.Device{Name: fmt.Sprint("gpu-", j)})
			}
			if i == 7 {
				s.Devices[0].Name = "special"
			}
			if !yield(s.Pool.Name, s) {
				return
			}
		}
	})
	for i := range rules {
		node := fmt.Sprint("node-", i%(nodes-20)+20)
		f.SetRule(fmt.Sprint("other-", i), &device.Rule{DeviceSelector: &device.Selector{Pool: &node}, Taint: taint.Taint{Key: node, Effect: taint.NoSchedule}})
	}
	f.Steps()
	return f
}

// A rule costs what it selects, however many devices and rules there are: pools that
// are looked at, devices that are selected, and their rules. Steps are the same on every
// machine, and need the tag tolero_invariants.
func TestRuleCost(t *testing.T) {
	for _, test := range []struct {
		name      string
		selector  *device.Selector
		selected  func(nodes int) int
		perDevice int // steps at most
	}{
		{"nothing", nil, func(int) int { return 0 }, 0},
		{"a device", &device.Selector{Driver: ptr("driver-1"), Pool: ptr("node-7"), Device: ptr("gpu-1")}, func(int) int { return 1 }, 2},
		{"a device by a name of its own", &device.Selector{Device: ptr("special")}, func(int) int { return 1 }, 3},
		{"and by its driver", &device.Selector{Driver: ptr("driver-1"), Device: ptr("special")}, func(int) int { return 1 }, 3},
		{"a node", &device.Selector{Pool: ptr("node-7")}, func(int) int { return 8 }, 3},
		{"a node and a driver", &device.Selector{Driver: ptr("driver-1"), Pool: ptr("node-7")}, func(int) int { return 8 }, 2},
		{"a place", &device.Selector{Device: ptr("gpu-3")}, func(nodes int) int { return nodes }, 4},
		{"a driver", &device.Selector{Driver: ptr("driver-1")}, func(nodes int) int { return nodes * 4 }, 4},
		{"everything", &device.Selector{}, func(nodes int) int { return nodes * 8 }, 4},
		{"what is not there", &device.Selector{Driver: ptr("driver-1"), Device: ptr("gpu-9")}, func(int) int { return 0 }, 0},
		{"a driver that is not there", &device.Selector{Driver: ptr("driver-2")}, func(int) int { return 0 }, 0},
	} {
		for _, nodes := range []int{100, 400, 1600} {
			f := costFleet(nodes, nodes)
			r := &device.Rule{DeviceSelector: test.selector, Taint: taint.Taint{Key: "new", Effect: taint.NoExecute}}
			want := test.selected(nodes)
			for _, do := range []func() int{
				func() int { _, _, n := f.Preview("new", r); return n },
				func() int { return f.SetRule("new", r) },
				func() int { return f.DeleteRule("new") },
			} {
				if selected, steps := do(), f.Steps(); selected != want || steps > want*test.perDevice {
					t.Errorf("%s of %d nodes: %d devices, want %d; %d steps", test.name, nodes, selected, want, steps)
				}
			}
		}
	}
}

// A slice costs its own devices, however many slices its pool has: they come and go one by
// one. A new generation costs the devices of the old one and the new one.
func TestSliceCost(t *testing.T) {
	const each = 4
	for _, n := range []int{10, 100, 1000} {
		var f devices.Fleet
		set := func(i int, generation int64, key string) int {
			s := &device.Slice{Driver: "d", Pool: device.Pool{Name: "p", Generation: generation}}
			for j := range each {
				s.Devices = append(s.Devices, device.Device{Name: fmt.Sprint(i, "-", j), Taints: []taint.Taint{{Key: key, Effect: taint.NoExecute}}})
			}
			f.SetSlice(fmt.Sprint(i), s)
			return f.Steps()
		}
		for i := range n {
			if steps := set(i, 1, "a"); steps > each {
				t.Fatalf("slice %d: %d steps", i, steps)
			}
		}
		if steps := set(0, 1, "b"); steps > 2*each || f.Len() != n*each {
			t.Errorf("of %d slices, one with other taints: %d steps, %d devices", n, steps, f.Len())
		}
		if steps := set(n, 2, "a"); steps > n*each+each || f.Len() != each {
			t.Errorf("a newer one than %d: %d steps, %d devices", n, steps, f.Len())
		}
		for i := n; i >= 0; i-- {
			f.DeleteSlice(fmt.Sprint(i))
			if steps := f.Steps(); steps > each && i < n {
				t.Fatalf("slice %d deleted: %d steps", i, steps)
			}
		}
	}
}

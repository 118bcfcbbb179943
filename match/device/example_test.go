package device_test

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The same taint and the same tolerations on a node and on a device. On the node
// the first toleration that matches counts, and an empty effect covers NoExecute. On
// the device only the second one counts against eviction, and its seconds began when
// the taint was added.
func Example() {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	seconds := int64(600)
	broken := taint.Taint{Key: "example.com/broken", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: now.Add(-time.Hour)}}
	list := []toleration.Toleration{
		{Key: "example.com/broken", Operator: toleration.OpExists},
		{Key: "example.com/broken", Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &seconds},
	}

	taints := []taint.Taint{broken}

	fmt.Println("node:  ", match.Decide(taints, list))
	_, forbidden := device.FirstUntolerated(taints, list)
	e, evicted := device.EvictionTime(taints, list)
	fmt.Println("device: allocated:", !forbidden, "evicted:", evicted, e.At.Sub(now))
	// Output:
	// node:   schedulable, stay
	// device: allocated: true evicted: true -50m0s
}

// A rule taints every device of a pool. Its taint comes after the device's own.
func ExampleAppendEffective() {
	own := []taint.Taint{{Key: "example.com/slow", Effect: device.None}}
	pool := "node-1"
	rules := []device.Rule{
		{DeviceSelector: &device.Selector{Pool: &pool}, Taint: taint.Taint{Key: "example.com/drain", Effect: taint.NoSchedule}},
		{DeviceSelector: nil, Taint: taint.Taint{Key: "example.com/nothing", Effect: taint.NoExecute}}, // selects no device
	}
	id := device.ID{Driver: "gpu.example.com", Pool: "node-1", Device: "gpu-0"}
	taints := device.AppendEffective(nil, own, rules, id)
	i, forbidden := device.FirstUntolerated(taints, nil)
	fmt.Println(len(taints), forbidden, taints[i].Key)
	// Output:
	// 2 true example.com/drain
}

// A claim holds two devices, and the pods that use it go with the first of them.
func ExampleEarliestEviction() {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	hot := taint.Taint{Key: "example.com/hot", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: noon}}
	patient := []toleration.Toleration{toleration.MustParse("example.com/hot:NoExecute@60")}
	claim := []device.Allocation{
		{ID: device.ID{Device: "gpu-0"}, Tolerations: patient},
		{ID: device.ID{Device: "gpu-1"}, Tolerations: patient},
	}
	e, evicted := device.EarliestEviction(claim, func(id device.ID) []taint.Taint {
		if id.Device == "gpu-1" {
			return []taint.Taint{hot}
		}
		return nil
	})
	fmt.Println(evicted, e.At.Format(time.TimeOnly), claim[e.Allocation].Device)
	// Output:
	// true 12:01:00 gpu-1
}

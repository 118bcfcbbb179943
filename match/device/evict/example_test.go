package evict_test

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A rule with the effect None is looked at first, then it evicts, and then it is
// withdrawn in time.
func ExampleQueue() {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	var q evict.Queue[string]
	q.SetClaim(nil, noon, "default/training", []device.Allocation{{
		ID:          device.ID{Driver: "gpu.example.com", Pool: "node-1", Device: "gpu-0"},
		Tolerations: []toleration.Toleration{toleration.MustParse("example.com/hot:NoExecute@60")},
	}}, []string{"trainer"})
	q.SetPod(nil, noon, "trainer", true, []string{"default/training"})

	pool := "node-1"
	rule := device.Rule{DeviceSelector: &device.Selector{Pool: &pool}, Taint: taint.Taint{Key: "example.com/hot", Effect: device.None}}
	rule.SetDefaults(noon)
	decisions, impact := q.Preview(nil, "hot", &rule, noon)
	fmt.Println("preview:", impact.Pods, "pod,", decisions[0].Pod, "at", decisions[0].Due.Format(time.TimeOnly))

	old := rule
	rule.Taint.Effect = taint.NoExecute
	rule.PrepareUpdate(&old, noon.Add(time.Minute))
	show(q.SetRule(nil, noon.Add(time.Minute), "hot", &rule))
	due, _ := q.Next()
	show(q.DeleteRule(nil, due.Add(-time.Second), "hot"))
	// Output:
	// preview: 1 pod, trainer at 12:01:00
	// schedule trainer at 12:02:00 because of [DeviceTaintRule hot]
	// cancel trainer at 12:02:00 because of [DeviceTaintRule hot]
}

func show(decisions []evict.Decision[string]) {
	for _, d := range decisions {
		fmt.Println(d.Kind, d.Pod, "at", d.Due.Format(time.TimeOnly), "because of", d.Causes)
	}
}

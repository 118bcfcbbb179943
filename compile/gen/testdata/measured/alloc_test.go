package measured_test

import (
	"testing"

	"github.com/tolero-dev/tolero/compile/gen/generated/best"
	"github.com/tolero-dev/tolero/compile/gen/generated/standalone"
	"github.com/tolero-dev/tolero/taint"
)

// No question allocates, in either style, also where integers are compared.
func TestNothingAllocates(t *testing.T) {
	taints := []taint.Taint{
		{Key: "node.kubernetes.io/not-ready", Effect: taint.NoExecute}, {Key: "example.com/cores", Value: "77", Effect: taint.NoExecute},
		{Key: "example.com/other", Effect: taint.PreferNoSchedule}, {Key: "example.com/cores", Value: "99999999999999999999", Effect: taint.NoSchedule},
	}
	at := func(i int) (key, value, effect string) {
		return taints[i].Key, taints[i].Value, string(taints[i].Effect)
	}
	for name, call := range map[string]func(){
		"Tolerates":                  func() { best.Everything{}.Tolerates(&taints[1]) },
		"FirstUntolerated":           func() { best.Everything{}.FirstUntolerated(taints, taint.Hard) },
		"Decide":                     func() { best.Everything{}.Decide(taints) },
		"EvictionDelay":              func() { best.Everything{}.EvictionDelay(taints) },
		"EverythingTolerates":        func() { _ = standalone.EverythingTolerates("example.com/cores", "77", "NoExecute") },
		"EverythingFirstUntolerated": func() { standalone.EverythingFirstUntolerated(len(taints), at, "NoSchedule", "NoExecute") },
		"EverythingDecide":           func() { standalone.EverythingDecide(len(taints), at) },
		"EverythingEvictionDelay":    func() { standalone.EverythingEvictionDelay(len(taints), at) },
	} {
		if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

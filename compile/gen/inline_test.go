package gen_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/gen/internal/measured/best"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured/standalone"
	"github.com/tolero-dev/tolero/taint"
)

// Generated code is fast because the compiler inlines it into the loops of those
// who ask: the test of one taint for up to four keys, and for a single key the
// whole question about a node, where it then knows the effects that are asked
// for. Both are as long as may be: a little more code, and it does not.
func TestGeneratedCodeIsInlined(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to ask")
	}
	output, err := exec.Command(goTool, "build", "-gcflags=-m", "./internal/measured/best").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	wanted := []string{
		"can inline Pools01.FirstUntolerated", "inlining call to taint.Effect.Set",
		"can inline Alertmanager.EvictionDelay", "can inline Alertmanager.stay",
	}
	for _, list := range []string{"Defaults", "Neuron", "Alertmanager", "Pools01", "Pools02", "Pools04"} {
		wanted = append(wanted, fmt.Sprintf("can inline %s.Tolerates\n", list), fmt.Sprintf("inlining call to %s.Tolerates\n", list))
	}
	for _, fact := range wanted {
		if !strings.Contains(string(output), fact) {
			t.Errorf("the compiler does not say %q", fact)
		}
	}
}

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

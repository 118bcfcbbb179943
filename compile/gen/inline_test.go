package gen_test

import (
	"fmt"
	"strings"
	"testing"
)

// Generated code is fast because the compiler inlines it into the loops of those
// who ask: the test of one taint for up to four keys, and for a single key the
// whole question about a node, where it then knows the effects that are asked
// for. Both are as long as may be: a little more code, and it does not.
func TestGeneratedCodeIsInlined(t *testing.T) {
	w := newWorkspace(t)
	w.addMeasured(t)
	output := w.run(t, "build", "-gcflags=-m", "./best")
	wanted := []string{
		"can inline Pools01.FirstUntolerated", "inlining call to taint.Effect.Set",
		"can inline Alertmanager.EvictionDelay", "can inline Alertmanager.stay",
	}
	for _, list := range []string{"Defaults", "Neuron", "Alertmanager", "Pools01", "Pools02", "Pools04"} {
		wanted = append(wanted, fmt.Sprintf("can inline %s.Tolerates\n", list), fmt.Sprintf("inlining call to %s.Tolerates\n", list))
	}
	for _, fact := range wanted {
		if !strings.Contains(output, fact) {
			t.Errorf("the compiler does not say %q", fact)
		}
	}
}

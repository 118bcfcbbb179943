package input_test

import (
	"testing"

	"github.com/tolero-dev/tolero/fuzz/input"
)

// An input is used up at last, whatever is drawn from it, and gives the same again.
func TestInputsAreUsedUpAndRepeat(t *testing.T) {
	data := make([]byte, 300)
	for i := range data {
		data[i] = byte(i * 37)
	}
	draw := func() (taints, tolerations int) {
		b := input.New(data)
		for !b.Done() {
			taints += len(b.Taints())
			tolerations += len(b.Tolerations())
		}
		return taints, tolerations
	}
	taints, tolerations := draw()
	if taints == 0 || tolerations == 0 {
		t.Errorf("%d taints and %d tolerations", taints, tolerations)
	}
	if a, b := draw(); a != taints || b != tolerations {
		t.Errorf("again %d taints and %d tolerations, were %d and %d", a, b, taints, tolerations)
	}
	empty := new(input.Bytes)
	if n := len(empty.Taints()) + len(empty.Tolerations()) + empty.Choice(9); n != 0 {
		t.Errorf("%d out of nothing", n)
	}
}

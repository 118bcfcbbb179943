package evict_test

import (
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	nodeevict "github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The same taint, added at 100 s and noticed at 150 s, and the same tolerations, on a
// node and on a device: what decides the moment is another thing each time.
func TestD7ClockOfNodes(t *testing.T) {
	for _, test := range []struct {
		name         string
		tolerations  string
		node, device float64 // seconds; negative if the pod stays
	}{
		{"a clock that starts when the taint is noticed, or added (E4, D7)", "a:NoExecute@60", 210, 160},
		{"seconds that are over already", "a:NoExecute@30", 180, 150},
		{"the first one, or the least (E2, D6)", "a:NoExecute@300,a:NoExecute@60", 450, 160},
		{"the first one, or forever", "a:NoExecute@60,a:NoExecute", 210, -1},
		{"any effect (M3, D6)", "a", -1, 150},
	} {
		x := taint.MustParse("a:NoExecute")
		x.TimeAdded = &taint.Time{Time: at(100)}
		list, err := notation.Tolerations(test.tolerations)
		if err != nil {
			t.Fatal(err)
		}
		nodes := nodeevict.New[string](match.FirstMatch, toleration.Rules{})
		nodes.SetPod(nil, at(0), "p", "n", list)
		evicted := nodes.SetNode(nil, at(150), "n", []taint.Taint{x})
		if d, scheduled := nodes.Find("p"); len(evicted) != 0 || scheduled != (test.node >= 0) || scheduled && !d.Due.Equal(at(test.node)) {
			t.Errorf("%s: the node decides %v, want %v s", test.name, d, test.node)
		}
		queue := using(test.tolerations)
		onDevice := queue.SetRule(nil, at(150), "r", &device.Rule{DeviceSelector: &device.Selector{}, Taint: x})
		switch {
		case test.device < 0:
			if len(onDevice) != 0 {
				t.Errorf("%s: the device decides %v", test.name, onDevice)
			}
		case len(onDevice) != 1 || (onDevice[0].Kind == evict.Evict) != (test.device <= 150):
			t.Errorf("%s: the device decides %v", test.name, onDevice)
		case onDevice[0].Kind == evict.Schedule && !onDevice[0].Due.Equal(at(test.device)):
			t.Errorf("%s: the device decides %v, want %v s", test.name, onDevice, test.device)
		}
	}
}

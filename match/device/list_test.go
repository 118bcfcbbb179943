package device_test

import (
	"testing"

	"github.com/tolero-dev/tolero/match/device"
)

// The first item that matches is found, by key and effect or by all but the seconds.
func TestFind(t *testing.T) {
	taints, err := device.ParseTaints("a=v:None,a:NoExecute,b:NoSchedule,a:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"a:None": 0, "a:NoExecute": 1, "b:NoSchedule": 2, "b:NoExecute": -1, "b:None": -1, "A:None": -1, "c:None": -1} {
		x := device.MustParseTaint(text)
		if i, ok := device.FindTaint(taints, &x); ok != (want >= 0) || i != max(want, 0) {
			t.Errorf("%s: %d, %t, want %d", text, i, ok, want)
		}
	}
	tolerations, err := device.ParseTolerations("a@1,b,a:None,b")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"a": 0, "b@5": 1, "a:None": 2, "c": -1} {
		x := device.MustParseToleration(text)
		if i, ok := device.FindToleration(tolerations, &x); ok != (want >= 0) || i != max(want, 0) {
			t.Errorf("%s: %d, %t, want %d", text, i, ok, want)
		}
	}
}

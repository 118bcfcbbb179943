package taint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

func TestR3R4Components(t *testing.T) {
	for _, test := range []struct {
		key      string
		out, bal bool
	}{
		{taint.KeyOutOfService, true, true},
		{taint.KeyToBeDeleted, false, false},
		{taint.KeyDeletionCandidate, false, true},
		{"", false, true},
	} {
		for _, x := range []taint.Taint{{Effect: taint.NoExecute}, {Value: "nodeshutdown", Effect: taint.PreferNoSchedule}, {Value: "x"}} {
			x.Key = test.key
			list := []taint.Taint{{Key: "other"}, x}
			if taint.OutOfService(list) != test.out || taint.Balanced(list) != test.bal {
				t.Errorf("%v: out of service %t, balanced %t", list, taint.OutOfService(list), taint.Balanced(list))
			}
		}
	}
	if taint.OutOfService(nil) || !taint.Balanced(nil) {
		t.Error("a node without taints")
	}
}

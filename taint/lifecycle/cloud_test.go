package lifecycle_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

func TestR5Cloud(t *testing.T) {
	const shutdown = "node.cloudprovider.kubernetes.io/shutdown"
	for _, test := range []struct {
		ready    lifecycle.Status
		shutdown bool
		before   string
		want     string
	}{
		{lifecycle.True, false, "a=:NoSchedule", "a=:NoSchedule"},
		{lifecycle.True, true, "a=:NoSchedule," + shutdown + "=x:NoSchedule," + shutdown + "=:NoExecute", "a=:NoSchedule," + shutdown + "=:NoExecute"},
		{lifecycle.False, true, "a=:NoSchedule", "a=:NoSchedule," + shutdown + "=:NoSchedule"},
		{lifecycle.Absent, true, shutdown + "=x:NoSchedule,a=:NoSchedule", shutdown + "=:NoSchedule,a=:NoSchedule"},
		{lifecycle.Unknown, false, shutdown + "=:NoSchedule", shutdown + "=:NoSchedule"},
		{lifecycle.False, false, "a=:NoSchedule", "a=:NoSchedule"},
	} {
		before, err := taint.ParseList(test.before)
		if err != nil {
			t.Fatal(err)
		}
		want, err := taint.ParseList(test.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := lifecycle.CloudShutdown(nil, before, test.ready, test.shutdown); !taint.Equal(got, want) {
			t.Errorf("%v, %t, %s: %v, want %s", test.ready, test.shutdown, test.before, got, test.want)
		}
		if got := lifecycle.CloudShutdown(before[:0], before, test.ready, test.shutdown); !taint.Equal(got, want) {
			t.Errorf("%v, %t, %s in place: %v, want %s", test.ready, test.shutdown, test.before, got, test.want)
		}
	}
	list, _ := taint.ParseList(taint.KeyCloudProviderUninitialized + "=true:NoSchedule,a=:NoSchedule," + taint.KeyCloudProviderUninitialized + "=:NoExecute")
	got, waited := lifecycle.CloudInitialized(nil, list)
	if !waited || !taint.Equal(got, list[1:2]) {
		t.Errorf("CloudInitialized = %v, %t", got, waited)
	}
	if got, waited := lifecycle.CloudInitialized(nil, list[1:2]); waited || len(got) != 1 {
		t.Errorf("CloudInitialized = %v, %t", got, waited)
	}
}

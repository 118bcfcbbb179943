package taint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

func TestF3F7WithCordon(t *testing.T) {
	const cordon = taint.KeyUnschedulable + ":NoSchedule"
	const other = taint.KeyUnschedulable + "=x:NoSchedule"
	for _, c := range []struct {
		taints        string
		unschedulable bool
		want          string
	}{
		{"", false, ""},
		{"", true, cordon},
		{"a:NoExecute", false, "a:NoExecute"},
		{"a:NoExecute", true, cordon + " a:NoExecute"},
		{cordon, false, cordon}, // the taint counts even without the field
		{"a:NoExecute " + cordon, true, "a:NoExecute " + cordon},
		{other, true, cordon + " " + other},
		{other + " " + cordon, true, other + " " + cordon},
		{taint.KeyUnschedulable + ":NoExecute", true, cordon + " " + taint.KeyUnschedulable + ":NoExecute"},
		{taint.KeyUnschedulable + ":PreferNoSchedule zzz:NoSchedule", true, cordon + " " + taint.KeyUnschedulable + ":PreferNoSchedule zzz:NoSchedule"}, // near misses
		{"b:NoSchedule a:NoSchedule", true, cordon + " b:NoSchedule a:NoSchedule"},
	} {
		if got := taint.WithCordon(nil, list(c.taints), c.unschedulable); text(got) != c.want {
			t.Errorf("WithCordon(%s, %v) = %v, want %s", c.taints, c.unschedulable, got, c.want)
		}
		prefix := list("p:NoSchedule")
		if got := taint.WithCordon(roomy(prefix, 2), list(c.taints), c.unschedulable); text(got[:1]) != text(prefix) || text(got[1:]) != c.want {
			t.Errorf("after a prefix: %v", got)
		}
	}
	if got := taint.WithCordon(nil, nil, false); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

package lifecycle_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// A node with an expired lease in the informer is lost only if the live lease is
// that one or does not exist (rule C6).
func TestC6Verify(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer lifecycle.Check
		want   []string
	}{
		{"the lease that is known", lifecycle.Check{Result: lifecycle.LeaseFound, Version: "7"}, []string{"55s za heartbeat lost +unreachable:NoSchedule"}},
		{"no lease", lifecycle.Check{Result: lifecycle.LeaseNotFound, Version: "8"}, []string{"55s za heartbeat lost +unreachable:NoSchedule"}},
		{"no answer", lifecycle.Check{}, []string{"55s za not verified", "1m0s za not verified"}},
		{"a newer lease than the informer has", lifecycle.Check{Result: lifecycle.LeaseFound, Version: "12"}, []string{"55s  leases behind", "55s za not verified"}},
		{"another lease that the informer has seen", lifecycle.Check{Result: lifecycle.LeaseFound, Version: "6"}, []string{"55s za not verified", "1m0s za not verified"}},
		{"a version that is no number", lifecycle.Check{Result: lifecycle.LeaseFound, Version: "x"}, []string{"55s za not verified", "1m0s za not verified"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := lifecycle.Defaults()
			config.Verify = func(checks []lifecycle.Check) {
				if len(checks) != 1 || checks[0] != (lifecycle.Check{Node: "a"}) {
					t.Errorf("asked for %v", checks)
				}
				checks[0].Result, checks[0].Version = test.answer.Result, test.answer.Version
			}
			c := newController(t, config)
			for _, name := range []string{"a", "b", "c"} {
				c.Set(nil, epoch, name, ready("z"))
			}
			c.SetLease(nil, epoch, "a", lifecycle.Lease{Renewed: epoch, Version: "7"})
			c.Synced(nil, epoch, "11")
			var actions []lifecycle.Action
			for s := 0; s <= 60; s += 20 {
				now := epoch.Add(time.Duration(s) * time.Second)
				actions = c.Post(actions, now, "b", lifecycle.Healthy)
				actions = c.Post(actions, now, "c", lifecycle.Healthy)
			}
			actions = c.Advance(actions, epoch.Add(60*time.Second))
			actions = slices.DeleteFunc(actions, func(a lifecycle.Action) bool {
				return a.Reason == lifecycle.StateChanged || a.Reason == lifecycle.TurnCame
			})
			wantText(t, actions, test.want...)
		})
	}
}

// While the informer is behind nothing happens, and every zone starts anew when
// it has caught up (rule C6).
func TestC6CatchUp(t *testing.T) {
	config := lifecycle.Defaults()
	config.Verify = func(checks []lifecycle.Check) {
		for i := range checks {
			checks[i].Result, checks[i].Version = lifecycle.LeaseFound, "20"
		}
	}
	c := newController(t, config)
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	var actions []lifecycle.Action
	for _, name := range []string{"a", "b"} {
		actions = c.Set(actions, epoch, name, ready("z"))
		actions = c.SetLease(actions, epoch, name, lifecycle.Lease{Renewed: epoch, Version: "7"})
	}
	actions = c.Post(actions, at(61), "b", lifecycle.Conditions{Ready: lifecycle.False})
	actions = c.SetLease(actions, at(81), "b", lifecycle.Lease{Renewed: at(50), Version: "19"})
	actions = c.SetLease(actions, at(91), "a", lifecycle.Lease{Renewed: at(50), Version: "20"})
	actions = c.Advance(actions, at(96))
	wantText(t, actions,
		"0s z state changed Normal",
		"55s  leases behind",
		"55s za not verified",
		"55s zb not verified",
		"55s z state changed Initial",
		"1m1s zb conditions changed +not-ready:NoSchedule", // at once, as ever
		"1m35s  leases caught up",
		"1m35s z state changed Normal",
		"1m35s zb turn came +not-ready:NoExecute",
	)
}

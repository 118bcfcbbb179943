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
		{"the lease that is known", lifecycle.Check{Answered: true, Version: "7"}, []string{"55s za heartbeat lost +unreachable:NoSchedule"}},
		{"no lease", lifecycle.Check{Answered: true}, []string{"55s za heartbeat lost +unreachable:NoSchedule"}},
		{"no answer", lifecycle.Check{}, []string{"55s za not verified"}},
		{"a newer lease than the informer has", lifecycle.Check{Answered: true, Version: "12"}, []string{"55s  leases behind", "55s za not verified"}},
		{"another lease that the informer has seen", lifecycle.Check{Answered: true, Version: "6"}, []string{"55s za not verified"}},
		{"a version that is no number", lifecycle.Check{Answered: true, Version: "x"}, []string{"55s za not verified"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := lifecycle.Defaults()
			config.Verify = func(checks []lifecycle.Check) {
				if len(checks) != 1 || checks[0] != (lifecycle.Check{Node: "a"}) {
					t.Errorf("asked for %v", checks)
				}
				checks[0].Answered, checks[0].Version = test.answer.Answered, test.answer.Version
			}
			c := newController(t, config)
			for _, name := range []string{"a", "b", "c"} {
				c.Set(nil, epoch, name, ready("z"))
			}
			c.SetLease(nil, epoch, "a", epoch, "7")
			c.Synced(nil, epoch, "11")
			var actions []lifecycle.Action
			for s := 0; s <= 60; s += 20 {
				now := epoch.Add(time.Duration(s) * time.Second)
				actions = c.Post(actions, now, "b", lifecycle.Healthy())
				actions = c.Post(actions, now, "c", lifecycle.Healthy())
			}
			actions = c.Advance(actions, epoch.Add(60*time.Second))
			actions = slices.DeleteFunc(actions, func(a lifecycle.Action) bool {
				return a.Reason == lifecycle.StateChanged || a.Reason == lifecycle.TurnCame
			})
			wantText(t, actions, test.want...)
		})
	}
}

// However far the time goes, nobody is asked about the same again and again, and what is
// due long after is done (rule C6).
func TestC6FarAhead(t *testing.T) {
	for name, answer := range map[string]lifecycle.Check{
		"the lease that is known": {Answered: true, Version: "7"},
		"no lease":                {Answered: true},
		"no answer":               {},
		"behind":                  {Answered: true, Version: "12"},
		"seen":                    {Answered: true, Version: "6"},
	} {
		for _, alone := range []bool{true, false} {
			asked := 0
			config := lifecycle.Defaults()
			config.Verify = func(checks []lifecycle.Check) {
				if asked++; asked > 100 {
					t.Fatalf("%s: asked %d times", name, asked)
				}
				for i := range checks {
					if checks[i].Answered = true; checks[i].Node == "a" {
						checks[i].Answered, checks[i].Version = answer.Answered, answer.Version
					}
				}
			}
			c := newController(t, config)
			c.Set(nil, epoch, "a", ready("z"))
			c.SetLease(nil, epoch, "a", epoch, "7")
			c.Synced(nil, epoch, "11")
			if !alone {
				c.Set(nil, epoch, "b", ready("z"))
				c.KeepAlive(nil, epoch, "b", true)
				n := ready("z")
				n.Conditions.Ready, n.Created = lifecycle.Absent, epoch.AddDate(10, 0, 0)
				c.Set(nil, epoch, "late", n)
			}
			actions := c.Advance(nil, epoch.AddDate(290, 0, 0))
			if len(actions) > 10 {
				t.Errorf("%s: %d decisions", name, len(actions))
			}
			lost := slices.ContainsFunc(actions, func(a lifecycle.Action) bool {
				return a.Node == "late" && a.Reason == lifecycle.HeartbeatLost && a.At.After(epoch.AddDate(10, 0, 0))
			})
			if want := !alone && answer.Version != "12"; lost != want {
				t.Errorf("%s: the node that comes late is lost: %t\n%s", name, lost, text(actions))
			}
		}
	}
}

// While the informer is behind nothing happens, and every zone starts anew when
// it has caught up (rule C6).
func TestC6CatchUp(t *testing.T) {
	config := lifecycle.Defaults()
	config.Verify = func(checks []lifecycle.Check) {
		for i := range checks {
			checks[i].Answered, checks[i].Version = true, "20"
		}
	}
	c := newController(t, config)
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	var actions []lifecycle.Action
	for _, name := range []string{"a", "b"} {
		actions = c.Set(actions, epoch, name, ready("z"))
		actions = c.SetLease(actions, epoch, name, epoch, "7")
	}
	actions = c.Post(actions, at(61), "b", lifecycle.Conditions{Ready: lifecycle.False})
	actions = c.SetLease(actions, at(81), "b", at(50), "19")
	actions = c.SetLease(actions, at(91), "a", at(50), "20")
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

// A node that was deleted while it waited for its taint has no turn after such a pause.
func TestC6CatchUpWithoutGoneNodes(t *testing.T) {
	config := lifecycle.Defaults()
	config.Rate, config.UnhealthyShare = 0.01, 1
	config.Verify = func(checks []lifecycle.Check) {
		for i := range checks {
			checks[i].Answered, checks[i].Version = true, "20"
		}
	}
	c := newController(t, config)
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	for _, name := range []string{"a", "b", "c", "d"} {
		c.Set(nil, epoch, name, ready("z"))
		c.SetLease(nil, epoch, name, epoch, "7")
	}
	for _, name := range []string{"b", "c", "d"} {
		c.KeepAlive(nil, epoch, name, true)
	}
	c.Set(nil, epoch, "other", ready("y"))
	c.KeepAlive(nil, epoch, "other", true)
	actions := c.Advance(nil, at(1))
	for _, name := range []string{"b", "c", "d"} {
		actions = c.Post(actions, at(6), name, lifecycle.Conditions{Ready: lifecycle.False})
	}
	actions = c.Advance(actions, at(56))
	actions = c.Delete(actions, at(58), "c")
	actions = c.SetLease(actions, at(91), "a", at(50), "20")
	actions = c.Advance(actions, at(100))
	actions = slices.DeleteFunc(actions, func(a lifecycle.Action) bool {
		return a.Reason == lifecycle.StateChanged || a.Reason == lifecycle.ConditionsChanged
	})
	wantText(t, actions,
		"10s zb turn came +not-ready:NoExecute",
		"55s  leases behind",
		"55s za not verified",
		"1m35s  leases caught up",
		"1m35s zb turn came +not-ready:NoExecute", // whose taint does not count after such a pause
	)
	if c.Names() != c.Len() {
		t.Errorf("%d nodes have a slot, want %d", c.Names(), c.Len())
	}
	if z, _ := c.Zone("y"); z != (lifecycle.Zone{Name: "y", State: lifecycle.Normal, Ready: 1, Rate: 0.01}) {
		t.Errorf("zone y: %+v", z)
	}
}

// A node that comes in the place of another before the next look is asked about once.
func TestC6NodesInTheirPlace(t *testing.T) {
	config := lifecycle.Defaults()
	asked := ""
	config.Verify = func(checks []lifecycle.Check) {
		for i := range checks {
			asked, checks[i].Answered = asked+checks[i].Node+" ", true
		}
	}
	c := newController(t, config)
	n := lifecycle.Node{Zone: "z", Created: epoch.Add(-time.Hour)}
	c.Set(nil, epoch.Add(1), "a", n)
	c.Delete(nil, epoch.Add(2), "a")
	c.Set(nil, epoch.Add(3), "a", n)
	if c.Advance(nil, epoch.Add(7*time.Second)); asked != "a " {
		t.Errorf("asked about %q", asked)
	}
}

package lifecycle_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

func newController(t testing.TB, config lifecycle.Config) *lifecycle.Controller {
	c, err := lifecycle.New(config, epoch)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ready(zone string) lifecycle.Node {
	return lifecycle.Node{Zone: zone, Conditions: lifecycle.Healthy(), Heartbeat: epoch, Created: epoch}
}

// text writes actions about nodes as "seconds node reason +added -removed".
func text(actions []lifecycle.Action) string {
	var lines []string
	for _, a := range actions {
		line := a.At.Sub(epoch).String() + " " + a.Zone + a.Node + " " + a.Reason.String()
		if a.Reason == lifecycle.StateChanged {
			line += " " + a.State.String()
		}
		for t := range a.Add.All() {
			line += " +" + strings.TrimPrefix(t.String(), "node.kubernetes.io/")
		}
		for t := range a.Remove.All() {
			line += " -" + strings.TrimPrefix(t.String(), "node.kubernetes.io/")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func wantText(t *testing.T, actions []lifecycle.Action, lines ...string) {
	t.Helper()
	if got, want := text(actions), strings.Join(lines, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// The taint of every condition in every status (rule C1).
func TestC1Conditions(t *testing.T) {
	for _, test := range []struct {
		condition                string
		isFalse, isTrue, unknown lifecycle.TaintSet
	}{
		{"Ready", lifecycle.NotReady, 0, lifecycle.Unreachable},
		{"MemoryPressure", 0, lifecycle.MemoryPressure, 0},
		{"DiskPressure", 0, lifecycle.DiskPressure, 0},
		{"PIDPressure", 0, lifecycle.PIDPressure, 0},
		{"NetworkUnavailable", 0, lifecycle.NetworkUnavailable, 0},
	} {
		for status, want := range map[string]lifecycle.TaintSet{"False": test.isFalse, "True": test.isTrue, "Unknown": test.unknown, "": 0, "true": 0} {
			var c lifecycle.Conditions
			if !c.Set(test.condition, status) {
				t.Errorf("%s is not known", test.condition)
			}
			if got := c.Taints(false); got != want {
				t.Errorf("%s %s: taints %v, want %v", test.condition, status, got, want)
			}
			if got := c.Taints(true); got != want|lifecycle.Unschedulable {
				t.Errorf("%s %s, cordoned: taints %v", test.condition, status, got)
			}
		}
	}
	if got := (lifecycle.Conditions{Ready: lifecycle.Unknown + 1}).Taints(false); got != 0 {
		t.Errorf("a status that is none: taints %v", got)
	}
	if got, want := lifecycle.Healthy(), (lifecycle.Conditions{Ready: lifecycle.True, MemoryPressure: lifecycle.False, DiskPressure: lifecycle.False, PIDPressure: lifecycle.False, NetworkUnavailable: lifecycle.False}); got != want {
		t.Errorf("healthy is %v", got)
	}
	var c lifecycle.Conditions
	if c.Set("Other", "True") || c != (lifecycle.Conditions{}) {
		t.Errorf("an unknown condition changes %v", c)
	}
}

// Only the controller's own taints with NoSchedule are added and taken off, and
// those that are there keep their values and places (rule C1).
func TestC1Reconcile(t *testing.T) {
	taints := []taint.Taint{
		taint.MustParse("dedicated=gpu:NoSchedule"),
		taint.MustParse("node.kubernetes.io/not-ready=x:NoSchedule"),
		taint.MustParse("node.kubernetes.io/disk-pressure:NoSchedule"),
		taint.MustParse("node.kubernetes.io/disk-pressure:PreferNoSchedule"),
		taint.MustParse("node.kubernetes.io/unreachable:NoExecute"),
		taint.MustParse("node.kubernetes.io/out-of-service:NoSchedule"),
	}
	c := lifecycle.Conditions{Ready: lifecycle.False, PIDPressure: lifecycle.True}
	add, remove := lifecycle.ByCondition(taints, c, true)
	if add != lifecycle.PIDPressure|lifecycle.Unschedulable || remove != lifecycle.DiskPressure {
		t.Errorf("add %v, remove %v", add, remove)
	}
	got := (&lifecycle.Action{At: epoch, Add: add, Remove: remove}).Apply(nil, taints)
	want := append(slices.Delete(slices.Clone(taints), 2, 3),
		taint.Taint{Key: taint.KeyPIDPressure, Effect: taint.NoSchedule, TimeAdded: &taint.Time{Time: epoch}},
		taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule, TimeAdded: &taint.Time{Time: epoch}})
	if !taint.Equal(got, want) {
		t.Errorf("Apply makes %v, want %v", got, want)
	}
	if add, remove = lifecycle.ByCondition(got, c, true); add|remove != 0 {
		t.Errorf("afterwards: add %v, remove %v", add, remove)
	}
	again := (&lifecycle.Action{At: epoch.Add(time.Hour), Add: lifecycle.NotReady}).Apply(nil, got)
	if again[1].Value != "" || again[1].TimeAdded == nil || len(again) != len(got) {
		t.Errorf("a taint that is added again is not updated in its place: %v", again)
	}
	for first := range lifecycle.Managed.All() {
		if first.Key != taint.KeyMemoryPressure {
			t.Errorf("the first taint is %v", first)
		}
		break
	}
	inPlace := (&lifecycle.Action{At: epoch, Remove: lifecycle.Managed}).Apply(got[:0], got)
	if want := (lifecycle.TaintSet)(0); lifecycle.Of(inPlace) != want || len(inPlace) != 3 {
		t.Errorf("in place: %v", inPlace)
	}
}

// Whatever sets of taints are added to a list and taken off it, the list has them afterwards or
// not, each once and with its time, and else what it had (rule C1).
func TestC1Apply(t *testing.T) {
	all := []lifecycle.TaintSet{lifecycle.MemoryPressure, lifecycle.DiskPressure, lifecycle.PIDPressure, lifecycle.NotReady, lifecycle.Unreachable,
		lifecycle.NetworkUnavailable, lifecycle.Unschedulable, lifecycle.NotReadyNoExecute, lifecycle.UnreachableNoExecute, 1 << 15}
	other := taint.MustParse("node.kubernetes.io/not-ready:PreferNoSchedule")
	for _, x := range all {
		for _, y := range all {
			for had := range 4 {
				list := []taint.Taint{other}
				for s := range (x&lifecycle.TaintSet(-(had&1)) | y&lifecycle.TaintSet(-(had>>1))).All() {
					s.Value = "old"
					list = append(list, s)
				}
				for _, a := range []lifecycle.Action{{At: epoch, Add: x, Remove: y}, {At: epoch, Add: x | y}, {At: epoch, Remove: x}, {At: epoch}} {
					var want []taint.Taint
					missing := a.Add &^ a.Remove
					for _, old := range list {
						switch bit := lifecycle.Of([]taint.Taint{old}); {
						case bit&a.Remove != 0:
							continue
						case bit&missing != 0:
							missing &^= bit
							old.Value, old.TimeAdded = "", &taint.Time{Time: epoch}
						}
						want = append(want, old)
					}
					for fresh := range missing.All() {
						fresh.TimeAdded = &taint.Time{Time: epoch}
						want = append(want, fresh)
					}
					got := a.Apply(nil, list)
					if !slices.EqualFunc(got, want, func(a, b taint.Taint) bool { return a.Equal(&b) }) {
						t.Fatalf("%v and %+v make %v, want %v", list, a, got, want)
					}
				}
			}
		}
	}
}

// The settings are those of kube-controller-manager without flags.
func TestDefaults(t *testing.T) {
	want := lifecycle.Config{MonitorPeriod: 5 * time.Second, GracePeriod: 50 * time.Second, StartupGracePeriod: time.Minute, Rate: 0.1, SecondaryRate: 0.01, LargeZone: 50, UnhealthyShare: 0.55}
	if got := lifecycle.Defaults(); !cmp.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	if _, err := lifecycle.New(lifecycle.Config{MonitorPeriod: 1}, epoch); err != nil {
		t.Errorf("a period of a nanosecond: %v", err)
	}
	if got, want := lifecycle.LabelExcludeDisruption, "node.kubernetes.io/exclude-disruption"; got != want {
		t.Errorf("the label is %s", got)
	}
}

// A zone of ten nodes, of which one goes: it turns Unknown 55 s after the look
// that saw its last heartbeat, gets its taint in the same second, swaps it at
// once, and is free when it is ready (rules C2, C3).
func TestC2C3OneNode(t *testing.T) {
	c := newController(t, lifecycle.Defaults())
	for _, name := range []string{"a", "b", "c"} {
		c.Set(nil, epoch, name, ready("z"))
	}
	beat := func(seconds int, names ...string) (actions []lifecycle.Action) {
		for _, name := range names {
			now := epoch.Add(time.Duration(seconds) * time.Second)
			actions = c.SetLease(actions, now, name, now, "")
		}
		return actions
	}
	var actions []lifecycle.Action
	for s := 0; s <= 100; s += 10 {
		actions = append(actions, beat(s, "b", "c")...)
		if s <= 20 {
			actions = append(actions, beat(s, "a")...)
		}
	}
	actions = c.Post(actions, epoch.Add(101*time.Second), "a", lifecycle.Conditions{Ready: lifecycle.False})
	actions = c.Post(actions, epoch.Add(111*time.Second), "a", lifecycle.Healthy())
	actions = c.Advance(actions, epoch.Add(115*time.Second))
	wantText(t, actions,
		"0s z state changed Normal",
		"1m15s za heartbeat lost +unreachable:NoSchedule",
		"1m15s za turn came +unreachable:NoExecute",
		"1m41s za conditions changed +not-ready:NoSchedule -unreachable:NoSchedule",
		"1m45s za swapped +not-ready:NoExecute -unreachable:NoExecute",
		"1m51s za conditions changed -not-ready:NoSchedule",
		"1m55s za recovered -not-ready:NoExecute",
	)
}

// The states at their bounds (rule C4), and the rates of each (rule C5).
func TestC4C5StateAndRate(t *testing.T) {
	config := lifecycle.Defaults()
	for _, test := range []struct {
		ready, notReady int
		state           lifecycle.State
		rate            float32
	}{
		{0, 0, lifecycle.Normal, 0.1},
		{0, 1, lifecycle.FullDisruption, 0.1},
		{1, 2, lifecycle.Normal, 0.1}, // 67 %, but fewer than three
		{1, 3, lifecycle.PartialDisruption, 0},
		{9, 11, lifecycle.PartialDisruption, 0}, // 55 %
		{46, 54, lifecycle.Normal, 0.1},
		{22, 28, lifecycle.PartialDisruption, 0}, // 50 nodes are not large
		{22, 29, lifecycle.PartialDisruption, 0.01},
		{0, 51, lifecycle.FullDisruption, 0.1},
	} {
		if state, rate := config.State(test.ready, test.notReady); state != test.state || rate != test.rate {
			t.Errorf("%d ready, %d not: %v, %v, want %v, %v", test.ready, test.notReady, state, rate, test.state, test.rate)
		}
	}
}

// When all zones go, the taints come off; when one recovers, everybody has a new
// grace period (rule C5).
func TestC5Stop(t *testing.T) {
	c := newController(t, lifecycle.Defaults())
	actions := c.Set(nil, epoch, "a", ready("y"))
	actions = c.Set(actions, epoch, "b", ready("z"))
	actions = c.Post(actions, epoch.Add(20*time.Second), "b", lifecycle.Healthy())
	actions = c.Post(actions, epoch.Add(91*time.Second), "b", lifecycle.Healthy())
	actions = c.Advance(actions, epoch.Add(150*time.Second))
	wantText(t, actions,
		"0s y state changed Normal",
		"0s z state changed Normal",
		"55s ya heartbeat lost +unreachable:NoSchedule",
		"55s y state changed FullDisruption",
		"55s ya turn came +unreachable:NoExecute",
		"1m15s zb heartbeat lost +unreachable:NoSchedule",
		"1m15s  stopped",
		"1m15s z state changed FullDisruption",
		"1m15s ya taken off -unreachable:NoExecute",
		"1m31s zb conditions changed -unreachable:NoSchedule",
		"1m35s  resumed",
		"1m35s z state changed Normal",
		"1m45s ya turn came +unreachable:NoExecute", // the limiter was empty
		"2m30s zb heartbeat lost +unreachable:NoSchedule",
		"2m30s  stopped",
		"2m30s z state changed FullDisruption",
		"2m30s ya taken off -unreachable:NoExecute",
	)
	if z, known := c.Zone("y"); !known || z != (lifecycle.Zone{Name: "y", State: lifecycle.FullDisruption, NotReady: 1, Waiting: 0}) {
		t.Errorf("zone y: %+v, %t", z, known)
	}
}

// When all zones leave full disruption, every node has a new grace period (rule
// C5): the last heartbeat of b is from 0 s, and yet b is not lost at 55 s.
func TestC5ResumeResetsProbes(t *testing.T) {
	c := newController(t, lifecycle.Defaults())
	failed := ready("A")
	failed.Conditions.Ready = lifecycle.False // in a report with the old heartbeat
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	actions := c.Set(nil, epoch, "a", ready("A"))
	actions = c.Set(actions, epoch, "b", ready("B"))
	actions = c.Set(actions, at(40), "a", failed)
	failed.Zone = "B"
	actions = c.Set(actions, at(40), "b", failed)
	actions = c.Post(actions, at(45), "a", lifecycle.Healthy())
	actions = c.Post(actions, at(90), "a", lifecycle.Healthy())
	actions = c.Advance(actions, at(100))
	actions = slices.DeleteFunc(actions, func(a lifecycle.Action) bool {
		return a.Reason != lifecycle.Stopped && a.Reason != lifecycle.Resumed && a.Reason != lifecycle.HeartbeatLost
	})
	wantText(t, actions,
		"40s  stopped",
		"45s  resumed",
		"1m40s Bb heartbeat lost +unreachable:NoSchedule -not-ready:NoSchedule",
	)
}

// A deleted node, and one that has its taint already, go first: every look puts
// those who wait at the end once more (rule C2).
func TestC2QueueOrder(t *testing.T) {
	config := lifecycle.Defaults()
	config.Rate, config.GracePeriod = 0.05, time.Hour
	c := newController(t, config)
	for _, name := range []string{"1", "2", "3", "4", "5"} {
		c.Set(nil, epoch, name, ready("z"))
	}
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	down := lifecycle.Node{Zone: "z", Conditions: lifecycle.Conditions{Ready: lifecycle.False}, Created: epoch}
	c.Set(nil, at(6), "a", down) // tainted at 10 s
	c.Set(nil, at(12), "b", down)
	c.Set(nil, at(12), "c", down)
	c.Set(nil, at(12), "d", down)
	down.Taints = lifecycle.NotReadyNoExecute
	c.Set(nil, at(17), "d", down)
	c.Delete(nil, at(17), "c")
	actions := c.Advance(nil, at(80))
	actions = slices.DeleteFunc(actions, func(a lifecycle.Action) bool { return a.Reason != lifecycle.TurnCame })
	wantText(t, actions, // c, which is gone, has its turn at 30 s
		"50s zd turn came +not-ready:NoExecute",
		"1m10s zb turn came +not-ready:NoExecute",
	)
}

// Nodes that waited for their taint go with their zone: a new node of the name, in a zone
// that takes its room, is none of them.
func TestC2QueueOfAGoneZone(t *testing.T) {
	config := lifecycle.Defaults()
	config.Rate, config.GracePeriod = 0.05, time.Hour
	c := newController(t, config)
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	c.Set(nil, epoch, "other", ready("y"))
	gone := []string{"1", "2", "3", "a", "b", "c"}
	for _, name := range gone {
		c.Set(nil, epoch, name, ready("z"))
	}
	for _, name := range gone[3:] {
		c.Post(nil, at(6), name, lifecycle.Conditions{Ready: lifecycle.False})
	}
	c.Advance(nil, at(12)) // a has its taint, and b and c wait
	if z, _ := c.Zone("z"); z.Waiting != 2 {
		t.Fatalf("%+v", z)
	}
	for _, name := range gone {
		c.Delete(nil, at(12), name)
	}
	c.Advance(nil, at(15))
	for _, name := range gone {
		c.Set(nil, at(16), name, ready("x"))
	}
	if x, _ := c.Zone("x"); x.Waiting != 0 {
		t.Errorf("%+v", x)
	}
	wantText(t, c.Post(nil, at(21), "b", lifecycle.Conditions{Ready: lifecycle.False}),
		"20s x state changed Normal",
		"21s xb conditions changed +not-ready:NoSchedule")
	wantText(t, c.Advance(nil, at(60)), "25s xb turn came +not-ready:NoExecute")
}

// A node that comes again while the deleted one waits is another: it has no turn, and is
// still there when that of the other is over.
func TestC2QueueOfNodesThatComeAgain(t *testing.T) {
	config := lifecycle.Defaults()
	config.Rate, config.GracePeriod = 0.05, time.Hour
	c := newController(t, config)
	for _, name := range []string{"1", "2", "3", "a", "b"} {
		c.Set(nil, epoch, name, ready("z"))
	}
	for _, name := range []string{"a", "b"} {
		c.Post(nil, epoch.Add(6*time.Second), name, lifecycle.Conditions{Ready: lifecycle.False})
	}
	actions := c.Delete(nil, epoch.Add(12*time.Second), "b")
	actions = c.Set(actions, epoch.Add(12*time.Second), "b", ready("z"))
	wantText(t, c.Advance(actions, epoch.Add(time.Minute)), "10s za turn came +not-ready:NoExecute")
	if _, known := c.Node("b"); !known || c.Len() != 5 {
		t.Errorf("known %t, %d nodes", known, c.Len())
	}
}

// One node of many every ten seconds (rule C5), the longest waiting first and
// then by name.
func TestC5Pace(t *testing.T) {
	c := newController(t, lifecycle.Defaults())
	for _, name := range []string{"d", "c", "b", "a", "1", "2", "3", "4", "5", "6", "7", "8"} {
		c.Set(nil, epoch, name, ready("z"))
	}
	for _, name := range []string{"d", "c", "b"} {
		c.Post(nil, epoch.Add(time.Second), name, lifecycle.Conditions{Ready: lifecycle.False})
	}
	actions := c.Post(nil, epoch.Add(6*time.Second), "a", lifecycle.Conditions{Ready: lifecycle.False})
	for _, name := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		actions = c.Post(actions, epoch.Add(30*time.Second), name, lifecycle.Healthy())
	}
	actions = c.Advance(actions, epoch.Add(40*time.Second))
	actions = slices.DeleteFunc(actions, func(a lifecycle.Action) bool { return a.Reason != lifecycle.TurnCame })
	wantText(t, actions,
		"5s zb turn came +not-ready:NoExecute",
		"15s zc turn came +not-ready:NoExecute",
		"25s zd turn came +not-ready:NoExecute",
		"35s za turn came +not-ready:NoExecute",
	)
}

// Settings that make no sense are named, all of them.
func TestNewErrors(t *testing.T) {
	_, err := lifecycle.New(lifecycle.Config{Rate: float32(math.NaN()), SecondaryRate: float32(math.Inf(1)), UnhealthyShare: float32(math.Inf(-1))}, epoch)
	var errs *taint.FieldErrors
	if !errors.As(err, &errs) || len(errs.Faults) != 4 {
		t.Fatalf("got %v", err)
	}
	for i, field := range []string{"config.MonitorPeriod", "config.Rate", "config.SecondaryRate", "config.UnhealthyShare"} {
		if fault := errs.Faults[i]; fault.Field != field || fault.Value == "" || fault.Detail == "" {
			t.Errorf("got %+v, want one about %s", fault, field)
		}
	}
}

// Times and settings at the ends of what can be said end the call.
func TestEnormousValues(t *testing.T) {
	far := []time.Time{{}, epoch, time.Unix(1<<62, 0), time.Unix(-1<<62, 0), epoch.AddDate(500, 0, 0)}
	for _, d := range []time.Duration{math.MaxInt64, math.MinInt64, 0, 1} {
		for _, rate := range []float32{math.MaxFloat32, math.SmallestNonzeroFloat32, -math.MaxFloat32, 0} {
			c := newController(t, lifecycle.Config{MonitorPeriod: max(time.Hour, d), GracePeriod: d, StartupGracePeriod: d, Rate: rate, SecondaryRate: rate, LargeZone: math.MinInt, UnhealthyShare: rate})
			for _, now := range far {
				for _, created := range far {
					c.Set(nil, now, "a", lifecycle.Node{Created: created})
					c.Set(nil, now, "b", lifecycle.Node{Created: created, Heartbeat: created, Conditions: lifecycle.Healthy()})
					c.SetLease(nil, now, "b", created, "")
					c.Post(nil, now, "c", lifecycle.Healthy())
					c.Delete(nil, now, "nobody")
				}
				c.Advance(nil, now)
				if at, ok := c.Next(); ok && at.Before(epoch) {
					t.Errorf("Next is %v", at)
				}
			}
			if c.Len() != 2 {
				t.Errorf("%d nodes", c.Len())
			}
		}
	}
}

// A time before all that can be said is over.
func TestTheEarliestTimes(t *testing.T) {
	c := newController(t, lifecycle.Config{MonitorPeriod: time.Second, StartupGracePeriod: -1})
	c.Set(nil, epoch, "a", lifecycle.Node{})
	if got := c.Advance(nil, epoch); len(got) == 0 || got[0].Reason != lifecycle.HeartbeatLost {
		t.Errorf("got %v", got)
	}
}

// Nodes and zones that come and go leave no room taken.
func TestRoomIsUsedAgain(t *testing.T) {
	c := newController(t, lifecycle.Defaults())
	for i := range 100 {
		now := epoch.Add(time.Duration(i) * time.Minute)
		c.Set(nil, now, fmt.Sprint(i), ready(fmt.Sprint(i)))
		c.Advance(nil, now)
		c.Delete(nil, now, fmt.Sprint(i))
	}
	if nodes, zones := c.Slots(); nodes != 1 || zones != 1 {
		t.Errorf("%d and %d slots", nodes, zones)
	}
}

// A node that is as it has to be costs no look, whatever it is like.
func TestNothingToDo(t *testing.T) {
	for _, n := range []lifecycle.Node{
		{Conditions: lifecycle.Healthy()},
		{Conditions: lifecycle.Healthy(), Unschedulable: true},
		{Conditions: lifecycle.Conditions{Ready: lifecycle.True, MemoryPressure: lifecycle.True}},
		{Conditions: lifecycle.Conditions{Ready: lifecycle.False}},
		{Conditions: lifecycle.Conditions{Ready: lifecycle.Unknown}},
		{},
	} {
		c := newController(t, lifecycle.Defaults())
		for _, name := range []string{"1", "2", "3", "4"} {
			c.Set(nil, epoch, name, ready(""))
			c.KeepAlive(nil, epoch, name, true)
		}
		n.Created = epoch
		c.Set(nil, epoch, "node", n)
		c.KeepAlive(nil, epoch, "node", true)
		c.KeepAlive(nil, epoch.Add(30*time.Second), "node", true) // look at it again
		c.Advance(nil, epoch.Add(time.Minute))
		if at, ok := c.Next(); ok {
			t.Errorf("%+v: there is something to do at %v", n, at)
		}
	}
}

// Nor does one that keeps its place in the queue.
func TestNothingToDoBeforeTheTurn(t *testing.T) {
	config := lifecycle.Defaults()
	config.Rate = 0.001
	c := newController(t, config)
	for _, name := range []string{"1", "2", "3", "4", "a", "b"} {
		n := ready("z")
		if name > "9" {
			n.Conditions.Ready = lifecycle.False
		}
		c.Set(nil, epoch, name, n)
		c.KeepAlive(nil, epoch, name, true)
	}
	c.Set(nil, epoch.Add(7*time.Second), "b", lifecycle.Node{Zone: "z", Created: epoch})
	c.Advance(nil, epoch.Add(time.Minute))
	if at, ok := c.Next(); !ok || at.Before(epoch.Add(999*time.Second)) {
		t.Errorf("there is something to do at %v, %t", at, ok)
	}
}

// The grace period is over at the first look after it, and so it is for a status that is none.
func TestC3GracePeriod(t *testing.T) {
	for grace, want := range map[time.Duration]string{10*time.Second - 1: "10s", 10 * time.Second: "15s", 10*time.Second + 1: "15s"} {
		for _, status := range []lifecycle.Status{lifecycle.True, lifecycle.Unknown + 1} {
			config := lifecycle.Defaults()
			config.GracePeriod = grace
			c := newController(t, config)
			c.Set(nil, epoch, "a", lifecycle.Node{Conditions: lifecycle.Conditions{Ready: status}})
			actions := slices.DeleteFunc(c.Advance(nil, epoch.Add(time.Minute)), func(a lifecycle.Action) bool { return a.Reason != lifecycle.HeartbeatLost })
			wantText(t, actions, want+" a heartbeat lost +unreachable:NoSchedule")
		}
	}
}

// With nothing to do there is no next time.
func TestNextNever(t *testing.T) {
	c := newController(t, lifecycle.Defaults())
	if at, ok := c.Next(); ok {
		t.Errorf("without nodes: %v", at)
	}
	c.Set(nil, epoch, "a", ready("z"))
	if at, ok := c.Next(); !ok || !at.Equal(epoch) {
		t.Errorf("with a node that was not looked at: %v, %t", at, ok)
	}
	c.Advance(nil, epoch.Add(time.Hour))
	if n, _ := c.Node("a"); n.Taints != lifecycle.Unreachable {
		t.Errorf("the only node, lost: %+v", n)
	}
	if at, ok := c.Next(); ok {
		t.Errorf("when all has stopped: %v", at)
	}
	c.Delete(nil, epoch.Add(time.Hour), "a")
	c.Advance(nil, epoch.Add(2*time.Hour))
	if at, ok := c.Next(); ok || c.Len() != 0 || slices.Collect(c.Zones()) != nil {
		t.Errorf("without nodes again: %v, %d nodes", at, c.Len())
	}
}

// Names of values that are none.
func TestStrings(t *testing.T) {
	for got, want := range map[string]string{
		lifecycle.Status(9).String(): "Status(9)", lifecycle.Unknown.String(): "Unknown", lifecycle.True.String(): "True",
		lifecycle.False.String(): "False", lifecycle.Absent.String(): "absent",
		lifecycle.State(9).String(): "State(9)", lifecycle.Initial.String(): "Initial",
		lifecycle.Normal.String(): "Normal", lifecycle.PartialDisruption.String(): "PartialDisruption",
		lifecycle.Reason(13).String(): "Reason(13)", lifecycle.Status(4).String(): "Status(4)", lifecycle.FullDisruption.String(): "FullDisruption",
		lifecycle.State(4).String(): "State(4)",
		lifecycle.Managed.String(): "node.kubernetes.io/memory-pressure:NoSchedule,node.kubernetes.io/disk-pressure:NoSchedule,node.kubernetes.io/pid-pressure:NoSchedule," +
			"node.kubernetes.io/not-ready:NoSchedule,node.kubernetes.io/unreachable:NoSchedule,node.kubernetes.io/network-unavailable:NoSchedule," +
			"node.kubernetes.io/unschedulable:NoSchedule,node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/unreachable:NoExecute",
		lifecycle.TaintSet(0).String(): "none", lifecycle.TaintSet(1 << 15).String(): "none",
		(lifecycle.NotReady | lifecycle.NotReadyNoExecute).String(): "node.kubernetes.io/not-ready:NoSchedule,node.kubernetes.io/not-ready:NoExecute",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for i, want := range []string{"conditions changed", "heartbeat lost", "turn came", "swapped", "recovered", "registered", "state changed",
		"stopped", "taken off", "resumed", "not verified", "leases behind", "leases caught up"} {
		if got := lifecycle.Reason(i).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The zone of a node by its labels; the beta labels go first, even if empty.
func TestZoneKey(t *testing.T) {
	const region, zone = "topology.kubernetes.io/region", "topology.kubernetes.io/zone"
	for _, test := range []struct {
		labels map[string]string
		want   string
	}{
		{nil, ""},
		{map[string]string{region: "r", zone: "z"}, "r:\x00:z"},
		{map[string]string{zone: "z"}, ":\x00:z"},
		{map[string]string{region: "r"}, "r:\x00:"},
		{map[string]string{zone: "z", "failure-domain.beta.kubernetes.io/zone": ""}, ""},
		{map[string]string{region: "r", zone: "z", "failure-domain.beta.kubernetes.io/region": "b"}, "b:\x00:z"},
	} {
		if got := lifecycle.ZoneKey(test.labels); got != test.want {
			t.Errorf("ZoneKey(%v) = %q, want %q", test.labels, got, test.want)
		}
	}
}

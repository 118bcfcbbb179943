package timeline_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

// one is a cluster of one healthy node with a pod that tolerates nothing and one that
// tolerates everything for so many seconds.
func one(seconds int64) *timeline.Cluster {
	return &timeline.Cluster{
		Start: epoch, Config: lifecycle.Defaults(),
		Nodes: []timeline.Node{{Name: "node", State: lifecycle.Node{Conditions: lifecycle.Healthy()}}},
		Pods: []timeline.Pod{{Node: "node"}, {Node: "node", Tolerations: []toleration.Toleration{
			{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &seconds}}}},
	}
}

// What is due at the end happens, and what is due a nanosecond later does not.
func TestEnd(t *testing.T) {
	for late, want := range []timeline.Outcome{timeline.Evicted, timeline.Scheduled} {
		c := one(90)
		c.End = epoch.Add(30 * time.Second)
		added := epoch.Add(-time.Minute + time.Duration(late))
		c.Nodes[0].Taints = []taint.Taint{{Key: "own", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: added}}}
		if got := played(t, c); got.Pods[1].Outcome != want {
			t.Errorf("%d ns late: %v, want %v", late, got.Pods[1].Outcome, want)
		}
	}
}

// A node whose silence is over waits for its next heartbeat, and one that falls silent at
// the end waits too. The only node is never tainted.
func TestWaitingAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		from, until, end time.Duration // in seconds
		want             timeline.Outcome
	}{
		{0, 101, 105, timeline.Waiting}, // the heartbeat comes after 110 s
		{0, 101, 110, timeline.BackInTime},
		{0, 31, 35, timeline.BackInTime}, // never lost
		{0, 31, 31, timeline.BackInTime}, // not silent any more
		{40, 0, 40, timeline.Waiting},
		{40, 0, 39, timeline.Unaffected},
		{40, 41, 200, timeline.BackInTime},
	} {
		in := one(0)
		in.End = epoch.Add(c.end * time.Second)
		s := timeline.Outage{Node: "node", From: epoch.Add(c.from * time.Second)}
		if c.until > 0 {
			s.Until = epoch.Add(c.until * time.Second)
		}
		in.Outages = []timeline.Outage{s}
		if got := played(t, in); got.Pods[0].Outcome != c.want {
			t.Errorf("%+v: %v", c, got.Pods[0].Outcome)
		}
	}
}

// Outages that touch are one, and one within another changes nothing.
func TestSilencesThatTouch(t *testing.T) {
	at := func(s time.Duration) time.Time { return epoch.Add(s * time.Second) }
	text := ""
	for _, silences := range [][]timeline.Outage{
		{{From: at(5), Until: at(200)}},
		{{From: at(5), Until: at(100)}, {From: at(100), Until: at(200)}},
		{{From: at(5), Until: at(200)}, {From: at(20), Until: at(30)}},
		{{From: at(100), Until: at(200)}, {From: at(5), Until: at(130)}, {From: at(5), Until: at(7)}},
	} {
		c := one(0)
		c.Nodes = append(c.Nodes, timeline.Node{Name: "other", State: c.Nodes[0].State})
		for i := range silences {
			silences[i].Node = "node"
		}
		c.Outages = silences
		got := played(t, c)
		if n := got.Nodes[0]; n.Silent != 5*time.Second || n.Lost != 55*time.Second || n.Back != 200*time.Second {
			t.Errorf("%v: %+v", silences, n)
		}
		if now := string(got.AppendText(nil, 0)); text != "" && now != text {
			t.Errorf("%v: got\n%s\nwant\n%s", silences, now, text)
		} else {
			text = now
		}
	}
}

// A heartbeat due when the silence begins is not sent; one due a nanosecond earlier is.
func TestSilenceAtAHeartbeat(t *testing.T) {
	for early, want := range []time.Duration{50, 60} {
		c := one(0)
		c.Outages = []timeline.Outage{{Node: "node", From: epoch.Add(10*time.Second + time.Duration(early))}}
		if lost := played(t, c).Nodes[0].Lost; lost < want*time.Second || lost > (want+5)*time.Second {
			t.Errorf("%d ns: lost after %v", early, lost)
		}
	}
}

// A silence that began before the start is one from the start, if it goes on a moment.
func TestSilentAtTheStart(t *testing.T) {
	for until, want := range []time.Duration{timeline.Never, 0, 0} {
		c := one(0)
		c.Outages = []timeline.Outage{{Node: "node", From: epoch.Add(-time.Second), Until: epoch.Add(time.Duration(until))}}
		if got := played(t, c).Nodes[0].Silent; got != want {
			t.Errorf("until %d ns: %v, want %v", until, got, want)
		}
	}
}

// If the time of a pod is up at the moment at which its node gets a taint that evicts it, the
// pod is evicted once.
func TestEvictedOnce(t *testing.T) {
	c := one(55)
	c.Pods[1].Tolerations[0].Key = "own"
	c.Nodes[0].State.Heartbeat = epoch.Add(-3 * time.Second)
	c.Nodes[0].Taints = []taint.Taint{{Key: "own", Effect: taint.NoExecute}}
	c.Nodes = append(c.Nodes, timeline.Node{Name: "other", State: c.Nodes[0].State})
	c.Outages = []timeline.Outage{{Node: "node"}}
	got := played(t, c)
	if f := got.Pods[1]; f.At != 55*time.Second || f.Tainted != timeline.Never || got.Nodes[0].Tainted != 55*time.Second || len(got.Evicted) != 2 {
		t.Errorf("evicted %v: %s", got.Evicted, got.Sentence(1))
	}
}

// The same for a node that was lost before, and waits for its turn.
func TestEvictedOnceInTurn(t *testing.T) {
	c := one(65)
	c.Pods[1].Tolerations[0].Key = "own"
	c.Nodes[0].State.Heartbeat = epoch.Add(-3 * time.Second)
	own := []taint.Taint{{Key: "own", Effect: taint.NoExecute}}
	for i := range 9 {
		c.Nodes = append(c.Nodes, timeline.Node{Name: fmt.Sprint("other", i), State: c.Nodes[0].State})
	}
	c.Nodes[0].Taints, c.Nodes[1].Taints = own, own
	c.Pods[1].Node = c.Nodes[1].Name
	c.Outages = []timeline.Outage{{Node: "node"}, {Node: "other0"}}
	got := played(t, c)
	if f := got.Pods[1]; f.At != 65*time.Second || got.Nodes[1].Lost == got.Nodes[1].Tainted || got.Nodes[1].Tainted != 65*time.Second || len(got.Evicted) != 2 {
		t.Errorf("evicted %v: %+v, %s", got.Evicted, got.Nodes[1], got.Sentence(1))
	}
}

// A zone that is lost at the start changes then, and one that was lost before does not.
func TestZonesAtTheStart(t *testing.T) {
	for heartbeat, want := range map[time.Duration]int{-49: 1, -51: 1, -45: 1} {
		c := one(0)
		c.Nodes[0].State.Heartbeat = epoch.Add(heartbeat * time.Second)
		c.Outages = []timeline.Outage{{Node: "node"}}
		changes := 0
		for _, e := range played(t, c).Events {
			if e.Kind == timeline.ZoneChanged {
				changes++
			}
		}
		if changes != want {
			t.Errorf("last heartbeat at %d s: %d changes, want %d", heartbeat, changes, want)
		}
	}
}

// A lost node whose heartbeat comes at the start is back when the controller looks then, and
// not at its next look.
func TestBackAtTheStart(t *testing.T) {
	for _, ago := range []time.Duration{1, 3, 10} {
		c := one(30)
		c.HeartbeatInterval = ago * time.Second
		c.Nodes[0].State.Heartbeat = epoch.Add(-c.HeartbeatInterval)
		c.Nodes[0].State.Conditions.Ready = lifecycle.Unknown
		if got := played(t, c); got.End != 0 || got.Nodes[0].Back != 0 || len(got.Events) == 0 {
			t.Errorf("last heartbeat %d s ago: back after %v, the end is %v", ago, got.Nodes[0].Back, got.End)
		}
	}
}

// Only a taint that evicts tells since when the node is as it is.
func TestTimesOfOtherTaints(t *testing.T) {
	before := &taint.Time{Time: epoch.Add(-time.Minute)}
	for effect, want := range map[taint.Effect]time.Duration{"": 90, "Evict": 90, taint.NoSchedule: 90, taint.PreferNoSchedule: 90, taint.NoExecute: 30} {
		c := one(90)
		c.Nodes[0].Taints = []taint.Taint{{Key: "own", Effect: taint.NoExecute}, {Key: "other", Effect: effect, TimeAdded: before}}
		if f := played(t, c).Pods[1]; f.Outcome != timeline.Evicted || f.At != want*time.Second {
			t.Errorf("%q: %v after %v, want %v", effect, f.Outcome, f.At, want*time.Second)
		}
	}
}

// The second node that is lost gets its taint when the controller comes round again, which
// can be a nanosecond before the start.
func TestTaintedJustBeforeTheStart(t *testing.T) {
	const round = 100 * time.Millisecond // rule C2
	for early, want := range map[time.Duration]time.Duration{-1: 1, 0: 0, 1: -1, 2: -2} {
		c := one(5)
		c.Config.MonitorPeriod, c.Config.GracePeriod, c.Config.StartupGracePeriod = 1, round+early, round+early
		c.HeartbeatInterval = 10
		c.Nodes[0].State.Heartbeat = epoch.Add(-5)
		for i := range 9 { // so that the zone has its rate
			c.Nodes = append(c.Nodes, timeline.Node{Name: fmt.Sprint("other", i), State: c.Nodes[0].State})
		}
		c.Config.Rate = 10 // one node a round
		for _, i := range []int{0, 1} {
			c.Nodes[i].State.Conditions.Ready = lifecycle.Unknown
			c.Outages = append(c.Outages, timeline.Outage{Node: c.Nodes[i].Name})
		}
		c.Pods[1].Node = c.Nodes[1].Name
		c.End = epoch.Add(time.Second)
		got := played(t, c)
		if f := got.Pods[1]; f.Due != want+5*time.Second {
			t.Errorf("%d ns: due %v, want %v; %s", early, f.Due, want+5*time.Second, got.Sentence(1))
		}
	}
}

// An interval may be longer than everything that happens: the first one has it all.
func TestIntervalsWithoutEnd(t *testing.T) {
	got := played(t, momentary())
	want := string(got.AppendText(nil, got.End))
	for _, every := range []time.Duration{got.End + 1, timeline.Never - time.Hour, timeline.Never} {
		if text := string(got.AppendText(nil, every)); text != want {
			t.Errorf("every %v:\n%s\nwant\n%s", every, text, want)
		}
	}
}

// Nothing happens: the end is the start.
func TestNothingHappens(t *testing.T) {
	if got := played(t, one(0)); got.End != 0 || len(got.Events) > 0 || len(got.Samples) != 1 {
		t.Errorf("%+v", got)
	}
}

// The controller has been looking for the whole grace period before the start, however
// short its period is.
func TestShortMonitorPeriod(t *testing.T) {
	for _, period := range []time.Duration{5 * time.Second, time.Second, 2, 1} {
		c := one(0)
		c.Config.MonitorPeriod = period
		c.Nodes[0].State.Heartbeat = epoch.Add(-30 * time.Second)
		c.Outages = []timeline.Outage{{Node: "node"}}
		if lost := played(t, c).Nodes[0].Lost; lost < 20*time.Second || lost > 25*time.Second {
			t.Errorf("looks every %v: lost after %v", period, lost)
		}
	}
}

// Equal taints share their memory, however many pods they evict.
func TestTaintsAreShared(t *testing.T) {
	c := one(9)
	c.Nodes[0].Taints = []taint.Taint{{Key: "own", Effect: taint.NoExecute}}
	got := played(t, c)
	if x := got.Pods[0].Taint; x == nil || x != got.Pods[1].Taint {
		t.Errorf("%p and %p", x, got.Pods[1].Taint)
	}
}

// Groups are in the order of their names, and each has its own nodes and pods.
func TestGroups(t *testing.T) {
	c := &timeline.Cluster{Start: epoch, Config: lifecycle.Defaults()}
	for _, x := range []struct {
		name, zone string
		silent     bool
	}{{"n0", "b", true}, {"n1", "a", false}, {"n2", "b", false}, {"n3", "a", false}, {"n4", "b", true}} {
		c.Nodes = append(c.Nodes, timeline.Node{Name: x.name, State: lifecycle.Node{Zone: x.zone, Conditions: lifecycle.Healthy(), Heartbeat: epoch.Add(-3 * time.Second)}})
		if x.silent {
			c.Outages = append(c.Outages, timeline.Outage{Node: x.name})
		}
		for _, s := range []int64{20, 0, 90, 10, 20} {
			c.Pods = append(c.Pods, timeline.Pod{Node: x.name, Tolerations: []toleration.Toleration{
				{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &s}}})
		}
	}
	c.Pods = append(c.Pods, timeline.Pod{Node: "unknown"})
	c.End = epoch.Add(100 * time.Second)
	got := played(t, c).Groups(nil)
	// n0 is tainted after 55 s and n4, in its turn, 10 s later. Then the seconds count.
	want := []timeline.Group{
		{Name: "a", Nodes: 2, Pods: 10, First: timeline.Never, Last: timeline.Never},
		{Name: "b", Nodes: 3, Silent: 2, Lost: 2, Tainted: 2, Pods: 15, First: 55 * time.Second, Last: 85 * time.Second},
	}
	want[0].Outcomes[timeline.Unaffected] = 10
	want[1].Outcomes[timeline.Unaffected] = 5
	want[1].Outcomes[timeline.Scheduled] = 2
	want[1].Outcomes[timeline.Evicted] = 8
	if n := len(want[0].Outcomes); n != int(timeline.Evicted)+1 {
		t.Errorf("%d outcomes", n)
	}
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

// A grace period that no node outlives leaves the clocks room: a node that never reported is
// lost when its own grace period is over.
func TestLongGracePeriod(t *testing.T) {
	c := one(0)
	c.Config.GracePeriod = 1<<63 - 1
	c.Nodes[0].State = lifecycle.Node{Created: epoch}
	c.Nodes = append(c.Nodes, timeline.Node{Name: "other", State: lifecycle.Node{Conditions: lifecycle.Healthy()}})
	c.Outages = []timeline.Outage{{Node: "node"}}
	if lost := played(t, c).Nodes[0].Lost; lost < time.Minute || lost > 65*time.Second {
		t.Errorf("lost after %v", lost)
	}
}

// What the look at the start decides is an event, and what those before decided is not.
func TestLostAtTheStart(t *testing.T) {
	for grace := 20 * time.Second; grace <= 70*time.Second; grace += time.Second {
		c := one(0)
		c.End = epoch.Add(100 * time.Second)
		c.Config.StartupGracePeriod = grace
		c.Nodes[0].State = lifecycle.Node{Created: epoch.Add(-time.Minute), Heartbeat: epoch.Add(-time.Minute)}
		c.Outages = []timeline.Outage{{Node: "node", From: epoch.Add(-time.Hour)}}
		agree(t, c)
	}
}

// The state that zones have at the start is no event, also where the grace period is
// shorter than the time between two looks, and the first look is at the start.
func TestZonesDoNotChangeAtTheStart(t *testing.T) {
	for _, grace := range []time.Duration{3 * time.Second, 5 * time.Second, 7 * time.Second} {
		c := &timeline.Cluster{
			Start: epoch, End: epoch.Add(time.Minute), Config: lifecycle.Defaults(), HeartbeatInterval: time.Second,
			Nodes: []timeline.Node{{Name: "node", State: lifecycle.Node{Conditions: lifecycle.Healthy()}}},
		}
		c.Config.GracePeriod, c.Config.StartupGracePeriod = grace, grace
		played, err := timeline.Play(c)
		if err != nil {
			t.Fatal(err)
		}
		if len(played.Events) > 0 {
			t.Errorf("grace period of %s: %+v", grace, played.Events)
		}
	}
}

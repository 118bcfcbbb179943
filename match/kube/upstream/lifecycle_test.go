package upstream

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// bubble is when time starts in a synctest bubble.
var bubble = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// compareTimelines lets upstream's controller and this module's live through the
// same events and compares the taints and conditions of all nodes after every
// instant, until the first one that upstream leaves to chance. It returns the
// number of moments that were compared.
func compareTimelines(t *testing.T, config lifecycle.Config, events []event, horizon time.Duration) int {
	t.Helper()
	slices.SortStableFunc(events, func(a, b event) int { return int(a.at - b.at) })
	want := upstreamTimeline(t, config, events, horizon)
	got, chance := timelineOf(t, config, bubble, events, horizon)
	for i := 0; i < len(got) || i < len(want); i++ {
		switch {
		case i < len(want) && want[i].at >= chance || i < len(got) && got[i].at >= chance:
			return i
		case i >= len(got):
			t.Fatalf("missing: %v", want[i])
		case i >= len(want):
			t.Fatalf("not upstream: %v", got[i])
		case got[i].at != want[i].at || !maps.Equal(got[i].nodes, want[i].nodes):
			t.Fatalf("got %v\nwant %v", got[i], want[i])
		}
	}
	return len(want)
}

// at is an event in the given second, between looks and passes.
func at(second int, node string) event {
	return event{at: time.Duration(second)*time.Second + 337*time.Millisecond, node: node}
}

func (e event) heartbeat() time.Time { return bubble.Add(e.at) }

// reports is a kubelet that reports conditions.
func (e event) reports(c lifecycle.Conditions) event {
	return e.does(func(n *lifecycle.Node) { n.Conditions, n.Heartbeat = c, e.heartbeat() })
}

// does changes the node, which is created if need be.
func (e event) does(change func(*lifecycle.Node)) event {
	before := e.change
	e.change = func(n *lifecycle.Node) {
		if n.Created.IsZero() {
			n.Created = e.heartbeat()
		}
		if before != nil {
			before(n)
		}
		change(n)
	}
	return e
}

func (e event) in(zone string) event {
	return e.does(func(n *lifecycle.Node) { n.Zone = zone })
}

func (e event) renews() event  { e.renew = true; return e }
func (e event) deletes() event { e.delete = true; return e }

// renewals is leases renewed every ten seconds.
func renewals(from, to int, nodes ...string) (events []event) {
	for second := from; second < to; second += 10 {
		for _, node := range nodes {
			events = append(events, at(second, node).renews())
		}
	}
	return events
}

// renewsAs renews the lease with a clock that is wrong by that much.
func (e event) renewsAs(skew time.Duration) event {
	e.renew, e.skew = true, skew
	return e
}

// offBeat is the defaults with looks that fall together with passes every
// 503.7 s only: which of them comes first then is left to chance upstream.
func offBeat() lifecycle.Config {
	config := lifecycle.Defaults()
	config.MonitorPeriod = 5037 * time.Millisecond
	return config
}

var (
	healthy  = lifecycle.Healthy()
	notReady = lifecycle.Conditions{Ready: lifecycle.False}
	unknown  = lifecycle.Conditions{Ready: lifecycle.Unknown}
	pressed  = lifecycle.Conditions{Ready: lifecycle.True, MemoryPressure: lifecycle.True, DiskPressure: lifecycle.True,
		PIDPressure: lifecycle.True, NetworkUnavailable: lifecycle.True}

	managed = pressed.Taints(true) | notReady.Taints(false) | unknown.Taints(false) | noExecute // all that the controller puts on nodes
)

// noExecute is the taints of the controller that evict.
const noExecute = lifecycle.NotReadyNoExecute | lifecycle.UnreachableNoExecute

// TestLifecycleScripts plays the cases that the rules tell apart.
func TestLifecycleScripts(t *testing.T) {
	others := slices.Concat([]event{at(1, "x").reports(healthy).in("z"), at(1, "y").reports(healthy).in("other")}, renewals(1, 400, "x", "y"))
	for _, test := range []struct {
		name   string
		events []event
	}{
		{"C1 conditions and cordon", []event{
			at(2, "a").reports(pressed).in("z"), at(12, "a").reports(healthy), at(22, "a").reports(notReady),
			at(23, "a").does(func(n *lifecycle.Node) { n.Unschedulable = true }),
			at(24, "a").does(func(n *lifecycle.Node) { n.Unschedulable = false }),
			at(32, "a").reports(unknown), at(42, "a").reports(healthy),
		}},
		{"C1 taints that somebody takes off or puts on", []event{
			at(2, "a").reports(notReady).in("z"), at(20, "a").does(func(n *lifecycle.Node) { n.Taints = 0 }),
			at(40, "a").does(func(n *lifecycle.Node) { n.Taints |= managed }), at(60, "a").reports(healthy),
			at(80, "a").does(func(n *lifecycle.Node) { n.Taints |= managed }),
		}},
		{"C2 queued, tainted, swapped, recovered", []event{
			at(2, "a").reports(healthy).in("z"), at(12, "a").reports(notReady), at(32, "a").reports(unknown),
			at(42, "a").reports(notReady), at(52, "a").reports(healthy),
		}},
		{"C2 recovered before its turn", []event{
			at(2, "a").reports(notReady).in("z"), at(2, "b").reports(healthy).in("z"), at(12, "b").reports(notReady),
			at(13, "b").reports(healthy), at(18, "b").reports(notReady), at(30, "b").reports(healthy), at(31, "a").reports(healthy),
		}},
		{"C2 a controller that finds tainted nodes", []event{
			at(2, "a").reports(notReady).in("z").does(func(n *lifecycle.Node) { n.Taints = lifecycle.NotReadyNoExecute }),
			at(22, "b").reports(notReady).in("z").does(func(n *lifecycle.Node) { n.Taints = lifecycle.UnreachableNoExecute }),
			at(42, "c").reports(healthy).in("z").does(func(n *lifecycle.Node) { n.Taints = managed }),
			at(62, "d").reports(unknown).in("z").does(func(n *lifecycle.Node) { n.Taints = noExecute }),
		}},
		{"C3 a renewTime that goes back", slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(3, 33, "a"), []event{
			at(40, "a").renewsAs(time.Minute), at(43, "a").renewsAs(-time.Minute), at(70, "a").reports(healthy),
			at(81, "a").renewsAs(-30 * time.Second), at(82, "a").renewsAs(time.Hour), at(140, "a").renewsAs(time.Second),
			at(150, "a").renewsAs(2 * time.Second), at(160, "a").reports(healthy), at(171, "a").renewsAs(3 * time.Second)})},
		{"C2 deleted while waiting", []event{
			at(2, "a").reports(notReady).in("z"), at(2, "b").reports(healthy).in("z"), at(7, "b").reports(notReady),
			at(10, "b").deletes(), at(14, "c").reports(notReady).in("z"),
		}},
		{"C3 leases stop", slices.Concat([]event{at(2, "a").reports(pressed).in("z")}, renewals(2, 100, "a"), []event{at(200, "a").reports(healthy)})},
		{"C3 a lease does not make ready again", slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(100, 200, "a"), []event{at(200, "a").reports(healthy)})},
		{"C3 reports without leases", []event{at(2, "a").reports(healthy).in("z"), at(52, "a").reports(healthy), at(102, "a").reports(pressed)}},
		{"C3 the same report twice", []event{at(2, "a").reports(healthy).in("z"), at(32, "a").reports(healthy), at(52, "a").does(func(*lifecycle.Node) {})}},
		{"C3 a report makes the lease count once more", []event{
			at(2, "a").reports(healthy).in("z"), at(3, "a").renews(), at(33, "a").reports(healthy), at(100, "a").reports(healthy),
			at(101, "a").renews(), at(107, "a").reports(healthy), at(112, "a").reports(healthy),
		}},
		{"C3 never reported", []event{at(2, "a").in("z"), at(100, "a").reports(healthy)}},
		{"C3 never reported, with a lease", slices.Concat([]event{at(2, "a").in("z")}, renewals(3, 100, "a"))},
		{"C3 never reported, and older than the grace period", []event{
			at(102, "a").in("z").does(func(n *lifecycle.Node) { n.Created = bubble })}},
		{"C3 the condition goes away and comes back", []event{
			at(2, "a").reports(healthy).in("z"), at(40, "a").reports(lifecycle.Conditions{}), at(120, "a").reports(healthy),
			at(130, "a").reports(notReady), at(134, "a").reports(lifecycle.Conditions{}), at(150, "a").reports(notReady),
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Logf("%d moments compared", compareTimelines(t, offBeat(), slices.Concat(others, test.events), 400*time.Second))
		})
	}
}

// TestC2QueueOrder plays the cases in which upstream does not leave it to chance
// who comes first in the queue of a zone: every look puts those who wait at the
// end once more, except nodes that were deleted and those that have their taint.
func TestC2QueueOrder(t *testing.T) {
	config := offBeat()
	config.Rate, config.GracePeriod = 0.05, time.Hour
	var others []event
	for i := range 5 {
		others = append(others, at(0, fmt.Sprint("r", i)).reports(healthy).in("z"), at(0, fmt.Sprint("s", i)).reports(healthy).in("y"))
	}
	has := func(n *lifecycle.Node) { n.Taints |= lifecycle.NotReadyNoExecute }
	for _, test := range []struct {
		name   string
		events []event
		b      time.Duration // when b gets its taint
	}{
		{"a deleted node goes first", []event{at(6, "a").reports(notReady).in("z"), at(12, "b").reports(notReady).in("z"),
			at(12, "c").reports(notReady).in("z"), at(17, "c").deletes()}, 50100 * time.Millisecond},
		{"a node that moves in with its taint goes first", []event{at(6, "a").reports(notReady).in("z"), at(6, "m").reports(notReady).in("y"),
			at(11, "b").reports(notReady).in("z"), at(16, "m").in("z")}, 50100 * time.Millisecond},
		{"a node that somebody else tainted goes first", []event{at(6, "a").reports(notReady).in("z"), at(11, "b").reports(notReady).in("z"),
			at(11, "d").reports(notReady).in("z"), at(17, "d").does(has)}, 50100 * time.Millisecond},
		{"and last again when the taint is gone", []event{at(6, "a").reports(notReady).in("z"), at(11, "b").reports(notReady).in("z"),
			at(11, "d").reports(notReady).in("z"), at(17, "d").does(has), at(22, "d").does(func(n *lifecycle.Node) { n.Taints = 0 }), at(27, "b").does(has)}, 27337 * time.Millisecond},
		{"a node that is swapped goes first", []event{at(6, "a").reports(notReady).in("z"), at(11, "b").reports(notReady).in("z"),
			at(11, "d").reports(notReady).in("z"), at(17, "d").does(func(n *lifecycle.Node) { n.Taints |= lifecycle.UnreachableNoExecute })}, 50100 * time.Millisecond},
		{"a node without a Ready condition keeps its place", []event{at(6, "a").reports(notReady).in("z"), at(11, "b").reports(notReady).in("z"),
			at(11, "d").reports(notReady).in("z"), at(16, "d").reports(lifecycle.Conditions{}), at(27, "d").reports(notReady), at(28, "d").does(has)}, 50100 * time.Millisecond},
		{"two deleted ones, the earlier one first", []event{at(6, "a").reports(notReady).in("z"), at(11, "b").reports(notReady).in("z"),
			at(11, "c").reports(notReady).in("z"), at(11, "d").reports(notReady).in("z"), at(17, "d").deletes(), at(22, "c").deletes()}, 70100 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			events := slices.Concat(others, test.events)
			if n := compareTimelines(t, config, events, 120*time.Second); n < 5 {
				t.Errorf("chance decides after %d moments", n)
			}
			timeline, _ := timelineOf(t, config, bubble, events, 120*time.Second)
			first := slices.IndexFunc(timeline, func(m moment) bool { return m.nodes["b"].taints&lifecycle.NotReadyNoExecute != 0 })
			if first < 0 || timeline[first].at != test.b {
				t.Errorf("b gets its taint at %v, want %v", timeline[max(first, 0)], test.b)
			}
		})
	}
}

// TestC6Scripts plays what rule C6 tells apart. Which nodes the look sees before
// the one that finds the informer behind is left to chance upstream, so that
// there only one node, or all at the same look, can be found.
func TestC6Scripts(t *testing.T) {
	others := slices.Concat([]event{at(1, "x").reports(healthy).in("z"), at(1, "y").reports(healthy).in("other")}, renewals(1, 600, "x", "y"))
	three := func(events ...event) []event {
		return slices.Concat([]event{at(11, "b").reports(healthy).in("z"), at(11, "d").reports(healthy).in("y"), at(11, "c").reports(notReady).in("z")},
			renewals(12, 600, "b", "c", "d"), events)
	}
	for _, test := range []struct {
		name   string
		rate   float32
		events []event
	}{
		{"the informer is behind and catches up", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(3, 200, "a"),
			[]event{at(24, "a").holds(), at(150, "a").releases()})},
		{"the informer is behind and the node is lost", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(3, 50, "a"),
			[]event{at(24, "a").holds(), at(300, "a").releases()})},
		{"reports do not count while the informer is behind", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(3, 90, "a"),
			[]event{at(4, "a").holds(), at(100, "a").reports(notReady), at(150, "a").reports(healthy), at(160, "a").reports(notReady), at(200, "a").releases()})},
		{"nothing is renewed while the informer is held", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(3, 24, "a"),
			[]event{at(24, "a").holds(), at(200, "a").releases()})},
		{"a lease that the informer does not have", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z"), at(3, "a").holds()}, renewals(4, 30, "a"),
			[]event{at(200, "a").releases()})},
		{"a lease that is there no more", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z"), at(24, "a").holds()}, renewals(3, 50, "a"),
			[]event{at(51, "a").drops(), at(200, "a").releases()})},
		{"a failing look-up", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z"), at(3, "a").fails(true), at(200, "a").fails(false)}, others)},
		{"a failing look-up of the only node", 0.1, []event{at(2, "a").reports(healthy).in("z"), at(3, "a").fails(true), at(200, "a").fails(false)}},
		{"a failing look-up of a node that waits", 0.02, slices.Concat(others, []event{at(4, "w").reports(notReady).in("z"), at(7, "a").reports(notReady).in("z"),
			at(100, "b").reports(notReady).in("z"), at(8, "a").fails(true), at(105, "b").fails(false)}, renewals(10, 600, "b"))},
		{"a renewTime that goes back is not verified", 0.1, slices.Concat(others, []event{at(2, "a").reports(healthy).in("z")}, renewals(3, 33, "a"), []event{
			at(43, "a").renewsAs(-time.Minute), at(300, "a").reports(healthy)})},
		{"a lost node is asked about too", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(3, 10, "a"), []event{
			at(100, "a").holds(), at(101, "a").renews(), at(120, "a").reports(notReady), at(150, "a").reports(healthy), at(170, "a").reports(notReady), at(200, "a").releases()})},
		{"the queue of a zone is forgotten", 0.01, three(at(5, "w").reports(notReady).in("z"), at(6, "v").reports(healthy).in("z"), at(8, "w").reports(healthy), at(12, "w").deletes(), at(12, "v").deletes(),
			at(13, "b").holds(), at(150, "b").releases())},
		{"a stop is forgotten", 0.1, slices.Concat([]event{at(2, "a").reports(notReady).in("z")}, renewals(3, 300, "a"), []event{
			at(4, "a").holds(), at(100, "a").does(func(n *lifecycle.Node) { n.Taints |= lifecycle.NotReadyNoExecute }), at(200, "a").releases()})},
		{"a new node while the informer is behind", 0.1, slices.Concat([]event{at(2, "a").reports(healthy).in("z")}, renewals(3, 400, "a"), []event{
			at(4, "a").holds(), at(100, "n").reports(notReady).in("z").does(func(n *lifecycle.Node) { n.Taints = lifecycle.NotReadyNoExecute }), at(200, "a").releases()})},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := offBeat()
			config.Rate = test.rate
			if n := compareTimelines(t, config, test.events, 600*time.Second); n < 1 {
				t.Error("nothing compared")
			} else {
				t.Logf("%d moments compared", n)
			}
		})
	}
}

// oneNode draws events of a single node, whose order leaves nothing to chance.
var oneNode = rapid.Custom(func(t *rapid.T) (events []event) {
	const name, zone = "a", "z"
	events = append(events, at(rapid.IntRange(1, 30).Draw(t, "created"), name).reports(healthy).in(zone))
	for second := 31; second < 900; second += rapid.IntRange(1, 30).Draw(t, "pause") {
		e := at(second, name)
		e.known = true
		switch rapid.IntRange(0, 19).Draw(t, "event") {
		case 0, 1:
			e = e.holds()
		case 2, 3, 4:
			e = e.releases()
		case 5:
			e = e.fails(true)
		case 6, 7:
			e = e.fails(false)
		case 8:
			e = e.drops()
		case 9:
			taints := rapid.SampledFrom([]lifecycle.TaintSet{0, lifecycle.NotReadyNoExecute, lifecycle.UnreachableNoExecute, managed}).Draw(t, "taints")
			e = e.in(zone).does(func(n *lifecycle.Node) { n.Taints = taints })
		case 10, 11, 12:
			e = e.reports(rapid.SampledFrom([]lifecycle.Conditions{healthy, healthy, notReady, unknown, pressed}).Draw(t, "conditions"))
		default:
			e = e.renewsAs(rapid.SampledFrom([]time.Duration{0, 0, 0, -time.Minute, time.Minute, -time.Hour}).Draw(t, "skew"))
		}
		events = append(events, e)
	}
	return events
})

// TestC6Generated plays generated events of one node.
func TestC6Generated(t *testing.T) {
	runs, moments := 40, 0
	if testing.Short() {
		runs = 8
	}
	for seed := range runs {
		config := offBeat()
		config.Rate = []float32{0.1, 0.02}[seed%2]
		config.GracePeriod = []time.Duration{50 * time.Second, 20 * time.Second}[seed/2%2]
		moments += compareTimelines(t, config, oneNode.Example(seed), 1000*time.Second)
	}
	t.Logf("%d moments of %d scripts compared", moments, runs)
}

// TestC5Scripts lets zones go through their states.
func TestC5Scripts(t *testing.T) {
	zone := func(name string, second, n int, c lifecycle.Conditions) (events []event) {
		for i := range n {
			events = append(events, at(second+i*6, fmt.Sprint(name, i)).reports(c).in(name))
		}
		return events
	}
	config := offBeat()
	config.GracePeriod, config.LargeZone, config.SecondaryRate = time.Hour, 5, 0.03
	for _, test := range []struct {
		name   string
		config func(*lifecycle.Config)
		events []event
	}{
		{"partial disruption of a small zone", nil, slices.Concat(zone("a", 1, 5, healthy), zone("b", 1, 1, healthy), zone("a", 50, 4, notReady), zone("a", 150, 3, healthy))},
		{"partial disruption of a large zone", nil, slices.Concat(zone("a", 1, 8, healthy), zone("b", 1, 1, healthy), zone("a", 61, 7, notReady), zone("a", 250, 4, healthy))},
		{"full disruption of one zone", nil, slices.Concat(zone("a", 1, 3, healthy), zone("b", 1, 1, healthy), zone("a", 50, 3, notReady), zone("a", 150, 2, healthy))},
		{"all zones, one after the other", nil, slices.Concat(zone("a", 1, 2, healthy), zone("b", 1, 2, healthy), zone("a", 50, 2, notReady),
			zone("b", 100, 2, notReady), zone("a", 200, 1, healthy))},
		{"all zones, and a new one that is ready", nil, slices.Concat(zone("a", 1, 1, healthy), zone("a", 50, 1, notReady), zone("b", 100, 1, healthy), zone("a", 200, 1, healthy), zone("a", 250, 1, notReady))},
		{"all zones, and a new one that is not", nil, slices.Concat(zone("a", 1, 1, healthy), zone("a", 50, 1, notReady), zone("b", 100, 1, notReady), zone("a", 200, 1, healthy))},
		{"not ready from the start", nil, slices.Concat(zone("a", 7, 1, notReady), zone("a", 100, 1, healthy))},
		{"an excluded node does not count", nil, slices.Concat(zone("a", 1, 2, healthy), zone("a", 30, 1, notReady), []event{
			at(60, "a1").does(func(n *lifecycle.Node) { n.Excluded = true }), at(100, "a1").does(func(n *lifecycle.Node) { n.Excluded = false })})},
		{"a rate of exactly 1 is not taken up again", func(c *lifecycle.Config) { c.Rate = 1 },
			slices.Concat(zone("a", 1, 2, healthy), zone("a", 50, 2, notReady), zone("a", 100, 1, healthy))},
		{"no rate except for the first", func(c *lifecycle.Config) { c.Rate = 0 },
			slices.Concat(zone("a", 1, 3, healthy), zone("a", 50, 2, notReady), zone("a", 100, 2, healthy), zone("a", 150, 1, notReady))},
		{"a negative rate", func(c *lifecycle.Config) { c.Rate = -1 },
			slices.Concat(zone("a", 1, 3, healthy), zone("a", 50, 3, notReady), zone("a", 100, 2, healthy))},
		{"a new grace period for all after a stop", func(c *lifecycle.Config) { c.GracePeriod = 50 * time.Second },
			slices.Concat(zone("a", 1, 1, healthy), zone("b", 1, 1, healthy), []event{at(130, "b0").reports(healthy), at(170, "a0").reports(healthy)})},
		{"a swap at the look that stops all is not taken off", nil, slices.Concat(zone("a", 1, 1, healthy), zone("b", 1, 1, healthy), zone("a", 32, 1, notReady),
			[]event{at(62, "a0").reports(unknown), at(62, "b0").reports(notReady), at(100, "b0").reports(healthy)})},
		{"the last node goes", nil, slices.Concat(zone("a", 1, 1, notReady), []event{at(50, "a0").deletes()}, zone("a", 70, 1, notReady))},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := config
			if test.config != nil {
				test.config(&config)
			}
			t.Logf("%d moments compared", compareTimelines(t, config, test.events, 400*time.Second))
		})
	}
}

// nodeScripts draws events of few nodes in few zones, of which half renew their
// leases.
var nodeScripts = rapid.Custom(func(t *rapid.T) (events []event) {
	end := 250
	for i := range rapid.IntRange(2, 6).Draw(t, "nodes") {
		name, zone := fmt.Sprint("node-", i), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "zone")
		events = append(events, at(rapid.IntRange(1, 30).Draw(t, "created"), name).reports(healthy).in(zone))
		if rapid.Bool().Draw(t, "leases") {
			events = append(events, renewals(rapid.IntRange(1, 40).Draw(t, "from"), rapid.IntRange(50, end).Draw(t, "to"), name)...)
		}
		for second := 31; second < end; second += rapid.IntRange(1, 80).Draw(t, "pause") {
			e := at(second, name)
			e.known = true
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				e = e.deletes()
			case 1:
				e = e.in(zone).does(func(n *lifecycle.Node) { n.Unschedulable = !n.Unschedulable })
			case 2:
				taints := rapid.SampledFrom([]lifecycle.TaintSet{0, lifecycle.NotReadyNoExecute, lifecycle.UnreachableNoExecute, managed}).Draw(t, "taints")
				e = e.in(zone).does(func(n *lifecycle.Node) { n.Taints = taints })
			case 3:
				e = e.renewsAs(rapid.SampledFrom([]time.Duration{0, 0, -time.Minute, time.Minute}).Draw(t, "skew"))
			default:
				e.known = false
				e = e.in(zone).reports(rapid.SampledFrom([]lifecycle.Conditions{healthy, healthy, notReady, notReady, unknown, pressed}).Draw(t, "conditions"))
			}
			events = append(events, e)
		}
	}
	return events
})

// TestLifecycleGenerated plays generated events under generated settings.
func TestLifecycleGenerated(t *testing.T) {
	runs, moments := 24, 0
	if testing.Short() {
		runs = 6
	}
	for seed := range runs {
		config := offBeat()
		config.Rate = []float32{0.1, 0.1, 0.5, 5}[seed%4]
		config.GracePeriod = []time.Duration{50 * time.Second, 20 * time.Second, time.Hour}[seed%3]
		config.LargeZone = []int{50, 2}[seed%2]
		moments += compareTimelines(t, config, nodeScripts.Example(seed), 300*time.Second)
	}
	t.Logf("%d moments of %d scripts compared", moments, runs)
}

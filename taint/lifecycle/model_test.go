package lifecycle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// pair is a controller and what it has to be equal to.
type pair struct {
	c   *lifecycle.Controller
	m   *naive
	now time.Time

	// The leases as they are, and what of them was not told yet.
	live    map[string]string // the versions
	failing map[string]bool   // nodes whose leases cannot be looked up
	version int
	untold  []untold
	holding bool
	form    string // of versions

	names, zones *rapid.Generator[string]
	conditions   *rapid.Generator[lifecycle.Conditions]
}

// untold is a lease as it was after an event.
type untold struct {
	name    string
	lease   naiveLease
	deleted bool
}

// verify answers from the leases as they are. Nobody is asked about a node twice.
func (p *pair) verify(checks []lifecycle.Check) {
	for i := range checks {
		if i > 0 && checks[i-1].Node >= checks[i].Node {
			panic(fmt.Sprint("asked about ", checks))
		}
		check := &checks[i]
		check.Answered = !p.failing[check.Node]
		check.Version = p.live[check.Node]
	}
}

// Whatever happens in whatever order, the controller decides what a look at
// everything decides, in the same order (rules C1 to C5).
func TestControllerAgreesWithNaive(t *testing.T) {
	rapid.Check(t, checkModel)
}

func FuzzController(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkModel))
}

func checkModel(t *rapid.T) {
	config := lifecycle.Config{
		MonitorPeriod:      rapid.SampledFrom([]time.Duration{5 * time.Second, 5 * time.Second, time.Second, 730 * time.Millisecond}).Draw(t, "period"),
		GracePeriod:        rapid.SampledFrom([]time.Duration{50 * time.Second, 12 * time.Second, 0, -time.Second}).Draw(t, "grace"),
		StartupGracePeriod: rapid.SampledFrom([]time.Duration{60 * time.Second, 7 * time.Second, 0}).Draw(t, "startup"),
		Rate:               rapid.SampledFrom([]float32{0.1, 0.1, 0.5, 0.7, 1, 2, 50, 0, -1}).Draw(t, "rate"),
		SecondaryRate:      rapid.SampledFrom([]float32{0.01, 0.1, 0.3, 0}).Draw(t, "secondary"),
		LargeZone:          rapid.SampledFrom([]int{50, 5, 3, 0}).Draw(t, "large"),
		UnhealthyShare:     rapid.SampledFrom([]float32{0.55, 0.5, 0, 1}).Draw(t, "share"),
	}
	p := &pair{now: epoch, live: map[string]string{}, failing: map[string]bool{}, version: 1, names: nodeNames, zones: zoneNames, conditions: conditions}
	if rapid.Bool().Draw(t, "few") { // so that much happens to each
		p.names, p.zones, p.conditions = fewNames, fewZones, readiness
	}
	if rapid.Bool().Draw(t, "verify") {
		config.Verify = p.verify
	}
	c, err := lifecycle.New(config, epoch)
	if err != nil {
		t.Fatal(err)
	}
	p.c, p.m = c, newNaive(config, epoch)
	events := rapid.SampledFrom([]func(*rapid.T){p.set, p.set, p.post, p.outage, p.renew, p.keepAlive, p.hold, p.drop, p.fail, p.remove, p.empty, p.replace, p.advance, p.wait})
	for range rapid.IntRange(1, 200).Draw(t, "events") {
		events.Draw(t, "event")(t)
		p.check(t)
	}
}

// Whatever becomes of two nodes that wait for their taints, at one look or at two, all get
// theirs when the naive one says (rules C2, C3, C6).
func TestC2QueueExhaustively(t *testing.T) {
	config := lifecycle.Defaults()
	config.Rate, config.GracePeriod = 0.05, 3*time.Second
	var ways []func(p *pair, now time.Time, name string)
	for ready := range lifecycle.Status(4) {
		for _, has := range []lifecycle.TaintSet{0, lifecycle.NotReadyNoExecute, lifecycle.UnreachableNoExecute} {
			ways = append(ways, func(p *pair, now time.Time, name string) { p.give(t, now, name, ready, has) })
		}
	}
	gone := func(p *pair, now time.Time, name string) {
		p.m.delete(now, name)
		p.compare(t, p.c.Delete(nil, now, name))
	}
	silent := func(p *pair, now time.Time, name string) { p.alive(t, now, name, false) }
	ways = append(ways, gone, silent,
		func(p *pair, now time.Time, name string) {
			gone(p, now, name)
			p.give(t, now, name, lifecycle.False, 0)
		},
		func(p *pair, now time.Time, name string) {
			p.failing[name] = true
			silent(p, now, name)
		})
	for i, first := range ways {
		for j, second := range ways {
			if testing.Short() && (i+j)%4 > 0 {
				continue
			}
			for _, name := range []string{"b", "c", "d"} {
				for _, later := range []time.Duration{12, 17} {
					p := &pair{failing: map[string]bool{}}
					config.Verify = p.verify
					p.c, p.m = newController(t, config), newNaive(config, epoch)
					for _, name := range []string{"1", "2", "3", "4", "5", "6", "7", "a", "b", "c", "d"} {
						p.give(t, epoch, name, lifecycle.True, 0)
						p.alive(t, epoch, name, true)
					}
					for _, name := range []string{"a", "b", "c", "d"} {
						p.give(t, epoch.Add(6*time.Second), name, lifecycle.False, 0)
					}
					first(p, epoch.Add(12*time.Second), "d")
					second(p, epoch.Add(later*time.Second), name)
					now := epoch.Add(100 * time.Second)
					p.m.advance(now)
					if p.compare(t, p.c.Advance(nil, now)); t.Failed() {
						t.Fatalf("ways %d and %d, the second of %s after %d s", i, j, name, later)
					}
				}
			}
		}
	}
}

// A lease without a renewTime is neither before nor after any other (rule C3).
func TestC3LeaseWithoutATime(t *testing.T) {
	config := lifecycle.Defaults()
	p := &pair{c: newController(t, config), m: newNaive(config, epoch)}
	p.give(t, epoch, "a", lifecycle.True, 0)
	for i, renewed := range []time.Time{{}, epoch.Add(30 * time.Second)} {
		now := epoch.Add(time.Duration(1+29*i) * time.Second)
		p.m.renew(now, "a", naiveLease{renewed: renewed})
		p.compare(t, p.c.SetLease(nil, now, "a", renewed, ""))
	}
	now := epoch.Add(time.Minute)
	p.m.advance(now)
	p.compare(t, p.c.Advance(nil, now))
	if n, _ := p.c.Node("a"); n.Conditions.Ready != lifecycle.Unknown {
		t.Errorf("the node is %v", n)
	}
}

// give sets a node, which is of the zone z.
func (p *pair) give(t rapid.TB, now time.Time, name string, ready lifecycle.Status, taints lifecycle.TaintSet) {
	n := lifecycle.Node{Zone: "z", Created: epoch, Conditions: lifecycle.Conditions{Ready: ready}, Taints: taints}
	p.m.set(now, name, n)
	p.compare(t, p.c.Set(nil, now, name, n))
}

// alive begins or ends that a node is kept alive.
func (p *pair) alive(t rapid.TB, now time.Time, name string, on bool) {
	p.m.keepAlive(now, name, on)
	p.compare(t, p.c.KeepAlive(nil, now, name, on))
}

// Whatever four events there are, five seconds apart, while leases are told, or kept from the
// controller, it decides what the naive one decides (rule C6).
func TestC6Exhaustively(t *testing.T) {
	config := lifecycle.Defaults()
	config.GracePeriod, config.Rate = 3*time.Second, 0.2
	events := []func(p *pair, now time.Time){
		func(p *pair, now time.Time) { p.give(t, now, "a", lifecycle.True, 0) },
		func(p *pair, now time.Time) { p.give(t, now, "b", lifecycle.False, 0) },
		func(p *pair, now time.Time) { p.give(t, now, "new", lifecycle.False, lifecycle.NotReadyNoExecute) },
		func(p *pair, now time.Time) { p.lease(t, now, "a", true) },
		func(p *pair, now time.Time) { p.lease(t, now, "a", false) },
		func(p *pair, now time.Time) { p.lease(t, now, "b", false) },
		func(p *pair, now time.Time) { p.sync(t, now.Add(4*time.Second+1), p.version) }, // after the next look
		func(p *pair, now time.Time) { p.sync(t, now, 8) },
		func(p *pair, now time.Time) { p.live["b"] = "99x" },
		func(p *pair, now time.Time) { p.tell(t, now, untold{"a", naiveLease{renewed: now}, false}) },
		func(p *pair, now time.Time) {
			p.version++
			p.tell(t, now.Add(4*time.Second+1), untold{"a", naiveLease{version: fmt.Sprintf(p.form, p.version)}, true})
		},
		func(p *pair, now time.Time) { p.failing["b"] = !p.failing["b"] },
		func(p *pair, now time.Time) {
			p.m.delete(now, "b")
			p.compare(t, p.c.Delete(nil, now, "b"))
		},
	}
	n, step := len(events)*len(events)*len(events)*len(events), 12 // a part, in which each comes with each other
	if testing.Short() {
		step = 100
	}
	for j, form := range []string{"%d", "%d", "0%d", "%dx"} {
		for i := 0; i < n; i += step {
			p := &pair{live: map[string]string{}, failing: map[string]bool{}, version: 8, form: form}
			config.Verify = p.verify
			p.c, p.m = newController(t, config), newNaive(config, epoch)
			for _, name := range []string{"a", "b", "c", "d"} {
				p.give(t, epoch, name, lifecycle.True, 0)
				p.lease(t, epoch, name, j > 0) // or no version is known
				if name > "b" {
					p.alive(t, epoch, name, true)
				}
			}
			now := epoch
			for j, next := 0, i; j < 4; j, next = j+1, next/len(events) {
				events[next%len(events)](p, now.Add(time.Second))
				now = now.Add(5 * time.Second)
				p.m.advance(now)
				p.compare(t, p.c.Advance(nil, now))
			}
			p.sync(t, now.Add(time.Second), p.version)
			now = now.Add(20 * time.Second)
			p.m.advance(now)
			if p.compare(t, p.c.Advance(nil, now)); t.Failed() {
				t.Fatalf("events %d with versions as in %s", i, form)
			}
		}
		step *= 2
	}
}

// lease renews the lease of a node, and tells of it or not.
func (p *pair) lease(t rapid.TB, now time.Time, name string, told bool) {
	p.version++
	l := naiveLease{renewed: now, version: fmt.Sprintf(p.form, p.version)}
	p.live[name] = l.version
	if told {
		p.tell(t, now, untold{name, l, false})
	}
}

// sync says how far the informer has come.
func (p *pair) sync(t rapid.TB, now time.Time, n int) {
	version := fmt.Sprintf(p.form, n)
	p.m.sync(now, version)
	p.compare(t, p.c.Synced(nil, now, version))
}

// A node whose turn comes while it has no Ready condition is queued again when it has one, also
// if it has the taint already, and costs the next one a token (rule C2).
func TestC2QueueOfNodesWithoutACondition(t *testing.T) {
	config := lifecycle.Defaults()
	config.Rate, config.GracePeriod, config.StartupGracePeriod = 0.05, time.Hour, 2*time.Hour
	p := &pair{c: newController(t, config), m: newNaive(config, epoch)}
	set := func(seconds time.Duration, name string, ready lifecycle.Status, taints lifecycle.TaintSet) {
		p.give(t, epoch.Add(seconds*time.Second), name, ready, taints)
	}
	for _, name := range []string{"1", "2", "3", "a", "b", "c"} {
		set(0, name, lifecycle.True, 0)
	}
	set(6, "a", lifecycle.False, 0)
	set(6, "b", lifecycle.False, 0)
	set(12, "b", lifecycle.Absent, 0)
	set(42, "b", lifecycle.False, lifecycle.NotReadyNoExecute)
	set(43, "c", lifecycle.False, 0)
	var turns []lifecycle.Action
	for seconds := 44; seconds < 200; seconds++ {
		now := epoch.Add(time.Duration(seconds) * time.Second)
		p.m.advance(now)
		actions := p.c.Advance(nil, now)
		p.compare(t, actions)
		turns = append(turns, actions...)
	}
	wantText(t, turns, "50s zb turn came +not-ready:NoExecute", "1m10s zc turn came +not-ready:NoExecute")
}

var (
	nodeNames  = rapid.Map(rapid.IntRange(0, 9), func(i int) string { return fmt.Sprint("node-", i) })
	fewNames   = rapid.Map(rapid.IntRange(0, 2), func(i int) string { return fmt.Sprint("node-", i) })
	readiness  = rapid.Map(rapid.IntRange(0, 3), func(i int) lifecycle.Conditions { return lifecycle.Conditions{Ready: lifecycle.Status(i)} })
	fewZones   = rapid.SampledFrom([]string{"a", "a", "a", "b"})
	zoneNames  = rapid.SampledFrom([]string{"a", "a", "b", "c", ""})
	statuses   = rapid.SampledFrom([]lifecycle.Status{lifecycle.True, lifecycle.True, lifecycle.False, lifecycle.Unknown, lifecycle.Absent})
	conditions = rapid.Custom(func(t *rapid.T) lifecycle.Conditions {
		if rapid.Bool().Draw(t, "healthy") {
			return lifecycle.Healthy()
		}
		return lifecycle.Conditions{
			Ready: statuses.Draw(t, "ready"), MemoryPressure: statuses.Draw(t, "memory"), DiskPressure: statuses.Draw(t, "disk"),
			PIDPressure: statuses.Draw(t, "pid"), NetworkUnavailable: statuses.Draw(t, "network"),
		}
	})
	taintSets = rapid.SampledFrom([]lifecycle.TaintSet{0, 0, lifecycle.NotReady, lifecycle.NotReadyNoExecute, lifecycle.UnreachableNoExecute,
		lifecycle.Evicting, lifecycle.Managed, 1 << 15})
)

// tick lets some time pass before an event, and now and then goes back.
func (p *pair) tick(t *rapid.T) time.Time {
	d := rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 1234 * time.Millisecond, 5 * time.Second, -3 * time.Second}).Draw(t, "after")
	now := p.now.Add(d)
	if d > 0 {
		p.now = now
	}
	return now
}

func (p *pair) compare(t rapid.TB, got []lifecycle.Action) {
	if diff := cmp.Diff(p.m.out, got); diff != "" {
		t.Fatalf("decisions differ (-naive +controller):\n%s", diff)
	}
}

func (p *pair) set(t *rapid.T) {
	now, name := p.tick(t), p.names.Draw(t, "node")
	n, known := p.c.Node(name)
	if !known || rapid.Bool().Draw(t, "anew") {
		n = lifecycle.Node{
			Zone: p.zones.Draw(t, "zone"), Excluded: rapid.IntRange(0, 9).Draw(t, "excluded") == 0,
			Heartbeat: now, Created: now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, -time.Minute}).Draw(t, "created")),
		}
	}
	n.Unschedulable = rapid.Bool().Draw(t, "unschedulable")
	n.Conditions, n.Taints = p.conditions.Draw(t, "conditions"), taintSets.Draw(t, "taints")
	if rapid.IntRange(0, 3).Draw(t, "adopt") == 0 {
		p.m.adopt(now, name, n)
		p.compare(t, p.c.Adopt(nil, now, name, n))
		return
	}
	p.m.set(now, name, n)
	p.compare(t, p.c.Set(nil, now, name, n))
}

func (p *pair) keepAlive(t *rapid.T) {
	p.alive(t, p.tick(t), p.names.Draw(t, "node"), rapid.Bool().Draw(t, "on"))
}

func (p *pair) post(t *rapid.T) {
	now, name, posted := p.tick(t), p.names.Draw(t, "node"), p.conditions.Draw(t, "conditions")
	p.m.post(now, name, posted)
	p.compare(t, p.c.Post(nil, now, name, posted))
}

// outage makes all nodes of a zone, or all, report the same.
func (p *pair) outage(t *rapid.T) {
	now, zone, ready := p.tick(t), rapid.SampledFrom([]string{"a", "b", "c", "all"}).Draw(t, "zone"), statuses.Draw(t, "ready")
	for i := range 10 {
		name := fmt.Sprint("node-", i)
		if n, known := p.c.Node(name); known && (zone == "all" || zone == n.Zone) {
			p.m.post(now, name, lifecycle.Conditions{Ready: ready})
			p.compare(t, p.c.Post(nil, now, name, lifecycle.Conditions{Ready: ready}))
		}
	}
}

func (p *pair) renew(t *rapid.T) {
	now, name := p.tick(t), p.names.Draw(t, "node")
	lease := naiveLease{renewed: now.Add(rapid.SampledFrom([]time.Duration{0, 0, time.Hour, -time.Hour}).Draw(t, "clock"))}
	if rapid.IntRange(0, 9).Draw(t, "never") == 0 {
		lease.renewed = time.Time{}
	}
	p.version++
	lease.version = fmt.Sprint(p.version)
	p.live[name] = lease.version
	p.tell(t, now, untold{name, lease, false})
}

func (p *pair) drop(t *rapid.T) {
	now, name := p.tick(t), p.names.Draw(t, "node")
	p.version++
	delete(p.live, name)
	p.tell(t, now, untold{name, naiveLease{version: fmt.Sprint(p.version)}, true})
}

// tell tells the controllers of a lease, or keeps it from them.
func (p *pair) tell(t rapid.TB, now time.Time, u untold) {
	switch {
	case p.holding:
		p.untold = append(p.untold, u)
	case u.deleted:
		p.m.dropLease(now, u.name, u.lease.version)
		p.compare(t, p.c.DeleteLease(nil, now, u.name, u.lease.version))
	default:
		p.m.renew(now, u.name, u.lease)
		p.compare(t, p.c.SetLease(nil, now, u.name, u.lease.renewed, u.lease.version))
	}
}

// hold begins to keep the leases from the controllers, or tells them.
func (p *pair) hold(t *rapid.T) {
	if p.holding = !p.holding; p.holding {
		return
	}
	now := p.tick(t)
	for _, u := range p.untold {
		p.tell(t, now, u)
	}
	p.untold = nil
	if rapid.Bool().Draw(t, "bookmark") {
		p.m.sync(now, fmt.Sprint(p.version))
		p.compare(t, p.c.Synced(nil, now, fmt.Sprint(p.version)))
	}
}

// fail makes the look-ups of a node's lease fail, or not any more.
func (p *pair) fail(t *rapid.T) {
	name := p.names.Draw(t, "node")
	p.failing[name] = !p.failing[name]
}

func (p *pair) remove(t *rapid.T) {
	now, name := p.tick(t), p.names.Draw(t, "node")
	p.m.delete(now, name)
	p.compare(t, p.c.Delete(nil, now, name))
}

// empty deletes all nodes of a zone, those that wait for their taint too.
func (p *pair) empty(t *rapid.T) {
	now, zone := p.tick(t), p.zones.Draw(t, "zone")
	for i := range 10 {
		name := fmt.Sprint("node-", i)
		if n, known := p.c.Node(name); known && n.Zone == zone {
			p.m.delete(now, name)
			p.compare(t, p.c.Delete(nil, now, name))
		}
	}
}

// replace deletes a node, and sets one of that name before anybody looks.
func (p *pair) replace(t *rapid.T) {
	now, name := p.tick(t), p.names.Draw(t, "node")
	n, known := p.c.Node(name)
	if !known {
		return
	}
	for range rapid.IntRange(1, 2).Draw(t, "times") {
		p.m.delete(now, name)
		p.compare(t, p.c.Delete(nil, now, name))
		p.m.set(now, name, n)
		p.compare(t, p.c.Set(nil, now, name, n))
	}
}

func (p *pair) advance(t *rapid.T) {
	p.now = p.now.Add(rapid.SampledFrom([]time.Duration{0, 99 * time.Millisecond, 5 * time.Second, 17 * time.Second, time.Minute, 5 * time.Minute}).Draw(t, "by"))
	p.m.advance(p.now)
	p.compare(t, p.c.Advance(nil, p.now))
}

// wait asks when to come again, and finds that nothing happens before.
func (p *pair) wait(t *rapid.T) {
	at, ok := p.c.Next()
	if !ok {
		at = p.now.Add(time.Minute)
	}
	if at.Sub(p.now) > time.Hour {
		return // too long for the naive one
	}
	p.m.begin(at) // as an event that changes nothing
	if len(p.m.out) > 0 {
		t.Fatalf("Next is %v, but before it there is %v", at, p.m.out)
	}
	p.compare(t, p.c.Post(nil, at, "nobody", lifecycle.Healthy()))
	p.m.advance(at)
	p.compare(t, p.c.Advance(nil, at))
	if at.After(p.now) {
		p.now = at
	}
}

// check compares what both take the nodes to be.
func (p *pair) check(t *rapid.T) {
	if got, want := p.c.Len(), len(p.m.nodes); got != want {
		t.Fatalf("Len() = %d, want %d", got, want)
	}
	for i := range 10 {
		var want lifecycle.Node
		name := fmt.Sprint("node-", i)
		n, there := p.m.nodes[name]
		if there {
			want = n.Node
		}
		if got, known := p.c.Node(name); known != there || !cmp.Equal(got, want) {
			t.Fatalf("Node(%q) = %+v, %t, want %+v, %t", name, got, known, want, there)
		}
	}
	for z := range p.c.Zones() {
		want := p.m.zones[z.Name]
		ready, counted := 0, 0
		for _, n := range p.m.nodes {
			if n.Zone == z.Name && !n.Excluded {
				counted++
				if n.Conditions.Ready == lifecycle.True {
					ready++
				}
			}
		}
		if z.State != want.state || z.Waiting != len(want.queue) || z.Ready != ready || z.NotReady != counted-ready {
			t.Fatalf("zone %+v, want %+v with %d of %d nodes ready", z, want, ready, counted)
		}
	}
}

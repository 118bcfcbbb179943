package timeline_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// step is how far the clock of the model goes at a time. Everything in its clusters
// happens at whole steps.
const step = 100 * time.Millisecond

// model plays a cluster with a fine clock: at each step every node that has a heartbeat
// has it, and both controllers are told the time, whether or not there is something to
// do. It shares nothing with Play but the controllers.
type model struct {
	c         *timeline.Cluster
	lifecycle *lifecycle.Controller
	queue     *evict.Queue[int32]
	taints    map[string][]taint.Taint
	lost      map[string]bool

	evicted, cancelled map[int32]time.Duration // by pod; the last time
	lostAt, taintedAt  map[string]time.Duration
	notes
}

func newModel(t rapid.TB, c *timeline.Cluster) *model {
	origin := c.Start
	for c.Start.Sub(origin)+c.Config.MonitorPeriod <= c.Config.GracePeriod {
		origin = origin.Add(-c.Config.MonitorPeriod)
	}
	controller, err := lifecycle.New(c.Config, origin)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{c: c, lifecycle: controller, queue: evict.New[int32](c.Policy, c.Rules), taints: map[string][]taint.Taint{}, lost: map[string]bool{},
		evicted: map[int32]time.Duration{}, cancelled: map[int32]time.Duration{}, lostAt: map[string]time.Duration{}, taintedAt: map[string]time.Duration{}}
	for _, n := range c.Nodes {
		state := n.State
		state.Taints = lifecycle.Of(n.Taints)
		m.notes.begin(&n)
		m.taints[n.Name], m.lost[n.Name] = slices.Clone(n.Taints), n.State.Conditions.Ready == lifecycle.Unknown
		m.apply(controller.Adopt(nil, origin, n.Name, state), false)
	}
	for now := origin; now.Before(c.Start); now = now.Add(step) {
		for _, n := range c.Nodes {
			if now.After(origin) && m.beats(&n, now) {
				m.apply(controller.SetLease(nil, now, n.Name, now, ""), false)
			}
		}
		m.apply(controller.Advance(nil, now), false)
	}
	m.notice()
	return m
}

// notice tells the queue of the taints as they were added.
func (m *model) notice() {
	times := map[time.Time]bool{m.c.Start: true}
	for _, list := range m.taints {
		for _, x := range list {
			if x.Effect == taint.NoExecute && !x.TimeAdded.IsZero() && x.TimeAdded.Time.Before(m.c.Start) {
				times[x.TimeAdded.Time] = true
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(times), time.Time.Compare)
	for i, p := range m.c.Pods {
		m.queue.SetPod(nil, order[0], int32(i), p.Node, p.Tolerations)
	}
	for _, now := range order {
		for _, n := range m.c.Nodes {
			var list []taint.Taint
			for _, x := range m.taints[n.Name] {
				if now.Equal(m.c.Start) || x.TimeAdded.IsZero() || !x.TimeAdded.Time.After(now) {
					list = append(list, x)
				}
			}
			if now.Equal(m.c.Start) || slices.ContainsFunc(list, func(x taint.Taint) bool {
				return x.Effect == taint.NoExecute && !x.TimeAdded.IsZero() && x.TimeAdded.Time.Equal(now)
			}) {
				m.decide(now, m.queue.Advance(nil, now))
				m.decide(now, m.queue.SetNode(nil, now, n.Name, list))
			}
		}
	}
}

// lastBeat is when the node had its last heartbeat before the timeline.
func (m *model) lastBeat(n *timeline.Node) time.Time {
	if last := n.State.Heartbeat; !last.IsZero() && last.Before(m.c.Start) {
		return last
	}
	return m.c.Start
}

// beats reports whether a node has a heartbeat.
func (m *model) beats(n *timeline.Node, now time.Time) bool {
	last := m.lastBeat(n)
	if now.Equal(last) || now.Before(m.c.Start) {
		return now.Equal(last)
	}
	interval := m.c.HeartbeatInterval
	if interval == 0 {
		interval = 10 * time.Second
	}
	return !m.silent(n.Name, now) && now.Sub(last)%interval == 0
}

// silent reports whether a time is within a silence of a node.
func (m *model) silent(node string, now time.Time) bool {
	return slices.ContainsFunc(m.c.Outages, func(s timeline.Outage) bool {
		return s.Node == node && !now.Before(s.From) && (s.Until.IsZero() || now.Before(s.Until))
	})
}

// run goes on until the end.
func (m *model) run() {
	for now := m.c.Start; !now.After(m.c.End); now = now.Add(step) {
		for _, n := range m.c.Nodes {
			if !m.beats(&n, now) {
				continue
			}
			m.apply(m.lifecycle.SetLease(nil, now, n.Name, now, ""), true)
			if m.lost[n.Name] && now.After(m.lastBeat(&n)) {
				reported := n.State.Conditions
				if reported.Ready == lifecycle.Unknown || reported.Ready == lifecycle.Absent {
					reported = lifecycle.Healthy()
				}
				m.apply(m.lifecycle.Post(nil, now, n.Name, reported), true)
			}
		}
		m.apply(m.lifecycle.Advance(nil, now), true)
		m.decide(now, m.queue.Advance(nil, now))
		m.sample(now)
	}
}

func (m *model) apply(actions []lifecycle.Action, started bool) {
	for i := range actions {
		a := &actions[i]
		m.notes.note(m, a, started)
		if a.Node == "" || a.Reason == lifecycle.StateChanged {
			continue
		}
		at := max(0, a.At.Sub(m.c.Start))
		m.taints[a.Node] = a.Apply(nil, m.taints[a.Node])
		if now := a.Conditions.Ready == lifecycle.Unknown; now != m.lost[a.Node] {
			m.lost[a.Node] = now
			if _, known := m.lostAt[a.Node]; now && !known {
				m.lostAt[a.Node] = at
			}
		}
		if _, known := m.taintedAt[a.Node]; a.Add&noExecute != 0 && !known {
			m.taintedAt[a.Node] = at
		}
		if started {
			m.decide(a.At, m.queue.Advance(nil, a.At))
			m.decide(a.At, m.queue.SetNode(nil, a.At, a.Node, m.taints[a.Node]))
		}
	}
}

func (m *model) decide(now time.Time, decisions []evict.Decision[int32]) {
	for _, d := range decisions {
		m.notes.decide(m, &d)
		if !d.Reason.Evicts() {
			m.cancelled[d.Pod] = now.Sub(m.c.Start)
			continue
		}
		if at, twice := m.evicted[d.Pod]; twice {
			panic(fmt.Sprint("evicted already after ", at, ": ", d))
		}
		m.evicted[d.Pod] = d.Due.Sub(m.c.Start)
		m.queue.DeletePod(nil, now, d.Pod)
	}
}

// compare finds where a timeline says something else than the model.
func (m *model) compare(t rapid.TB, got *timeline.Timeline) {
	t.Helper()
	evicted, cancelled := map[int32]time.Duration{}, map[int32]time.Duration{}
	scheduled := map[int32]time.Duration{}
	for i, f := range got.Pods {
		switch f.Outcome {
		case timeline.Evicted:
			evicted[int32(i)] = f.At
		case timeline.Scheduled:
			scheduled[int32(i)] = f.Due
		case timeline.Cancelled:
			cancelled[int32(i)] = f.At
		}
	}
	wantScheduled := map[int32]time.Duration{}
	for d := range m.queue.Scheduled() {
		wantScheduled[d.Pod] = d.Due.Sub(m.c.Start)
	}
	for pod := range m.cancelled {
		_, gone := m.evicted[pod]
		_, again := wantScheduled[pod]
		if gone || again {
			delete(m.cancelled, pod)
		}
	}
	for _, x := range []struct {
		what      string
		want, got map[int32]time.Duration
	}{{"evicted", m.evicted, evicted}, {"cancelled", m.cancelled, cancelled}, {"scheduled", wantScheduled, scheduled}} {
		if diff := cmp.Diff(x.want, x.got); diff != "" {
			t.Fatalf("%s (-model +timeline):\n%s", x.what, diff)
		}
	}
	lost, tainted := map[string]time.Duration{}, map[string]time.Duration{}
	for i, n := range got.Nodes {
		if n.Lost != timeline.Never {
			lost[m.c.Nodes[i].Name] = n.Lost
		}
		if n.Tainted != timeline.Never {
			tainted[m.c.Nodes[i].Name] = n.Tainted
		}
	}
	if diff := cmp.Diff(m.lostAt, lost); diff != "" {
		t.Fatalf("lost (-model +timeline):\n%s", diff)
	}
	if diff := cmp.Diff(m.taintedAt, tainted); diff != "" {
		t.Fatalf("tainted (-model +timeline):\n%s", diff)
	}
	m.compareNotes(t, got)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// seconds draws a time of whole steps.
func seconds(t *rapid.T, from, to int, label string) time.Duration {
	return time.Duration(rapid.IntRange(from*10, to*10).Draw(t, label)) * step
}

// cluster draws a small cluster that ends within minutes.
func cluster(t *rapid.T) *timeline.Cluster {
	c := &timeline.Cluster{Start: epoch, Config: lifecycle.Defaults()}
	c.Config.GracePeriod = rapid.SampledFrom([]time.Duration{50 * time.Second, 12 * time.Second, 23 * time.Second}).Draw(t, "grace")
	c.Config.MonitorPeriod = rapid.SampledFrom([]time.Duration{5 * time.Second, 5 * time.Second, 3 * time.Second}).Draw(t, "period")
	c.Config.StartupGracePeriod = rapid.SampledFrom([]time.Duration{time.Minute, time.Minute, 12 * time.Second}).Draw(t, "startup")
	c.Config.Rate = rapid.SampledFrom([]float32{0.1, 0.5, 0.05, 0, 1, 20}).Draw(t, "rate")
	c.Config.SecondaryRate = rapid.SampledFrom([]float32{0.01, 0.1}).Draw(t, "secondary")
	c.Config.LargeZone = rapid.SampledFrom([]int{50, 3}).Draw(t, "large")
	c.Policy = rapid.SampledFrom([]match.EvictionPolicy{match.FirstMatch, match.FirstMatch, match.MostLenient, match.SinceAdded}).Draw(t, "policy")
	c.HeartbeatInterval = rapid.SampledFrom([]time.Duration{0, time.Second, 7 * time.Second, 12 * time.Second}).Draw(t, "interval")
	c.End = epoch.Add(seconds(t, 0, 400, "end"))
	for i := range rapid.IntRange(1, 6).Draw(t, "nodes") {
		c.Nodes = append(c.Nodes, node(t, i))
	}
	for i := range rapid.IntRange(0, 10).Draw(t, "pods") {
		c.Pods = append(c.Pods, timeline.Pod{Name: fmt.Sprint("pod-", i), Node: nodeName(t), Tolerations: tolerations(t)})
	}
	for range rapid.IntRange(0, 8).Draw(t, "silences") {
		s := timeline.Outage{Node: c.Nodes[rapid.IntRange(0, len(c.Nodes)-1).Draw(t, "silent")].Name}
		if rapid.IntRange(0, 3).Draw(t, "from") > 0 {
			s.From = epoch.Add(seconds(t, -20, 200, "from"))
		}
		if rapid.IntRange(0, 2).Draw(t, "until") > 0 {
			if s.Until = epoch.Add(seconds(t, -10, 300, "until")); !s.Until.After(s.From) {
				s.Until = s.From.Add(step)
			}
		}
		c.Outages = append(c.Outages, s)
	}
	return c
}

func nodeName(t *rapid.T) string { return fmt.Sprint("node-", rapid.IntRange(0, 6).Draw(t, "node")) }

func node(t *rapid.T, i int) timeline.Node {
	n := timeline.Node{Name: fmt.Sprint("node-", i)}
	n.State.Zone = rapid.SampledFrom([]string{"a", "a", "b"}).Draw(t, "zone")
	n.State.Excluded = rapid.IntRange(0, 9).Draw(t, "excluded") == 0
	if rapid.IntRange(0, 9).Draw(t, "beaten") > 0 {
		n.State.Heartbeat = epoch.Add(seconds(t, -70, 3, "heartbeat"))
	}
	n.State.Conditions = lifecycle.Healthy()
	switch rapid.IntRange(0, 9).Draw(t, "ready") {
	case 0:
		n.State.Conditions.Ready = lifecycle.False
	case 1:
		n.State.Conditions.Ready = lifecycle.Unknown
	case 2:
		n.State.Conditions = lifecycle.Conditions{}
		n.State.Created = epoch.Add(seconds(t, -70, 0, "created"))
	}
	for _, x := range []taint.Taint{
		{Key: taint.KeyUnreachable, Effect: taint.NoExecute}, {Key: taint.KeyNotReady, Effect: taint.NoExecute}, {Key: "own", Effect: taint.NoExecute},
		{Key: "own", Effect: taint.NoSchedule}, {Key: "own"}, {Key: taint.KeyUnreachable, Effect: taint.NoSchedule}, {Key: taint.KeyMemoryPressure, Effect: taint.NoSchedule},
	} {
		if rapid.IntRange(0, 5).Draw(t, "tainted") > 0 {
			continue
		}
		if rapid.Bool().Draw(t, "timed") {
			x.TimeAdded = &taint.Time{Time: epoch.Add(seconds(t, -100, 20, "added"))}
		}
		n.Taints = append(n.Taints, x)
	}
	return n
}

func tolerations(t *rapid.T) []toleration.Toleration {
	var list []toleration.Toleration
	for range rapid.IntRange(0, 3).Draw(t, "tolerations") {
		x := toleration.Toleration{Key: rapid.SampledFrom([]string{taint.KeyUnreachable, taint.KeyUnreachable, taint.KeyNotReady, "own", ""}).Draw(t, "key"),
			Operator: toleration.OpExists, Effect: taint.NoExecute}
		if rapid.IntRange(0, 3).Draw(t, "limited") > 0 {
			x.TolerationSeconds = ptr(int64(rapid.IntRange(0, 120).Draw(t, "seconds")))
		}
		list = append(list, x)
	}
	return list
}

// A timeline is what both controllers do, step by step (rules C1 to C5, E1 to E5).
func TestTimelineAgreesWithFineClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		agree(t, cluster(t))
	})
}

// The same clusters each time.
func TestTimelineAgreesOnSeeds(t *testing.T) {
	clusters := rapid.Custom(cluster)
	for seed := range 300 {
		agree(t, clusters.Example(seed))
		if t.Failed() {
			t.Fatal("seed ", seed)
		}
	}
}

func agree(t rapid.TB, c *timeline.Cluster) {
	t.Helper()
	got, err := timeline.Play(c)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t, c)
	m.run()
	m.compare(t, got)
}

package timeline_test

import (
	"cmp"
	"maps"
	"slices"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// notes are what the model writes down for the sake of comparing: events, counts at each
// step, and when the node of a pod was last lost and tainted as something was decided.
type notes struct {
	events    []timeline.Event
	samples   []timeline.Sample // one at each step from the start on
	cancels   int
	lastLost  map[string]time.Duration
	lastTaint map[string]time.Duration
	fates     map[int32][2]time.Duration // last lost, last tainted
}

// noExecute is the taints of the life-cycle controller that evict.
const noExecute = lifecycle.NotReadyNoExecute | lifecycle.UnreachableNoExecute

func evicting(list []taint.Taint) bool { return lifecycle.Of(list)&noExecute != 0 }

func (n *notes) begin(node *timeline.Node) {
	if n.lastLost == nil {
		n.lastLost, n.lastTaint, n.fates = map[string]time.Duration{}, map[string]time.Duration{}, map[int32][2]time.Duration{}
	}
	n.lastLost[node.Name], n.lastTaint[node.Name] = timeline.Never, timeline.Never
	if node.State.Conditions.Ready == lifecycle.Unknown {
		n.lastLost[node.Name] = 0
	}
	if evicting(node.Taints) {
		n.lastTaint[node.Name] = 0
	}
}

// note writes down an action before it is carried out.
func (n *notes) note(m *model, a *lifecycle.Action, started bool) {
	at := max(0, a.At.Sub(m.c.Start))
	add := func(kind timeline.Kind) {
		e := timeline.Event{At: at, Kind: kind, Node: -1, Zone: a.Zone}
		if a.Node != "" {
			e.Node = int32(slices.IndexFunc(m.c.Nodes, func(x timeline.Node) bool { return x.Name == a.Node }))
		}
		if kind == timeline.ZoneChanged {
			e.State = a.State
		}
		n.events = append(n.events, e)
	}
	switch {
	case a.Reason == lifecycle.StateChanged:
		if started {
			add(timeline.ZoneChanged)
		}
		return
	case a.Reason == lifecycle.Stopped:
		add(timeline.Stopped)
		return
	case a.Reason == lifecycle.Resumed:
		add(timeline.Resumed)
		return
	}
	switch lost := a.Conditions.Ready == lifecycle.Unknown; {
	case lost && !m.lost[a.Node]:
		n.lastLost[a.Node] = at
		add(timeline.Lost)
	case !lost && m.lost[a.Node]:
		add(timeline.Back)
	}
	before := m.taints[a.Node]
	switch {
	case a.Add&noExecute != 0:
		n.lastTaint[a.Node] = at
		add(timeline.Tainted)
	case evicting(before) && !evicting(a.Apply(nil, before)):
		add(timeline.Untainted)
	}
}

// decide writes down what a pod is told about its node.
func (n *notes) decide(m *model, d *evict.Decision[int32]) {
	n.cancels += count(!d.Reason.Evicts())
	n.fates[d.Pod] = [2]time.Duration{n.lastLost[d.Node], n.lastTaint[d.Node]}
}

// sample counts.
func (m *model) sample(now time.Time) {
	s := timeline.Sample{At: now.Sub(m.c.Start), Scheduled: m.queue.Pending(), Evicted: len(m.evicted), Cancelled: m.cancels}
	for _, x := range m.c.Nodes {
		s.Lost += count(m.lost[x.Name])
		s.Tainted += count(evicting(m.taints[x.Name]))
	}
	m.samples = append(m.samples, s)
}

// compareNotes finds where a timeline says something else of events, counts and fates.
func (m *model) compareNotes(t rapid.TB, got *timeline.Timeline) {
	t.Helper()
	if diff := gocmp.Diff(sortedEvents(m.events), sortedEvents(got.Events)); diff != "" {
		t.Fatalf("events (-model +timeline):\n%s", diff)
	}
	if !slices.IsSortedFunc(got.Events, func(a, b timeline.Event) int { return cmp.Compare(a.At, b.At) }) {
		t.Fatalf("events are not in the order of time: %+v", got.Events)
	}
	at := 0
	for _, want := range m.samples {
		for at+1 < len(got.Samples) && got.Samples[at+1].At <= want.At {
			at++
		}
		now := got.Samples[at]
		if now.At = want.At; now != want {
			t.Fatalf("after %v there are %+v; the model has %+v", want.At, now, want)
		}
	}
	if want := m.c.End.Sub(m.c.Start); got.End != want || at != len(got.Samples)-1 || got.Samples[0].At != 0 {
		t.Fatalf("the end is %v, want %v; samples %+v", got.End, want, got.Samples)
	}
	for i := range got.Samples[1:] {
		before, now := got.Samples[i], got.Samples[i+1]
		if now.At <= before.At {
			t.Fatalf("samples are not in the order of time: %+v", got.Samples)
		}
		if before.At = now.At; before == now {
			t.Fatalf("nothing changes after %v: %+v", now.At, got.Samples)
		}
	}
	byTime := func(i, j int32) int {
		return cmp.Or(cmp.Compare(m.evicted[i], m.evicted[j]), cmp.Compare(i, j))
	}
	if order := slices.SortedFunc(maps.Keys(m.evicted), byTime); !slices.Equal(order, got.Evicted) {
		t.Fatalf("evicted are %v, want %v", got.Evicted, order)
	}
	for i := range got.Pods {
		f := &got.Pods[i]
		node := slices.IndexFunc(m.c.Nodes, func(x timeline.Node) bool { return x.Name == m.c.Pods[i].Node })
		want := [2]time.Duration{timeline.Never, timeline.Never}
		if noted, decided := m.fates[int32(i)]; decided && (f.Outcome == timeline.Evicted || f.Outcome == timeline.Cancelled) {
			want = noted
		} else if node >= 0 {
			want = [2]time.Duration{m.lastLost[m.c.Nodes[node].Name], m.lastTaint[m.c.Nodes[node].Name]}
		}
		if int(f.Node) != node || f.Lost != want[0] || f.Tainted != want[1] {
			t.Fatalf("pod %d: node %d, want %d; lost %v, want %v; tainted %v, want %v", i, f.Node, node, f.Lost, want[0], f.Tainted, want[1])
		}
		if f.Reason == 0 && f.Outcome != m.stays(node) {
			t.Fatalf("pod %d is %v, want %v", i, f.Outcome, m.stays(node))
		}
	}
}

// stays is the outcome of a pod about which the queue of evictions never decided.
func (m *model) stays(node int) timeline.Outcome {
	if node < 0 {
		return timeline.Unaffected
	}
	name := m.c.Nodes[node].Name
	state, _ := m.lifecycle.Node(name)
	silent, silentAtEnd := false, false
	for now := m.c.Start; !now.After(m.c.End); now = now.Add(step) {
		silentAtEnd = m.silent(name, now)
		silent = silent || silentAtEnd && now.Before(m.c.End)
	}
	switch {
	case m.lastTaint[name] != timeline.Never:
		return timeline.Tolerated
	case silentAtEnd || state.Conditions.Ready == lifecycle.Unknown || state.Conditions.Ready == lifecycle.False:
		return timeline.Waiting
	case silent || m.lastLost[name] != timeline.Never:
		return timeline.BackInTime
	case slices.ContainsFunc(m.taints[name], func(x taint.Taint) bool { return x.Effect == taint.NoExecute }):
		return timeline.Tolerated
	}
	return timeline.Unaffected
}

// sortedEvents puts those of one time into an order that both sides have. No event at all
// is nil.
func sortedEvents(list []timeline.Event) []timeline.Event {
	return slices.SortedFunc(slices.Values(list), func(a, b timeline.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.State, b.State))
	})
}

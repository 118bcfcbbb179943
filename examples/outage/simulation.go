package main

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// start is the time at which every simulation starts.
var start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// simulation is a cluster with the two controllers: one taints nodes, and the
// other evicts pods.
type simulation struct {
	o          *options
	heartbeats heartbeats
	lifecycle  *lifecycle.Controller
	evictions  *evict.Queue[int32]
	nodes      []node
	byName     map[string]*node
	timeline   timeline
	counts     counts

	actions   []lifecycle.Action      // used again at every step
	decisions []evict.Decision[int32] // likewise
}

// node is a node of the simulation.
type node struct {
	name   string
	zone   int
	taints []taint.Taint
	lost   bool // its conditions are unknown
}

// counts is what the timeline shows.
type counts struct {
	lost, tainted      int // nodes
	scheduled          int // evictions, at the moment
	evicted, cancelled int // so far
}

func newSimulation(o *options) (*simulation, error) {
	c, err := lifecycle.New(o.config, start)
	if err != nil {
		return nil, err
	}
	s := &simulation{o: o, heartbeats: newHeartbeats(o), lifecycle: c, evictions: evict.New[int32](o.policy, toleration.Rules{}), byName: make(map[string]*node)}
	s.nodes = make([]node, o.zones*o.nodes)
	for i := range s.nodes {
		n := &s.nodes[i]
		n.zone = i % o.zones
		n.name = fmt.Sprintf("node-%s-%05d", zoneName(n.zone), i/o.zones)
		s.byName[n.name] = n
		s.actions = c.Set(s.actions, start, n.name, lifecycle.Node{
			Zone: zoneName(n.zone), Conditions: lifecycle.Healthy, Heartbeat: start, Created: start,
		})
		s.evictions.SetNode(nil, start, n.name, nil)
	}
	s.placePods()
	return s, nil
}

// zoneName returns "a", "b" and so on; the 27th zone is "aa".
func zoneName(zone int) string {
	name := string(rune('a' + zone%26))
	if zone >= 26 {
		return zoneName(zone/26-1) + name
	}
	return name
}

// The pods of a node, by their tolerations.
const (
	daemon = iota // the first one: no limit, as the DaemonSet controller sets it (rule A2)
	hasty         // the second one: -few-seconds
	others        // the rest: as admission sets it (rule A1)
)

// zoneNumber returns the number of the zone of that name.
func zoneNumber(name string) int {
	number := 0
	for _, letter := range name {
		number = number*26 + int(letter-'a') + 1
	}
	return number - 1
}

// placePods puts the pods on their nodes.
func (s *simulation) placePods() {
	seconds := func(n *int64) []toleration.Toleration {
		return admit.DefaultSeconds{NotReady: n, Unreachable: n}.Append(nil, nil)
	}
	lists := [...][]toleration.Toleration{daemon: admit.DaemonSet{}.Append(nil, nil), hasty: seconds(&s.o.few), others: seconds(&s.o.seconds)}
	for i := range s.nodes {
		for j := range s.o.pods {
			s.evictions.SetPod(nil, start, int32(i*s.o.pods+j), s.nodes[i].name, lists[min(j, others)])
		}
	}
}

// run plays everything up to the end. The steps of bar are nanoseconds.
func (s *simulation) run(bar *progress.Bar) {
	times := [2][]alive{s.o.first.alive(), s.o.others.alive()}
	h := s.heartbeats
	for begin := time.Duration(0); begin < s.o.end; begin += h.interval {
		bar.Add(int64(h.interval))
		wanted := [2]bool{h.wanted(times[0], begin), h.wanted(times[1], begin)}
		if wanted[0] || wanted[1] {
			s.beat(begin, times, wanted)
		}
	}
	s.advance(s.o.end + 1)
	s.timeline.sample(s.o.end, s.counts)
}

// beat plays the heartbeats of one interval, which the nodes have one after the
// other.
func (s *simulation) beat(begin time.Duration, times [2][]alive, wanted [2]bool) {
	for i := range s.nodes {
		n := &s.nodes[i]
		group := min(n.zone, 1)
		t := begin + s.o.interval*time.Duration(i)/time.Duration(len(s.nodes))
		if t >= s.o.end || !wanted[group] || !at(times[group], t) {
			continue
		}
		s.advance(t)
		now := start.Add(t)
		if n.lost { // a kubelet that is back says more than that it lives
			s.carryOut(s.lifecycle.Post(s.actions[:0], now, n.name, lifecycle.Healthy))
		} else {
			s.carryOut(s.lifecycle.Renew(s.actions[:0], now, n.name, now))
		}
	}
}

// advance plays what the controllers do before a time.
func (s *simulation) advance(before time.Duration) {
	for {
		next := before
		if t, ok := s.lifecycle.Next(); ok {
			next = min(next, t.Sub(start))
		}
		if t, ok := s.evictions.Next(); ok {
			next = min(next, t.Sub(start))
		}
		if next >= before {
			return
		}
		now := start.Add(next)
		s.carryOut(s.lifecycle.Advance(s.actions[:0], now))
		s.evict(s.evictions.Advance(s.decisions[:0], now))
		s.timeline.sample(next, s.counts)
	}
}

// carryOut does what the life-cycle controller has decided.
func (s *simulation) carryOut(actions []lifecycle.Action) {
	s.actions = actions
	for i := range actions {
		a := &actions[i]
		t := a.At.Sub(start)
		switch a.Reason {
		case lifecycle.StateChanged:
			if t > 0 { // at the start all are normal
				s.timeline.change(t, a.Zone, stateName(a.State))
			}
		case lifecycle.Stopped:
			s.timeline.event(t, "all zones are lost: taints come off, nothing is tainted")
		case lifecycle.Resumed:
			s.timeline.event(t, "some zone is back: grace periods start anew")
		default:
			s.change(s.byName[a.Node], a)
			s.timeline.sample(t, s.counts)
		}
	}
}

func stateName(state lifecycle.State) string {
	switch state {
	case lifecycle.FullDisruption:
		return "full disruption"
	case lifecycle.PartialDisruption:
		return "partial disruption"
	}
	return "normal"
}

// change gives a node its new conditions and taints.
func (s *simulation) change(n *node, a *lifecycle.Action) {
	s.counts.lost -= count(n.lost)
	s.counts.tainted -= count(lifecycle.Of(n.taints)&lifecycle.Evicting != 0)
	n.lost = a.Conditions.Ready == lifecycle.Unknown
	n.taints = a.Apply(n.taints[:0], n.taints)
	s.counts.lost += count(n.lost)
	s.counts.tainted += count(lifecycle.Of(n.taints)&lifecycle.Evicting != 0)
	s.evict(s.evictions.SetNode(s.decisions[:0], a.At, n.name, n.taints))
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// evict does what the queue of evictions has decided: a pod that is evicted is
// gone.
func (s *simulation) evict(decisions []evict.Decision[int32]) {
	s.decisions = decisions
	for i := range decisions {
		if !decisions[i].Reason.Evicts() {
			s.counts.cancelled++
			continue
		}
		s.counts.evicted++
		s.evictions.DeletePod(nil, decisions[i].Due, decisions[i].Pod)
	}
	s.counts.scheduled = s.evictions.Pending()
}

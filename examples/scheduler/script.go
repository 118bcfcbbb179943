package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/taint"
)

// handler is a scheduler as the events see it.
type handler interface {
	advance(by time.Duration)
	setNode(spec *nodeSpec)
	deleteNode(name string)
	addPod(spec *podSpec)
	deletePod(name string)
}

// event is one thing that happens to the cluster. Other schedulers can get the same.
type event struct {
	wait time.Duration // since the event before
	text string
	do   func(h handler)
}

// tell passes the event on to a scheduler.
func (e *event) tell(h handler) {
	if e.wait > 0 {
		h.advance(e.wait)
	}
	e.do(h)
}

func setNode(n nodeSpec) event {
	return event{0, n.name + ": " + cmp.Or(taint.FormatList(n.allTaints()), "no taints"), func(h handler) { h.setNode(&n) }}
}

func deleteNode(name string) event {
	return event{0, name + " is gone", func(h handler) { h.deleteNode(name) }}
}

func addPod(p podSpec) event { return event{0, p.name + " is new", func(h handler) { h.addPod(&p) }} }

func deletePod(name string) event {
	return event{0, name + " is done", func(h handler) { h.deletePod(name) }}
}

// script is the story of a cluster, made from a seed: its nodes and pods are
// those of scenario "pools", and have sizes besides.
type script struct {
	random *rand.Rand
	source *scenario.Cluster // of nodes and pods to come; used up from the front
	nodes  []nodeSpec        // those that there are, as they are when they are well
	sick   map[string]bool   // those of them that are not
	pods   []string          // those that there are
	size   int64             // of the smallest pods, in millicores
}

func newScript(o *options) *script {
	return &script{
		random: rand.New(rand.NewPCG(o.seed, 1)),
		source: scenario.Pools(o.seed, o.nodes+o.events, o.pods+o.events),
		sick:   make(map[string]bool),
		// So that the pods request about two thirds of the capacity.
		size: max(1, 650*meanCores*int64(o.nodes)/(meanSize*int64(max(1, o.pods)))),
	}
}

// begin returns the events that make the cluster.
func (s *script) begin(nodes, pods int) []event {
	var events []event
	for range nodes {
		events = append(events, s.newNode())
	}
	for range pods {
		events = append(events, s.newPod())
	}
	return events
}

// next returns an event in the life of the cluster.
func (s *script) next() event {
	e := s.draw()
	e.wait = time.Duration(s.random.IntN(30)) * time.Second
	return e
}

func (s *script) draw() event {
	switch draw := s.random.IntN(100); {
	case len(s.nodes) == 0 || draw < 3:
		return s.newNode()
	case draw < 6:
		i := s.random.IntN(len(s.nodes))
		gone := s.nodes[i].name
		s.nodes = slices.Delete(s.nodes, i, i+1)
		delete(s.sick, gone)
		return deleteNode(gone)
	case draw < 40:
		return s.nodeEvent()
	case len(s.pods) == 0 || draw < 70:
		return s.newPod()
	}
	i := s.random.IntN(len(s.pods))
	done := s.pods[i]
	s.pods = slices.Delete(s.pods, i, i+1)
	return deletePod(done)
}

// nodeEvent makes a well node sick or a sick one well. A sick node that is drawn always recovers and
// a well one seldom falls sick, so that about a tenth are.
func (s *script) nodeEvent() event {
	n := s.nodes[s.random.IntN(len(s.nodes))]
	switch {
	case s.sick[n.name]:
		delete(s.sick, n.name)
	case s.random.IntN(9) == 0:
		s.sick[n.name] = true
		s.befall(&n)
	default:
		return s.nodeEvent()
	}
	return setNode(n)
}

// troubles are what befalls nodes, besides a cordon.
var troubles = [...][]taint.Taint{
	{{Key: taint.KeyNotReady, Effect: taint.NoSchedule}, {Key: taint.KeyNotReady, Effect: taint.NoExecute}},
	{{Key: taint.KeyUnreachable, Effect: taint.NoSchedule}, {Key: taint.KeyUnreachable, Effect: taint.NoExecute}},
	{{Key: taint.KeyMemoryPressure, Effect: taint.NoSchedule}},
	{{Key: "example.com/maintenance", Effect: taint.NoExecute}},
	{{Key: taint.KeyDeletionCandidate, Value: "1790000000", Effect: taint.PreferNoSchedule}},
}

// befall gives a node a trouble. Its taints are shared, and not written to.
func (s *script) befall(n *nodeSpec) {
	i := s.random.IntN(len(troubles) + 1)
	if i == len(troubles) {
		n.cordoned = true
		return
	}
	n.taints = slices.Concat(n.taints, taint.Difference(nil, troubles[i], n.taints))
}

const (
	meanCores = 30 // of the sizes below
	meanSize  = 2
)

func (s *script) newNode() event {
	made := s.source.Nodes[0]
	s.source.Nodes = s.source.Nodes[1:]
	cores := int64(8 << s.random.IntN(4))
	n := nodeSpec{name: made.Name, taints: made.Taints, capacity: 1000 * cores}
	s.nodes = append(s.nodes, n)
	return setNode(n)
}

func (s *script) newPod() event {
	made := s.source.Pods[0]
	s.source.Pods = s.source.Pods[1:]
	cpu := s.size * []int64{1, 1, 2, 4}[s.random.IntN(4)]
	p := podSpec{made.Name, made.Tolerations, cpu}
	s.pods = append(s.pods, p.name)
	return addPod(p)
}

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// naive is a scheduler that asks package match about each pod and node, adds up
// what the pods on a node request whenever it wants to know, and tries all pending
// pods after every event.
type naive struct {
	nodes []*naiveNode // in the order in which they came
	pods  []*naivePod  // in their turn
	clock time.Duration

	wakeAll, evicted, timedOut, displaced int
}

type naiveNode struct {
	nodeSpec
	all []taint.Taint // with the cordon
}

type naivePod struct {
	podSpec
	on     *naiveNode
	tried  bool
	leaves *time.Duration
	since  time.Duration // when that was decided
}

func (s *naive) setNode(spec *nodeSpec) {
	i := slices.IndexFunc(s.nodes, func(n *naiveNode) bool { return n.name == spec.name })
	if i < 0 {
		i = len(s.nodes)
		s.nodes = append(s.nodes, &naiveNode{})
	}
	n := s.nodes[i]
	n.nodeSpec, n.all = *spec, nil
	cordon := taint.MustParse("node.kubernetes.io/unschedulable:NoSchedule")
	if spec.cordoned && !slices.ContainsFunc(spec.taints, func(t taint.Taint) bool { return t.Key == cordon.Key && t.Effect == cordon.Effect && t.Value == "" }) {
		n.all = append(n.all, cordon)
	}
	n.all = append(n.all, spec.taints...)
	for _, p := range slices.Clone(s.pods) {
		if p.on != n {
			continue
		}
		_, driven := match.FirstUntolerated(n.all, p.tolerations, taint.Evicting)
		over := p.leaves != nil && *p.leaves <= s.clock // it has to leave, even if that changes
		if !driven && !over {
			s.limit(p)
			over = p.leaves != nil && *p.leaves <= s.clock
		}
		if driven || over {
			s.again(p)
			s.evicted++
		}
	}
	s.wakeEverybody()
}

func (s *naive) deleteNode(name string) {
	i := slices.IndexFunc(s.nodes, func(n *naiveNode) bool { return n.name == name })
	if i < 0 {
		return
	}
	for _, p := range slices.Clone(s.pods) {
		if p.on == s.nodes[i] {
			s.again(p)
			s.displaced++
		}
	}
	s.nodes = slices.Delete(s.nodes, i, i+1)
	s.tryEverybody()
}

func (s *naive) addPod(spec *podSpec) {
	if s.find(spec.name) == nil {
		p := &naivePod{podSpec: *spec}
		p.tolerations = toleration.Rules{}.Active(nil, spec.tolerations) // rule N4
		s.pods = append(s.pods, p)
		s.tryEverybody()
	}
}

func (s *naive) deletePod(name string) {
	p := s.find(name)
	if p == nil {
		return
	}
	s.pods = slices.DeleteFunc(s.pods, func(other *naivePod) bool { return other == p })
	if p.on != nil {
		s.wakeEverybody()
	}
}

func (s *naive) advance(by time.Duration) {
	s.clock += by
	var due []*naivePod
	for _, p := range s.pods {
		if p.leaves != nil && *p.leaves <= s.clock {
			due = append(due, p)
		}
	}
	slices.SortStableFunc(due, func(a, b *naivePod) int { return cmp.Compare(*a.leaves, *b.leaves) })
	left := make(map[*naiveNode]bool)
	for _, first := range slices.Clone(due) {
		n := first.on
		if left[n] || !slices.Contains(due, first) {
			continue
		}
		left[n] = true
		var rest []*naivePod
		for _, p := range due {
			if p.on == n {
				s.again(p)
				s.timedOut++
			} else {
				rest = append(rest, p)
			}
		}
		due = rest
		s.wakeEverybody()
	}
}

func (s *naive) find(name string) *naivePod {
	for _, p := range s.pods {
		if p.name == name {
			return p
		}
	}
	return nil
}

// again makes a pod pending, as the last in turn.
func (s *naive) again(p *naivePod) {
	s.pods = slices.DeleteFunc(s.pods, func(other *naivePod) bool { return other == p })
	s.pods = append(s.pods, &naivePod{podSpec: p.podSpec})
}

// limit sets when a pod has to leave. What was decided at an earlier moment is kept
// until nothing limits the pod any more (rule E5).
func (s *naive) limit(p *naivePod) {
	after, limited := match.EvictionDelay(p.on.all, p.tolerations)
	if !limited {
		p.leaves = nil
	} else if p.leaves == nil || p.since == s.clock {
		at := time.Duration(math.MaxInt64 - 1) // the end of time for package evict
		if after <= at-s.clock {
			at = s.clock + after
		}
		p.leaves, p.since = &at, s.clock
	}
}

func (s *naive) wakeEverybody() {
	for _, p := range s.pods {
		if p.on == nil && p.tried {
			s.wakeAll++
		}
	}
	s.tryEverybody()
}

func (s *naive) tryEverybody() {
	for _, p := range s.pods {
		if p.on == nil {
			p.tried = true
			if p.on = s.best(p); p.on != nil {
				s.limit(p)
			}
		}
	}
}

// room returns what is left of a node.
func (s *naive) room(n *naiveNode) int64 {
	room := n.capacity
	for _, p := range s.pods {
		if p.on == n {
			room -= p.request
		}
	}
	return room
}

func (s *naive) best(p *naivePod) (best *naiveNode) {
	var able []*naiveNode
	var soft, most int64
	for _, n := range s.nodes {
		_, refused := match.FirstUntolerated(n.all, p.tolerations, taint.Hard)
		if !refused && p.request <= s.room(n) {
			able = append(able, n)
			soft = max(soft, match.CountUntolerated(n.all, p.tolerations, taint.Soft))
		}
	}
	for _, n := range able {
		points := int64(100)
		if soft > 0 {
			points -= 100 * match.CountUntolerated(n.all, p.tolerations, taint.Soft) / soft
		}
		var empty int64
		if n.capacity > 0 {
			empty = (s.room(n) - p.request) * 100 / n.capacity
		}
		if points = 3*points + empty; best == nil || points > most {
			best, most = n, points
		}
	}
	return best
}

// reasons returns why the nodes do not take a pending pod.
func (s *naive) reasons(p *naivePod) map[string]int {
	reasons := make(map[string]int)
	for _, n := range s.nodes {
		if i, refused := match.FirstUntolerated(n.all, p.tolerations, taint.Hard); refused {
			reasons[fmt.Sprintf("node(s) had untolerated taint {%s: %s}", n.all[i].Key, n.all[i].Value)]++
			continue
		}
		if p.request > s.room(n) {
			reasons["Insufficient cpu"]++
		}
	}
	return reasons
}

package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match/evict"
)

// Package evict decides when pods have to leave their nodes. This file carries out
// its decisions. Cancelled evictions need no action.

// epoch is the time at which the scheduler's clock is zero.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func (s *scheduler) now() time.Time { return epoch.Add(s.clock) }

// decided notes the pods that have to leave. It reuses the slice.
func (s *scheduler) decided(decisions []evict.Decision[*pod]) {
	s.decisions = decisions[:0]
	for i := range decisions {
		d := &decisions[i]
		if d.Reason.Evicts() && !d.Pod.leaving {
			d.Pod.leaving, d.Pod.due = true, d.Due
			s.leaving = append(s.leaving, d.Pod)
		}
	}
}

// takeOff takes those of the pods that are on a node off it, makes them active,
// and returns the others.
func (s *scheduler) takeOff(n *node, pods []*pod) (others []*pod) {
	var going []*pod
	for _, p := range pods {
		if p.node == n {
			going = append(going, p)
		} else {
			others = append(others, p)
		}
	}
	slices.SortFunc(going, byDue)
	for _, p := range going {
		s.release(p)
		s.requeue(p)
	}
	return others
}

// stay forgets that a pod has to leave, if it had to.
func (s *scheduler) stay(p *pod) {
	if p.leaving {
		p.leaving = false
		s.leaving = slices.DeleteFunc(s.leaving, func(other *pod) bool { return other == p })
	}
}

func byDue(a, b *pod) int { return cmp.Or(a.due.Compare(b.due), byNumber(a, b)) }

// inTurn returns the pods of a node in the order of the queue.
func (n *node) inTurn() []*pod {
	pods := make([]*pod, 0, len(n.pods))
	for p := range n.pods {
		pods = append(pods, p)
	}
	slices.SortFunc(pods, byNumber)
	return pods
}

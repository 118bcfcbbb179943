package main

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// What a scheduler is told by its informers, and the time that goes by.

// setNode is told that a node is new, or has changed.
func (s *scheduler) setNode(spec *nodeSpec) {
	taints := slices.Clone(spec.allTaints()) // an informer's objects are not ours
	if n := s.cache.byName[spec.name]; n != nil {
		s.updateNode(n, taints, spec.capacity)
	} else {
		n = s.cache.set(spec.name, taints, spec.capacity)
		s.groups.NodeAdded(&s.change, taints)
		s.wake(s.change.NowFit(), n)
	}
	s.run()
}

// updateNode makes pods leave that have to, and wakes those that may come: whom
// the taints kept out before, and if there is more room, whom they let in.
func (s *scheduler) updateNode(n *node, taints []taint.Taint, capacity resources) {
	roomier := !n.capacity.covers(capacity)
	s.groups.NodeUpdated(&s.change, n.taints, taints)
	s.cache.set(n.name, taints, capacity)
	if s.evict(n) > 0 || roomier {
		s.groups.NodeAdded(&s.change, taints) // as if it were new
	}
	s.wake(s.change.NowFit(), n)
}

// deleteNode is told that a node is gone. Its pods are made anew elsewhere. That
// helps nobody who waits.
func (s *scheduler) deleteNode(name string) {
	n := s.cache.byName[name]
	if n == nil {
		return
	}
	for _, p := range n.inTurn() {
		s.release(p)
		s.requeue(p)
		s.counts.displaced++
	}
	s.cache.delete(n)
	s.run()
}

// addPod is told that there is a new pod. Names are told apart: a second pod of
// the same name is the same, and changes nothing.
func (s *scheduler) addPod(spec *podSpec) {
	if s.pods[spec.name] != nil {
		return
	}
	p := &pod{podSpec: *spec, class: s.groups.Add(spec.tolerations)}
	s.pods[spec.name] = p
	s.requeue(p)
	s.run()
}

// deletePod is told that a pod has finished, or is not wanted any more.
func (s *scheduler) deletePod(name string) {
	p := s.pods[name]
	if p == nil {
		return
	}
	delete(s.pods, name)
	if n := p.node; n != nil {
		s.release(p)
		s.forget(p)
		s.wake(s.fitting(n), n)
	} else {
		s.queue.remove(p)
		s.forget(p)
	}
	s.run()
}

// forget takes a pod out of its class.
func (s *scheduler) forget(p *pod) {
	if s.groups.Remove(p.class); s.groups.Count(p.class) == 0 {
		s.cache.forget(p.class)
	}
}

// advance lets time go by. Pods whose time on their node is over are evicted,
// node by node, and the room that they leave is given away before the next.
func (s *scheduler) advance(by time.Duration) {
	s.clock = saturate(s.clock, by)
	for due := s.timers.due(s.clock); len(due) > 0; {
		n := due[0].node
		due = slices.DeleteFunc(due, func(p *pod) bool {
			if p.node != n {
				return false
			}
			s.release(p)
			s.requeue(p)
			s.counts.timedOut++
			return true
		})
		s.wake(s.fitting(n), n)
		s.run()
	}
}

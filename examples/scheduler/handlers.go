package main

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// What a scheduler learns from its informers and from the clock.

// setNode handles a node that is new or has changed.
func (s *scheduler) setNode(spec *nodeSpec) {
	taints := spec.allTaints()
	if n := s.cache.byName[spec.name]; n != nil {
		s.updateNode(n, taints, spec.capacity)
	} else {
		n = s.cache.set(spec.name, taints, spec.capacity)
		s.decided(s.evictions.SetNode(s.decisions, s.now(), spec.name, taints))
		s.groups.NodeAdded(&s.change, taints)
		s.wake(s.change.NowFit(), n)
	}
	s.run()
}

// updateNode evicts pods, and wakes those that may come: pods that the taints kept
// out before and, if there is more room, all that they let in.
func (s *scheduler) updateNode(n *node, taints []taint.Taint, capacity int64) {
	roomier := capacity > n.capacity
	s.groups.NodeUpdated(&s.change, n.taints, taints)
	s.cache.set(n.name, taints, capacity)
	s.decided(s.evictions.SetNode(s.decisions, s.now(), n.name, taints))
	running := len(n.pods)
	s.takeOff(n, s.leaving)
	evicted := running - len(n.pods)
	s.counts.evicted += evicted
	if evicted > 0 || roomier {
		s.groups.NodeAdded(&s.change, taints) // as if it were new
	}
	s.wake(s.change.NowFit(), n)
}

// deleteNode handles a node that is gone. Its pods become pending. That helps no
// waiting pod.
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
	s.decided(s.evictions.DeleteNode(s.decisions, s.now(), name))
	s.cache.delete(n)
	s.run()
}

// addPod handles a new pod. A second pod of the same name is the
// same pod, and changes nothing.
func (s *scheduler) addPod(spec *podSpec) {
	if s.pods[spec.name] != nil {
		return
	}
	p := &pod{podSpec: *spec, class: s.groups.Add(spec.tolerations)}
	s.pods[spec.name] = p
	s.requeue(p)
	s.run()
}

// deletePod handles a pod that has finished or is no longer wanted.
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

// advance moves the clock on. Pods whose time on their node is over are evicted,
// node by node, and the room that they leave is given to others before the next
// node.
func (s *scheduler) advance(by time.Duration) {
	s.clock += by
	s.decided(s.evictions.Advance(s.decisions, s.now()))
	due := s.leaving
	s.leaving = nil // pods that are bound meanwhile may have to leave the next time
	for len(due) > 0 {
		n, before := slices.MinFunc(due, byDue).node, len(due)
		due = s.takeOff(n, due)
		s.counts.timedOut += before - len(due)
		s.wake(s.fitting(n), n)
		s.run()
	}
}

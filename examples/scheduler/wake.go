package main

import (
	"iter"

	"github.com/tolero-dev/tolero/compile/index"
)

// A waiting pod fitted no node. It can fit now only if a node improved, and only
// that node. So a change wakes the pods that the node's taints let in and that it
// has room for, as many as fit together, and no others: none is woken in vain.

// wake wakes pods of the given classes for a node that lets them in. Each change
// calls it once, and then runs the scheduler.
func (s *scheduler) wake(classes iter.Seq[index.PodClass], n *node) {
	s.counts.wakeAll += s.queue.length
	s.counts.wakeUps += s.queue.wake(classes, n.free())
}

// fitting iterates over the classes of waiting pods that a node with unchanged
// taints lets in. The answers are there already.
func (s *scheduler) fitting(n *node) iter.Seq[index.PodClass] {
	return func(yield func(index.PodClass) bool) {
		for class := range s.queue.waiting {
			fit := s.fit(class) // first: it is what asks for the class of the node
			if fit.HasClass(n.class) && !yield(class) {
				return
			}
		}
	}
}

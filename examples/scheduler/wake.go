package main

import (
	"iter"

	"github.com/tolero-dev/tolero/compile/index"
)

// A pod that waits fitted no node. It may fit now only if something about a node
// got better, and then only that node. So a change wakes the pods whose class the
// node's taints let in and for which it has room, as many as go in together, and
// nobody else: none is woken in vain.

// wake wakes pods of the given classes for a node that lets them in. Each change
// calls it once, and runs the scheduler before the next.
func (s *scheduler) wake(classes iter.Seq[index.PodClass], n *node) {
	s.counts.wakeAll += s.queue.length
	s.counts.wakeUps += s.queue.wake(classes, n.free())
}

// fitting iterates over the classes with waiting pods that a node lets in whose
// taints did not change: a question to answers that are there already.
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

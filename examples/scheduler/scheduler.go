package main

import (
	"time"

	"github.com/tolero-dev/tolero/compile/index"
)

// scheduler binds pods to nodes. It is told what happens to both, one thing after
// the other, and after each its queue has no pod left to try.
type scheduler struct {
	cache  *cache
	queue  *queue
	pods   map[string]*pod
	groups index.Pods // all pods, by toleration list
	timers timers
	clock  time.Duration
	turns  int // how many numbers pods were given
	counts counts

	change     index.Change // buffers
	candidates []*node
	scores     []int64
}

// counts is what the scheduler did so far.
type counts struct {
	attempts  int // to find a node for a pod
	wakeUps   int // of pods that waited
	vain      int // of these: the attempt failed again
	wakeAll   int // how many there were if each change woke all that wait
	evicted   int // at once, for an untolerated taint
	timedOut  int // after the time for which the pod tolerated one
	displaced int // because the node was deleted
}

func newScheduler() *scheduler {
	return &scheduler{cache: newCache(), queue: newQueue(), pods: make(map[string]*pod)}
}

// fit returns where pods of a class may be scheduled for the taints' sake.
func (s *scheduler) fit(class index.PodClass) *index.Fit { return s.cache.fit(&s.groups, class) }

// run tries the active pods in their turn. Binding a pod frees nothing, so none
// has to be tried twice.
func (s *scheduler) run() {
	for _, p := range s.queue.drain() {
		s.counts.attempts++
		if n := s.choose(p); n != nil {
			s.bind(p, n)
		} else {
			if p.woken {
				s.counts.vain++
			}
			s.queue.park(p)
		}
		p.woken = false
	}
}

// bind gives a pod its node. If it tolerates a taint there for a time only, that
// begins now (rule E4).
func (s *scheduler) bind(p *pod, n *node) {
	p.node = n
	n.pods[p] = struct{}{}
	n.used = n.used.plus(p.request)
	s.limit(p)
}

// release takes a pod off its node.
func (s *scheduler) release(p *pod) {
	s.timers.cancel(p)
	delete(p.node.pods, p)
	p.node.used = p.node.used.minus(p.request)
	p.node = nil
}

// requeue makes a pod active, as the last in turn.
func (s *scheduler) requeue(p *pod) {
	s.turns++
	p.number = s.turns
	s.queue.push(p)
}

package main

import (
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/toleration"
)

// scheduler binds pods to nodes. It handles one event after the other, and after
// each its queue has no pod left to try.
type scheduler struct {
	cache  *cache
	queue  *queue
	pods   map[string]*pod
	groups *index.Pods // all pods, by toleration list
	clock  time.Duration
	turns  int // how many numbers pods were given
	counts counts

	evictions *evict.Queue[*pod]
	leaving   []*pod // that have to leave their nodes and have not done so yet

	change     index.Impact // buffers
	decisions  []evict.Decision[*pod]
	candidates []*node
	scores     []int64
}

// counts is what the scheduler did so far.
type counts struct {
	attempts  int // to find a node for a pod
	wakeUps   int // of pods that waited
	vain      int // those of them whose attempt failed again
	wakeAll   int // how many there would be if each change woke all that wait
	evicted   int // when their node got a taint
	timedOut  int // when the time was over for which they tolerated one
	displaced int // because the node was deleted
}

func newScheduler() *scheduler {
	var rules toleration.Rules // those of a default cluster
	s := &scheduler{cache: newCache(rules), queue: newQueue(), pods: make(map[string]*pod), groups: index.NewPods(rules)}
	s.evictions = evict.New[*pod](match.FirstMatch, rules)
	s.decided(s.evictions.Advance(nil, s.now())) // its clock starts with ours
	return s
}

// fit returns where pods of a class may be scheduled as far as taints decide.
func (s *scheduler) fit(class index.PodClass) *index.Fit { return s.cache.fit(s.groups, class) }

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

// bind gives a pod its node. If it tolerates a taint there for a limited time,
// that time begins now (rule E4). If that time is zero, the pod leaves when the
// clock moves on.
func (s *scheduler) bind(p *pod, n *node) {
	p.node = n
	n.pods[p] = struct{}{}
	n.used += p.request
	s.decided(s.evictions.SetPod(s.decisions, s.now(), p, n.name, p.tolerations))
}

// release takes a pod off its node.
func (s *scheduler) release(p *pod) {
	s.decided(s.evictions.DeletePod(s.decisions, s.now(), p))
	s.stay(p)
	delete(p.node.pods, p)
	p.node.used -= p.request
	p.node = nil
}

// requeue makes a pod active, as the last in turn.
func (s *scheduler) requeue(p *pod) {
	s.turns++
	p.number = s.turns
	s.queue.push(p)
}

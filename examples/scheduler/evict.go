package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// evict takes the pods off a node that its new taints drive away, and makes them
// active. For the others it looks anew at how long they may stay. The change has
// to be the one of the node.
func (s *scheduler) evict(n *node) (evicted int) {
	leave := make(map[index.PodClass]bool)
	for class := range s.change.MustLeave() {
		leave[class] = true
	}
	for _, p := range n.inTurn() {
		if leave[p.class] {
			s.release(p)
			s.requeue(p)
			evicted++
		} else {
			s.limit(p)
		}
	}
	s.counts.evicted += evicted
	return evicted
}

// limit lets a pod go after the time for which it tolerates the NoExecute taints
// of its node (rule E2). If it counts already, it goes on counting, even if that
// time has changed (rule E5).
func (s *scheduler) limit(p *pod) {
	var after time.Duration
	limited := false
	if hasNoExecute(p.node.taints) {
		fit := s.fit(p.class) // first: it is what asks for the class of the node
		after, limited = fit.EvictionDelay(p.node.class)
	}
	if !limited {
		s.timers.cancel(p)
	} else if !p.limited {
		s.timers.start(p, saturate(s.clock, after))
	}
}

// saturate returns a + b, or the latest time if that is later.
func saturate(a, b time.Duration) time.Duration {
	if sum := a + b; sum >= a {
		return sum
	}
	return 1<<63 - 1
}

func hasNoExecute(taints []taint.Taint) bool {
	return slices.ContainsFunc(taints, func(t taint.Taint) bool { return t.Effect == taint.NoExecute })
}

// inTurn returns the pods of a node in the order of the queue.
func (n *node) inTurn() []*pod {
	pods := make([]*pod, 0, len(n.pods))
	for p := range n.pods {
		pods = append(pods, p)
	}
	slices.SortFunc(pods, byNumber)
	return pods
}

// timers is the pods that may stay for a time only, the first to go in front.
type timers []*pod

func byTime(a, b *pod) int {
	return cmp.Or(cmp.Compare(a.leaves, b.leaves), byNumber(a, b))
}

func (t *timers) start(p *pod, leaves time.Duration) {
	p.limited, p.leaves = true, leaves
	i, _ := slices.BinarySearchFunc(*t, p, byTime)
	*t = slices.Insert(*t, i, p)
}

// cancel lets a pod stay. It may be one that is not limited.
func (t *timers) cancel(p *pod) {
	if i, found := slices.BinarySearchFunc(*t, p, byTime); found {
		*t = slices.Delete(*t, i, i+1)
	}
	p.limited = false
}

// due returns the pods whose time is over, the first to go in front.
func (t *timers) due(now time.Duration) []*pod {
	n := 0
	for n < len(*t) && (*t)[n].leaves <= now {
		n++
	}
	return slices.Clone((*t)[:n])
}

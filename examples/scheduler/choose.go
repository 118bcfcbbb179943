package main

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// The weights that kube-scheduler gives the two scores by default.
const (
	taintWeight    = 3
	resourceWeight = 1
)

// choose returns the best node for a pod, or nil if there is none: filter, then
// score, and of equal nodes the one that came first.
func (s *scheduler) choose(p *pod) (best *node) {
	fit := s.fit(p.class)
	s.filter(fit, p.request)
	s.score(fit, p.request)
	most := int64(-1)
	for i, n := range s.candidates {
		if score := s.scores[i]; score > most || score == most && n.number < best.number {
			best, most = n, score
		}
	}
	return best
}

// filter finds the nodes whose taints let the pod in and that have room for it.
func (s *scheduler) filter(fit *index.Fit, request int64) {
	s.candidates = s.candidates[:0]
	for id := range fit.Nodes() {
		if n := s.cache.byNumber[id.Number()]; request <= n.free() {
			s.candidates = append(s.candidates, n)
		}
	}
}

// score gives each candidate points: more for fewer untolerated soft taints (rule
// F4), and more for more free room.
func (s *scheduler) score(fit *index.Fit, request int64) {
	s.scores = s.scores[:0]
	for _, n := range s.candidates {
		s.scores = append(s.scores, fit.CountUntolerated(n.class, taint.Soft))
	}
	match.NormalizeScores(s.scores)
	for i, n := range s.candidates {
		s.scores[i] = taintWeight*s.scores[i] + resourceWeight*leastAllocated(n, request)
	}
}

// leastAllocated returns 100 points for an empty node and none for one that the
// pod would fill.
func leastAllocated(n *node, request int64) int64 {
	if n.capacity <= 0 {
		return 0
	}
	return 100 * (n.free() - request) / n.capacity
}

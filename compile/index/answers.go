package index

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// Class stands for all nodes with the same taints in the same order. A scheduler
// with a node cache of its own asks for the class of a node once, when it gets the
// [NodeID], and tests pods with [Fit.HasClass]: as long as a node has its ID, it has
// its class, in every snapshot that has the node.
//
// A Class is a plain value that may be compared with ==, and retains nothing. Once no
// node has it, it is stale: no later class is equal to it, and a snapshot says that it
// does not have it, [Snapshot.HasClass]. A Fit answers for a class that its snapshot does
// not have as for no node. The zero Class is that of no node.
type Class struct {
	list  uint32 // its position, plus one
	stamp uint64
}

// Number returns a small number for the class. No two classes of one snapshot have the same
// number. Once a class is stale, another may get its number. The number of the zero Class
// is zero, and no other class has it.
func (c Class) Number() int { return int(c.list) }

// Class returns the class of a node, and the zero Class if the node is not in the
// snapshot.
func (s *Snapshot) Class(id NodeID) Class {
	if !s.Has(id) {
		return Class{}
	}
	return s.class(s.nodes.At(id.number).list)
}

// class returns the class of a list.
func (s *Snapshot) class(position uint32) Class {
	return Class{position + 1, s.lists.At(position).stamp}
}

// list returns the list of a class, or nil if the snapshot does not have it.
func (s *Snapshot) list(c Class) *list {
	if c.list == 0 || int(c.list) > s.lists.Len() {
		return nil
	}
	if l := s.lists.At(c.list - 1); l.stamp == c.stamp {
		return l
	}
	return nil
}

// list returns the list of a class, or nil.
func (f *Fit) listOf(c Class) *list {
	if f.snapshot == nil {
		return nil
	}
	return f.snapshot.list(c)
}

// HasClass reports whether the nodes of a class fit. It takes about two nanoseconds. A
// class that the snapshot does not have does not fit.
func (f *Fit) HasClass(c Class) bool {
	l := f.listOf(c)
	return l != nil && f.fits(l)
}

// FirstUntolerated returns what match.FirstUntolerated does for the nodes of a class:
// the first of their taints with one of the effects, in the order of the node, that is
// left untolerated (rule F3), and whether there is one. With taint.Hard, that is what
// keeps the pod away; with taint.AllEffects, false says that the list tolerates every
// taint. The result has no TimeAdded. For a class that the snapshot does not have it
// returns false.
func (f *Fit) FirstUntolerated(c Class, effects taint.EffectSet) (t taint.Taint, ok bool) {
	l := f.listOf(c)
	if l == nil || effects&^taint.Hard == 0 && f.fits(l) {
		return taint.Taint{}, false
	}
	if i, ok := f.matcher.FirstUntolerated(l.elements, effects); ok {
		return f.snapshot.taintOf(l.elements[i]), true
	}
	return taint.Taint{}, false
}

// CountUntolerated returns how many taints of the nodes of a class, with one of the
// effects, are left untolerated: with taint.Soft it is what kube-scheduler scores by
// (rule F4), and fewer is better. [Fit.AppendScores] gives scores from 0 to 100. For a
// class that the snapshot does not have it returns zero.
func (f *Fit) CountUntolerated(c Class, effects taint.EffectSet) (count int64) {
	if l := f.listOf(c); l != nil {
		count = f.matcher.CountUntolerated(l.elements, effects)
	}
	return count
}

// AppendScores appends to dst the score of each of the candidate nodes, from 0 to
// 100 and more is better, and returns the extended slice. Scores are relative to
// the candidates, as kube-scheduler's are (rule F4): they are those that are left
// when all filters have been asked. A node that is not in the snapshot, or has other
// taints there, gets 0 and does not count for the others.
func (f *Fit) AppendScores(dst []int64, candidates []NodeID) []int64 {
	start := len(dst)
	for _, id := range candidates {
		if f.snapshot != nil && f.snapshot.Has(id) {
			dst = append(dst, f.CountUntolerated(f.snapshot.Class(id), taint.Soft))
		}
	}
	match.NormalizeScores(dst[start:])
	last := len(dst) - 1
	missing := len(candidates) - (len(dst) - start)
	if missing == 0 {
		return dst
	}
	dst = append(dst, make([]int64, missing)...)
	for i := len(candidates) - 1; i >= 0; i-- { // make room for those without a score
		score := int64(0)
		if f.snapshot != nil && f.snapshot.Has(candidates[i]) {
			score = dst[last]
			last--
		}
		dst[start+i] = score
	}
	return dst
}

// EvictionDelay returns what match.EvictionDelay does for a pod that runs on a
// node of a class: under Kubernetes' policy, the seconds of the first toleration
// for each NoExecute taint (rules E1 to E3). For a class that the snapshot does
// not have it returns false.
func (f *Fit) EvictionDelay(c Class) (after time.Duration, evicted bool) {
	l := f.listOf(c)
	if l == nil {
		return 0, false
	}
	return f.matcher.EvictionDelay(l.elements)
}

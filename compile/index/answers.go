package index

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// classOf returns what the snapshot has of a class, or nil.
func (f *Fit) classOf(c Class) *class {
	if f.snapshot == nil {
		return nil
	}
	return f.snapshot.class(c)
}

// HasClass reports whether the nodes of a class fit: whether each of their hard taints is
// tolerated. A class that the snapshot does not have does not fit.
func (f *Fit) HasClass(c Class) bool {
	class := f.classOf(c)
	if class == nil {
		return false
	}
	_, refused := f.matcher.FirstUntolerated(class.taints, taint.Hard)
	return !refused
}

// FirstUntolerated returns what match.FirstUntolerated does for the nodes of a class:
// the first of their taints with one of the effects, in the order of the node, that is
// left untolerated (rule F3), and whether there is one. With taint.Hard, that is what
// keeps the pod away; with taint.AllEffects, false says that the list tolerates every
// taint. The result has no TimeAdded. For a class that the snapshot does not have it
// returns the zero Taint and true, unless effects is empty.
func (f *Fit) FirstUntolerated(c Class, effects taint.EffectSet) (t taint.Taint, ok bool) {
	class := f.classOf(c)
	if class == nil {
		return taint.Taint{}, effects != 0
	}
	i, ok := f.matcher.FirstUntolerated(class.taints, effects)
	if !ok {
		return taint.Taint{}, false
	}
	return f.snapshot.taint(class.taints[i]), true
}

// CountUntolerated returns how many taints of the nodes of a class, with one of the
// effects, are left untolerated: with taint.Soft it is what kube-scheduler scores by
// (rule F4), and fewer is better. [Fit.AppendScores] gives scores from 0 to 100. For a
// class that the snapshot does not have it returns one, unless effects is empty.
func (f *Fit) CountUntolerated(c Class, effects taint.EffectSet) (count int64) {
	class := f.classOf(c)
	if class == nil {
		return min(1, int64(effects))
	}
	return f.matcher.CountUntolerated(class.taints, effects)
}

// EvictionDelay returns what match.EvictionDelay does for a pod that runs on a
// node of a class: under Kubernetes' policy, the seconds of the first toleration
// for each NoExecute taint (rules E1 to E3). For a class that the snapshot does
// not have it returns zero and true.
func (f *Fit) EvictionDelay(c Class) (after time.Duration, evicted bool) {
	class := f.classOf(c)
	if class == nil {
		return 0, true
	}
	return f.matcher.EvictionDelay(class.taints)
}

// AppendScores appends to dst the score of each of the candidate nodes, from 0 to
// 100 and more is better, and returns the extended slice. Scores are relative to
// the candidates, as kube-scheduler's are (rule F4): they are those that are left
// when all filters have been asked. A node that is not in the snapshot, or has other
// taints there, gets 0 and does not count for the others.
func (f *Fit) AppendScores(dst []int64, candidates []NodeID) []int64 {
	start := len(dst)
	has := func(id NodeID) bool { return f.snapshot != nil && f.snapshot.Has(id) }
	for _, id := range candidates {
		count := int64(0)
		if has(id) {
			count = f.CountUntolerated(f.snapshot.Class(id), taint.Soft)
		}
		dst = append(dst, count)
	}
	match.NormalizeScores(dst[start:]) // scores follow the largest count, which is none of a missing node
	for i, id := range candidates {
		if !has(id) {
			dst[start+i] = 0
		}
	}
	return dst
}

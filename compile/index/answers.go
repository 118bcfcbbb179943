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
// A Class is a plain value that may be compared with ==, and retains nothing. It is
// used again once no node has it. What a Fit says of a class that its snapshot does
// not have is not specified, but it does not panic. The zero Class is that of no
// node.
type Class struct {
	list uint32 // its position, plus one
	mark uint32
}

// Class returns the class of a node, and the zero Class if the node is not in the
// snapshot.
func (s *Snapshot) Class(id NodeID) Class {
	if !s.has(id) {
		return Class{}
	}
	return s.class(s.nodes.At(id.slot).list)
}

// class returns the class of a list.
func (s *Snapshot) class(position uint32) Class {
	return Class{position + 1, s.lists.At(position).mark}
}

// list returns the list of a class, or nil.
func (f *Fit) list(c Class) *list {
	if c.list == 0 || f.snapshot == nil || int(c.list) > f.snapshot.lists.Len() {
		return nil
	}
	return f.snapshot.lists.At(c.list - 1)
}

// HasClass reports whether the nodes of a class fit. It takes about a nanosecond.
func (f *Fit) HasClass(c Class) bool {
	return int(c.mark) < len(f.marks) && (f.marks[c.mark] == f.epoch || f.all && c.mark != noMark)
}

// FirstUntolerated returns the taint that keeps a pod from the nodes of a class: the
// first hard one, in the order of the node, that is left untolerated (rule F3). It
// returns false if the class fits. The result has no TimeAdded.
func (f *Fit) FirstUntolerated(c Class) (t taint.Taint, ok bool) {
	l := f.list(c)
	if l == nil || l.nodes == 0 || f.fits(l.mark) {
		return taint.Taint{}, false
	}
	return f.snapshot.taint(f.refusing(l)), true
}

// Score returns what match.CountUntolerated does for the PreferNoSchedule taints of a class: how many
// PreferNoSchedule taints are left untolerated (rule F4). Fewer is better.
// [Fit.AppendScores] gives scores from 0 to 100.
func (f *Fit) Score(c Class) int64 {
	l := f.list(c)
	if l == nil {
		return 0
	}
	s := f.snapshot.sets.At(l.set)
	var count int64
	for _, e := range s.elements[s.hard:] {
		if f.first(e) == nil {
			count++
		}
	}
	return count
}

// AppendScores appends to dst the score of each of the candidate nodes, from 0 to
// 100 and more is better, and returns the extended slice. Scores are relative to
// the candidates, as kube-scheduler's are (rule F4): they are those that are left
// when all filters have been asked. A node that is not in the snapshot counts as one
// without taints.
func (f *Fit) AppendScores(dst []int64, candidates []NodeID) []int64 {
	start := len(dst)
	for _, id := range candidates {
		var count int64
		if f.snapshot != nil {
			count = f.Score(f.snapshot.Class(id))
		}
		dst = append(dst, count)
	}
	match.NormalizeScores(dst[start:])
	return dst
}

// EvictionDelay returns what match.EvictionDelay does for a pod that runs on a
// node of a class: under Kubernetes' policy, the seconds of the first toleration
// for each NoExecute taint (rules E1 to E3).
func (f *Fit) EvictionDelay(c Class) (after time.Duration, evicted bool) {
	l := f.list(c)
	if l == nil {
		return 0, false
	}
	after = match.MaxDelay
	for _, e := range l.elements {
		if e.effect() != noExecute {
			continue
		}
		t := f.first(e)
		if t == nil {
			return 0, true
		}
		if t.seconds != nil {
			evicted = true
			after = min(after, duration(*t.seconds))
		}
	}
	if !evicted {
		return 0, false
	}
	return after, true
}

// duration is a number of seconds, not less than zero and saturated (E2, E3).
func duration(seconds int64) time.Duration {
	if seconds > int64(match.MaxDelay/time.Second) {
		return match.MaxDelay
	}
	return time.Duration(max(0, seconds)) * time.Second
}

package index

import (
	"cmp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// Class stands for all nodes of a snapshot with the same taints. A scheduler with
// a node cache of its own asks for the class of a node once, and tests pods with
// [Fit.HasClass].
//
// A Class is a plain value that is good for the snapshot that it is of, and means
// nothing to another. The zero Class is that of no node.
type Class uint32

// Class returns the class of a node, and zero if the node was not in the index
// with that ID.
func (s *Snapshot) Class(id NodeID) Class {
	if !s.has(id) {
		return 0
	}
	return Class(s.nodes.At(id.slot).list + 1)
}

// HasClass reports whether the nodes of a class fit.
func (f *Fit) HasClass(c Class) bool {
	return c != 0 && f.snapshot != nil && f.fits(f.snapshot.lists.At(uint32(c-1)).set)
}

// Score returns what match.Score does for the nodes of a class: how many
// PreferNoSchedule taints are left untolerated (rule F4). To get scores from 0 to
// 100, pass the counts of the candidates to match.NormalizeScores.
func (f *Fit) Score(c Class) int64 {
	if c == 0 || f.snapshot == nil {
		return 0
	}
	s := f.snapshot.sets.At(f.snapshot.lists.At(uint32(c - 1)).set)
	var count int64
	for _, e := range s.elements[s.hard:] {
		if f.first(e) == nil {
			count++
		}
	}
	return count
}

// EvictionDelay returns what match.EvictionDelay does for a pod that runs on a
// node of a class: under Kubernetes' policy, the seconds of the first toleration
// for each NoExecute taint (rules E1 to E3).
func (f *Fit) EvictionDelay(c Class) (after time.Duration, evicted bool) {
	if c == 0 || f.snapshot == nil {
		return 0, false
	}
	after = match.MaxDelay
	for _, e := range f.snapshot.lists.At(uint32(c - 1)).elements {
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

// Reason is a taint and how many nodes it keeps a pod from, being the first in
// the order of the node that is left untolerated (rule F3).
type Reason struct {
	Taint taint.Taint
	Nodes int
}

// AppendReasons appends to dst why the nodes that do not fit do not, in the form
// in which a scheduler reports it, and returns the extended slice: the taints that
// refuse most nodes first, and those that refuse equally many by key, value and
// effect. The time is proportional to the number of lists in the snapshot.
func (f *Fit) AppendReasons(dst []Reason) []Reason {
	if f.snapshot == nil {
		return dst
	}
	refused := make(map[element]int)
	for position := range uint32(f.snapshot.lists.Len()) {
		l := f.snapshot.lists.At(position)
		if l.nodes == 0 || f.fits(l.set) {
			continue
		}
		for _, e := range l.elements {
			if e.effect() < hardEffects && f.first(e) == nil {
				refused[e] += int(l.nodes)
				break
			}
		}
	}
	start := len(dst)
	for e, nodes := range refused {
		dst = append(dst, Reason{f.snapshot.taint(e), nodes})
	}
	slices.SortFunc(dst[start:], func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Taint.Key, b.Taint.Key),
			cmp.Compare(a.Taint.Value, b.Taint.Value), cmp.Compare(a.Taint.Effect, b.Taint.Effect))
	})
	return dst
}

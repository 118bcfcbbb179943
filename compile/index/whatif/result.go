package whatif

import (
	"iter"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Result is what a plan would do: see [Evaluate].
//
// The zero Result is that of the zero Plan for an empty cluster. A Result is immutable
// and may be used concurrently; it must not be copied. It retains the snapshot, the plan, the
// names of the pods on the nodes from which some are evicted, and the names of all owners and all
// toleration lists as they were: memory that it shares with the [Pods] and other results.
type Result struct {
	fleet    *index.Snapshot
	running  int // pods
	total    Summary
	nodes    []node
	outcome  outcome
	fates    fates
	verdicts []verdict
	moves    []move
	classes  tallies
	rollouts []ClassChange
	texts    *frozenTexts
	plan     Plan
	chains   []chain
	steps    int // that it took, in tests
}

// node is a node that the plan changes, or on which it changes the tolerations of pods.
type node struct {
	name                                    string
	residents                               []resident // none if none is evicted
	fate                                    fate       // of these
	first                                   uint32     // where their fates begin, if they differ
	group                                   uint32     // in the outcome
	now, later, stay, spared, evictedAnyway uint32
}

// fateOf returns what becomes of the i-th resident of a node.
func (r *Result) fateOf(n *node, i int) fate {
	if n.fate < 0 { // all are evicted otherwise: nodes without evicted pods have no residents
		return r.fates.at(n.first, n.fate, i)
	}
	return n.fate
}

// Summary counts nodes and the pods on them. Each pod is in one of the counts of pods.
//
// The zero Summary counts nothing. It is plain data, comparable with ==.
type Summary struct {
	// Nodes are those whose taints change, or which run pods whose tolerations change.
	Nodes int
	// EvictedNow and EvictedLater are pods that are evicted because of the plan: at once,
	// or when the seconds of a toleration are over. Without the plan they would stay, or be
	// evicted later.
	EvictedNow, EvictedLater int
	// EvictedAnyway are pods that are evicted in any case; the plan evicts none sooner.
	EvictedAnyway int
	// Spared are pods that are evicted without the plan, and stay with it.
	Spared int
	// Stay are the other pods on the nodes.
	Stay int
}

// Evicted returns the number of pods that are evicted because of the plan, at once or
// later.
func (s Summary) Evicted() int { return s.EvictedNow + s.EvictedLater }

func (s *Summary) add(t Summary) {
	s.Nodes += t.Nodes
	s.EvictedNow += t.EvictedNow
	s.EvictedLater += t.EvictedLater
	s.EvictedAnyway += t.EvictedAnyway
	s.Spared += t.Spared
	s.Stay += t.Stay
}

// count counts a pod on the node.
func (n *node) count(f fate, r *Result) {
	switch f {
	case stays:
		n.stay++
	case spared:
		n.spared++
	case anyway:
		n.evictedAnyway++
	default:
		if r.verdicts[f].after > 0 {
			n.later++
		} else {
			n.now++
		}
	}
}

func (n *node) summary() Summary {
	return Summary{
		Nodes: 1, EvictedNow: int(n.now), EvictedLater: int(n.later),
		EvictedAnyway: int(n.evictedAnyway), Spared: int(n.spared), Stay: int(n.stay),
	}
}

// Summary returns the counts for the whole plan.
func (r *Result) Summary() Summary { return r.total }

// Nodes iterates over the names of the nodes that [Summary] counts and the taints that
// they have after the plan. The order is that in which the index got the nodes, if none
// was deleted meanwhile. The taints must not be written to. They are written down when they are
// first needed (see the package comment), once for all nodes with the same taints and steps; the
// result retains them.
func (r *Result) Nodes() iter.Seq2[string, []taint.Taint] { return r.nodesOf(0, len(r.nodes)) }

func (r *Result) nodesOf(first, end int) iter.Seq2[string, []taint.Taint] {
	return func(yield func(string, []taint.Taint) bool) {
		for i := first; i < end; i++ {
			if n := &r.nodes[i]; !yield(n.name, r.outcome.taints(r.fleet, n.group)) {
				return
			}
		}
	}
}

// Eviction is a pod that is evicted because of the plan. It is plain data.
type Eviction struct {
	Pod, Node, Owner string
	// After is how long the pod may still run, counted from when the plan is carried out.
	// Zero is at once.
	After time.Duration
	// Taint is the one that decides: the first that the pod does not tolerate, or else the
	// first of those that it tolerates for the least time. It has no TimeAdded unless the
	// policy is [match.SinceAdded]; the taints of [Result.Nodes] have theirs.
	Taint taint.Taint
}

// Evictions iterates over the pods that are evicted because of the plan, in the order of
// [Result.Nodes]; those of a node are in no particular order.
func (r *Result) Evictions() iter.Seq[Eviction] { return r.evictionsOf(0, len(r.nodes)) }

func (r *Result) evictionsOf(first, end int) iter.Seq[Eviction] {
	return func(yield func(Eviction) bool) {
		for i := first; i < end; i++ {
			n := &r.nodes[i]
			for j := range n.residents {
				f := r.fateOf(n, j)
				if f < 0 {
					continue
				}
				v, pod := &r.verdicts[f], &n.residents[j]
				if !yield(Eviction{pod.name, n.name, r.texts.owner(pod.owner), v.after, v.taint}) {
					return
				}
			}
		}
	}
}

// ClassChange is what a plan means to the pods that have the same tolerations, wherever
// they run.
//
// It is plain data; the lists must not be written to.
type ClassChange struct {
	// Owner is whose pods the plan gives another list. It is empty for pods that keep
	// theirs, whose owners may differ.
	Owner string
	// Before and After are the lists of the pods without the plan and with it.
	Before, After []toleration.Toleration
	// Pods counts those that run and those that wait.
	Pods int
	// Gained and Lost are how many nodes the pods fit with the plan and not without it, and
	// the other way round (rule F2).
	Gained, Lost int
	// Evicted is how many of the pods are evicted because of the plan.
	Evicted int

	lists     // only where the list changes
	left  int // then: how many nodes fit
}

// Classes iterates over the classes of pods that gain or lose nodes, or of which some
// are evicted: first those that keep their list, in the order of [Pods.Classes], then
// those that get another one.
func (r *Result) Classes() iter.Seq[ClassChange] {
	return func(yield func(ClassChange) bool) {
		for c := range r.classes.all() {
			if !yield(r.change(c)) {
				return
			}
		}
		for _, c := range r.rollouts {
			if !yield(c) {
				return
			}
		}
	}
}

// Fleet returns the nodes as they are after the plan, as a snapshot of a fork. The
// time is that of [index.Index.Set] for each node that changes.
func (r *Result) Fleet() *index.Snapshot {
	if r.fleet == nil { // of the zero Result
		return new(index.Snapshot)
	}
	fork := r.fleet.Fork()
	for name, taints := range r.Nodes() {
		fork.Set(name, taints)
	}
	return fork.Snapshot()
}

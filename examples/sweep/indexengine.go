package main

import (
	"strconv"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// indexEngine fits each toleration list once, and looks only at the classes of
// nodes with a taint that it tolerates: for all others the answer is that for a
// pod without tolerations.
//
// The index holds one node for each class. To learn which taints are tolerated,
// it also holds each taint as a node that has nothing else.
func indexEngine(nodes []*nodeClass) func() evaluator {
	x := &indexed{nodes: nodes}
	ix := index.New(toleration.Rules{Comparisons: true})
	ids := make([]index.NodeID, len(nodes))
	for i, class := range nodes {
		ids[i] = ix.Set("class "+strconv.Itoa(i), class.taints)
	}
	probes := x.addProbes(ix)
	x.snapshot = ix.Snapshot()
	for _, id := range ids {
		x.classes = append(x.classes, x.snapshot.Class(id))
	}
	x.placeProbes(probes)
	return x.start
}

// indexed is what all evaluators share, and only read.
type indexed struct {
	nodes    []*nodeClass
	snapshot *index.Snapshot
	classes  []index.Class // in the index, by class of nodes
	probes   []probe       // by number; zero for those of other nodes
}

// probe is one taint as a node of the index.
type probe struct {
	id     index.NodeID
	class  index.Class
	having []int // the classes of nodes with the taint; twice where a node has it twice
}

// addProbes adds each taint of the fleet to the index. Those with unknown
// effects change no answer.
func (x *indexed) addProbes(ix *index.Index) map[taint.Taint]*probe {
	probes := make(map[taint.Taint]*probe)
	for i, class := range x.nodes {
		for _, t := range class.taints {
			if !t.Effect.Known() {
				continue
			}
			t.TimeAdded = nil // plays no part (rule M6)
			p := probes[t]
			if p == nil {
				p = &probe{id: ix.Set("taint "+strconv.Itoa(len(probes)), []taint.Taint{t})}
				probes[t] = p
			}
			p.having = append(p.having, i)
		}
	}
	return probes
}

// placeProbes puts the probes where their numbers find them.
func (x *indexed) placeProbes(probes map[taint.Taint]*probe) {
	for _, p := range probes {
		number := p.id.Number()
		if n := number + 1 - len(x.probes); n > 0 {
			x.probes = append(x.probes, make([]probe, n)...)
		}
		p.class = x.snapshot.Class(p.id)
		x.probes[number] = *p
	}
}

// asker is an evaluator with its buffers.
type asker struct {
	*indexed
	fit     index.Fit
	matcher *compile.Matcher // of the same list; nil until it is needed
	list    int              // the number of the list
	visited []int            // the last list that visited, by class
}

func (x *indexed) start() evaluator {
	return (&asker{indexed: x, visited: make([]int, len(x.nodes))}).ask
}

func (q *asker) ask(tolerations []toleration.Toleration, visit func(int, answer)) {
	q.list++
	q.matcher = nil
	q.snapshot.Fit(&q.fit, tolerations)
	for id := range q.fit.Nodes() {
		for _, class := range q.tolerated(id) {
			if q.visited[class] != q.list {
				q.visited[class] = q.list
				visit(class, q.answer(class, tolerations))
			}
		}
	}
}

// tolerated returns the classes with the taint that a fitting node of the index
// stands for, if it is tolerated. A soft one fits in any case (rule F2).
func (q *asker) tolerated(id index.NodeID) []int {
	if number := id.Number(); number < len(q.probes) && q.fit.CountUntolerated(q.probes[number].class, taint.Soft) == 0 {
		return q.probes[number].having
	}
	return nil
}

// answer returns the answer for one class.
func (q *asker) answer(class int, tolerations []toleration.Toleration) (a answer) {
	c := q.classes[class]
	if !q.fit.HasClass(c) {
		a.Scheduling, a.first = match.Unschedulable, q.first(class, tolerations)
	} else if a.soft = q.fit.CountUntolerated(c, taint.Soft); a.soft > 0 {
		a.Scheduling = match.Avoid
	}
	switch after, evicted := q.fit.EvictionDelay(c); {
	case evicted && after > 0:
		a.Eviction, a.After = match.EvictAfter, after
	case evicted:
		a.Eviction = match.EvictNow
	}
	return a
}

// first returns the position of the first hard taint that is not tolerated. The
// index knows the taint but not the position in the node's own list, as it leaves
// out those with unknown effects.
func (q *asker) first(class int, tolerations []toleration.Toleration) int {
	if q.matcher == nil {
		q.matcher = compile.New(tolerations)
	}
	first, _ := q.matcher.FirstUntolerated(q.nodes[class].taints, taint.Hard)
	return first
}

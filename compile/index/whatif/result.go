package whatif

import (
	"fmt"
	"iter"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// Result is what a plan would do: see [Evaluate].
//
// The zero Result is that of the zero Plan for an empty cluster. A Result is immutable
// and may be used concurrently. It retains the snapshot, the plan, the toleration lists of
// the classes that the plan concerns, and, of the pods that are evicted, what the [Pods] has
// of their nodes and owners.
type Result struct {
	fleet    *index.Snapshot
	plan     Plan
	chains   []chain // the first is that of no step
	running  int     // pods
	nodes    []node
	verdicts []verdict
	classes  []keeping
	rollouts []*rollout
}

// node is a node that the plan changes, or on which it changes the tolerations of pods.
type node struct {
	name      string
	taints    []taint.Taint // with the plan
	chain     int32
	evictions []eviction
	summary   Summary
}

type eviction struct {
	pod  *pod // of which only names may be read
	fate fate
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

// Summary returns the counts for the whole plan.
func (r *Result) Summary() Summary { return Stage{r, 0, len(r.nodes)}.Summary() }

// Nodes iterates over the names of the nodes that [Summary] counts and the taints that
// they have after the plan. The order is that in which the index got the nodes, if none
// was deleted meanwhile. The taints must not be written to.
func (r *Result) Nodes() iter.Seq2[string, []taint.Taint] { return Stage{r, 0, len(r.nodes)}.Nodes() }

// Evictions iterates over the pods that are evicted because of the plan, in the order of
// [Result.Nodes]; those of a node are in no particular order.
func (r *Result) Evictions() iter.Seq[Eviction] { return Stage{r, 0, len(r.nodes)}.Evictions() }

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

// Stage is a part of a plan: all that the plan does to some of its nodes. Each node and
// each eviction of a plan is in one of its stages, so their counts add up to those of the
// plan.
//
// Stages come from [Result.Stages]; the zero Stage is not usable. It retains the Result.
type Stage struct {
	result     *Result
	first, end int // of its nodes
}

// Stages cuts the plan so that each stage keeps the limits, in the order of
// [Result.Nodes]: a stage has as many nodes as the limits allow. Every limit is counted
// anew for each stage: carry out the next one when the cluster has recovered from the
// one before, or its budgets allow as much again.
//
// A plan without nodes has no stages. If one node alone exceeds a limit there are no
// stages at all: the error is a [*LimitError] that names the first such node. An error
// about the limits themselves is as for [Result.Check].
func (r *Result) Stages(l Limits) ([]Stage, error) {
	c, err := r.counter(&l)
	if err != nil {
		return nil, err
	}
	var stages []Stage
	first := 0
	for i := range r.nodes {
		if c.addNode(&r.nodes[i]); !c.over {
			continue
		}
		stages = append(stages, Stage{r, first, i}) // empty if the error follows
		first = i
		c.reset()
		if c.addNode(&r.nodes[i]); c.over {
			return nil, &LimitError{r.nodes[i].name, c.violations()}
		}
	}
	if first < len(r.nodes) {
		stages = append(stages, Stage{r, first, len(r.nodes)})
	}
	return stages, nil
}

// LimitError says that a plan cannot be cut into stages that keep the limits, because one
// node alone exceeds one. It is plain data; as an error it is used by pointer.
type LimitError struct {
	Node       string
	Violations []Violation // by the node alone, in the order of [Result.Check]; at least one
}

// Error returns one line with the node and the first limit that it exceeds.
func (e *LimitError) Error() string {
	if len(e.Violations) == 0 {
		return fmt.Sprintf("node %q goes over a limit", e.Node)
	}
	return fmt.Sprintf("node %q alone goes over a limit: %s", e.Node, e.Violations[0])
}

// Summary returns the counts for the stage.
func (s Stage) Summary() (total Summary) {
	for _, n := range s.result.nodes[s.first:s.end] {
		total.Nodes += n.summary.Nodes
		total.EvictedNow += n.summary.EvictedNow
		total.EvictedLater += n.summary.EvictedLater
		total.EvictedAnyway += n.summary.EvictedAnyway
		total.Spared += n.summary.Spared
		total.Stay += n.summary.Stay
	}
	return total
}

// Nodes is [Result.Nodes] for the stage.
func (s Stage) Nodes() iter.Seq2[string, []taint.Taint] {
	return func(yield func(string, []taint.Taint) bool) {
		for _, n := range s.result.nodes[s.first:s.end] {
			if !yield(n.name, n.taints) {
				return
			}
		}
	}
}

// Evictions is [Result.Evictions] for the stage.
func (s Stage) Evictions() iter.Seq[Eviction] {
	r := s.result
	return func(yield func(Eviction) bool) {
		for _, n := range r.nodes[s.first:s.end] {
			for _, x := range n.evictions {
				v := &r.verdicts[x.fate]
				if !yield(Eviction{Pod: x.pod.name, Node: n.name, Owner: x.pod.in[byOwner].name, After: v.after, Taint: v.taint}) {
					return
				}
			}
		}
	}
}

// Plan returns the stage as a plan of its own: the steps of the whole plan in their order,
// each for those nodes of the stage, by name, that it selects. Steps without such nodes
// are left out. It does to the nodes what the whole plan does, whichever other stages are
// carried out already. A step that sets tolerations is for the pods on the nodes of the
// stage: pods that wait for a node are in no stage. Each call makes a new slice of steps;
// these share their taints and tolerations with the plan that was evaluated.
func (s Stage) Plan() (p Plan) {
	r := s.result
	names := make([][]string, len(r.plan.Steps))
	for _, n := range r.nodes[s.first:s.end] {
		r.eachStep(n.chain, func(step int32) { names[step] = append(names[step], n.name) })
	}
	for i, list := range names {
		if list != nil {
			step := r.plan.Steps[i]
			step.Nodes = Nodes{Names: list}
			p.Steps = append(p.Steps, step)
		}
	}
	return p
}

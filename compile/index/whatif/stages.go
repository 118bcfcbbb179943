package whatif

import (
	"fmt"
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// Stage is a part of a plan: all that the plan does to some of its nodes. Each node and
// each eviction of a plan is in one of its stages, so their counts add up to those of the
// plan.
//
// Stages come from [Result.Stages]; the zero Stage is not usable. A Stage is a small
// value that may be copied and used concurrently, and retains the Result.
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
// about the limits themselves is as for [Result.Check]. Stages keeps nothing of the
// Limits, and any number of goroutines may call it. The time follows the number of nodes
// and evictions, each with the budgets of its owner.
func (r *Result) Stages(l Limits) ([]Stage, error) {
	c, err := r.counter(&l)
	if err != nil {
		return nil, err
	}
	var stages []Stage
	first := 0
	for i := range r.nodes {
		if c.addNode(r, i); !c.over {
			continue
		}
		stages = append(stages, Stage{r, first, i}) // empty if the error follows
		first = i
		c.reset()
		if c.addNode(r, i); c.over {
			return nil, &LimitError{r.nodes[i].name, c.violations()}
		}
	}
	if first < len(r.nodes) {
		stages = append(stages, Stage{r, first, len(r.nodes)})
	}
	return stages, nil
}

// LimitError says that a plan cannot be cut into stages that keep the limits, because the
// pods of one node alone exceed one. The zero LimitError means nothing. It is plain data;
// as an error it is used by pointer.
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
	for i := s.first; i < s.end; i++ {
		total.add(s.result.nodes[i].summary())
	}
	return total
}

// Nodes is [Result.Nodes] for the stage.
func (s Stage) Nodes() iter.Seq2[string, []taint.Taint] { return s.result.nodesOf(s.first, s.end) }

// Evictions is [Result.Evictions] for the stage.
func (s Stage) Evictions() iter.Seq[Eviction] { return s.result.evictionsOf(s.first, s.end) }

// Plan returns the stage as a plan of its own: the steps of the whole plan in their order,
// each for those nodes of the stage, by name, that it selects. Steps without such nodes
// are left out. It does to the nodes what the whole plan does, whichever other stages are
// carried out already. A step that sets tolerations is for the pods on the nodes of the
// stage: pods that wait for a node are in no stage. Each call makes a new slice of steps;
// these share their taints and tolerations with the plan that was evaluated.
func (s Stage) Plan() (p Plan) {
	r := s.result
	names := make([][]string, len(r.plan.Steps))
	for i := s.first; i < s.end; i++ {
		n := &r.nodes[i]
		eachStep(r.chains, r.outcome.groups[n.group].chain, func(step int32) { names[step] = append(names[step], n.name) })
	}
	for i, list := range names {
		if list != nil {
			step := r.plan.Steps[i]
			step.Nodes = Nodes{Names: slices.Clip(list)}
			p.Steps = append(p.Steps, step)
		}
	}
	return p
}

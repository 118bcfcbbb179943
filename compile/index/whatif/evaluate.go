package whatif

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Options are further inputs of an evaluation. The zero Options is Kubernetes'
// own policy, in which no clock matters. It is plain data; a [Result] retains nothing of it.
type Options struct {
	// Policy says how long a pod may stay on a node whose NoExecute taints it tolerates.
	// A policy that package match does not have acts as [match.FirstMatch].
	Policy match.EvictionPolicy
	// Now is when the plan is carried out. Delays count from it. Only
	// [match.SinceAdded] looks at it; with it, the zero time is an error.
	Now time.Time
	// Added returns since when a node has one of its NoExecute taints, which a snapshot
	// does not know; the zero time says that it is not known. Only [match.SinceAdded] asks
	// it, once for each NoExecute taint of a node that the plan selects. A nil Added knows
	// no times. Taints that the plan adds have the time that is in the plan, and taints of
	// the node that it puts again are new.
	Added func(node string, t taint.Taint) time.Time
}

// Evaluate returns what a plan would do to the nodes of a snapshot and to pods. Nothing
// changes; the result is that of carrying out the plan on copies of both, and of asking
// package match about every node and pod.
//
// A pod of a node that the snapshot does not have is not affected by taints. Neither
// argument may be nil. pods must not be changed while Evaluate runs, and may be afterwards:
// the result stays as it is.
//
// The error is a [*taint.FieldErrors] with what is wrong with the plan: each names the
// step and the field, such as "steps[2].taints.add[0].key", the value and the cause. Steps
// that cannot be applied to a node, because a taint is there already or is not, are
// errors that wrap [taint.ErrExists] or [taint.ErrNotFound] and name the node (rule K3);
// there is one for the nodes with the same taints to which the same steps are applied. A
// plan with an error has no result at all. It is an error too if the rules of fleet and
// pods differ.
func Evaluate(fleet *index.Snapshot, pods *Pods, plan Plan, o Options) (*Result, error) {
	if a, b := fleet.Rules(), pods.classes.Rules(); a != b {
		return nil, fmt.Errorf("rules: nodes are of a cluster with %+v and pods of one with %+v", a, b)
	}
	if o.Policy == match.SinceAdded && o.Now.IsZero() {
		return nil, errors.New("now: the policy SinceAdded needs to know the time")
	}
	e := &evaluation{
		fleet: fleet, pods: pods, rules: fleet.Rules(), plan: plan, Options: o,
		chainOf: make(map[chain]int32), nodeOf: make(map[index.NodeID]int),
		everywhere: make(map[*group]int32), rolloutOf: make(map[rolloutKey]*rollout),
		result: &Result{fleet: fleet, running: pods.Len() - len(pods.of(byNode, "")), plan: plan, chains: make([]chain, 1)},
	}
	if e.check(); len(e.errs.Faults) == 0 {
		e.selectAll()
	}
	err := e.errs.Err()
	if err == nil {
		err = e.applySteps()
	}
	if err != nil {
		return nil, err
	}
	e.judgePods()
	e.judgeClasses()
	e.judgeRollouts()
	return e.result, nil
}

// evaluation is an evaluation under way.
type evaluation struct {
	fleet *index.Snapshot
	pods  *Pods
	rules toleration.Rules
	plan  Plan
	Options
	errs taint.FieldErrors

	chainOf    map[chain]int32
	nodes      []selected
	nodeOf     map[index.NodeID]int // the position in nodes
	everywhere map[*group]int32     // by owner: the last step that is for all of its pods
	lists      []int32              // by step: the first one with the same tolerations
	alike      []*alike
	rolloutOf  map[rolloutKey]*rollout // nil if the list is the one that the pods have
	tallies    []tally                 // by class of pods
	taints     []taint.Taint
	evicted    []eviction

	result *Result
}

// chain is the steps that select a node, as a list from the last one back: nodes that are
// selected by the same steps share it.
type chain struct{ before, step int32 }

// eachStep calls do with the steps of a chain, from the last one back.
func (r *Result) eachStep(of int32, do func(step int32)) {
	for ; of != 0; of = r.chains[of].before {
		do(r.chains[of].step)
	}
}

// selected is a node that some step selects.
type selected struct {
	id    index.NodeID
	chain int32
	*alike
}

// alike is the selected nodes that have the same taints and are selected by the same steps.
type alike struct {
	nodes         int
	before, after []taint.Taint
	changed       bool             // the plan leaves other taints
	evicting      [2][]taint.Taint // those with NoExecute, before and after
	overrides     map[*group]int32 // by owner: the last step that sets the list of its pods
	class         index.Class
	fates         map[kind]fate
}

// selectAll finds the nodes that the steps select.
func (e *evaluation) selectAll() {
	first := make(map[string]int32)
	for i := range e.plan.Steps {
		s := &e.plan.Steps[i]
		text := toleration.FormatList(s.Tolerations)
		if _, known := first[text]; !known {
			first[text] = int32(i)
		}
		e.lists = append(e.lists, first[text])
		if s.Nodes.empty() { // checked: only a step for pods may be so
			e.selectOwner(i, s)
		} else {
			e.selectNodes(i, &s.Nodes)
		}
	}
	slices.SortFunc(e.nodes, func(a, b selected) int { return cmp.Compare(a.id.Number(), b.id.Number()) })
}

// add adds the i-th step to the chain of a node, once.
func (e *evaluation) add(i int, id index.NodeID) {
	position, known := e.nodeOf[id]
	if !known {
		position = len(e.nodes)
		e.nodeOf[id] = position
		e.nodes = append(e.nodes, selected{id: id})
	}
	n, r := &e.nodes[position], e.result
	if n.chain != 0 && r.chains[n.chain].step == int32(i) {
		return // this step selects the node again
	}
	longer := chain{n.chain, int32(i)}
	if n.chain, known = e.chainOf[longer]; !known {
		n.chain = int32(len(r.chains))
		e.chainOf[longer] = n.chain
		r.chains = append(r.chains, longer)
	}
}

// selectNodes finds the nodes that pass the tests of a selection.
func (e *evaluation) selectNodes(i int, n *Nodes) {
	if n.Names == nil {
		for id := range e.fleet.Nodes(func(c index.Class) bool { return e.tainted(n, c) }) {
			e.ask(i, n, id)
		}
	}
	passes := make(map[index.Class]bool)
	for j, id := range e.fleet.AppendIDs(nil, n.Names) {
		if id == (index.NodeID{}) {
			e.errs.Add(fmt.Sprintf("steps[%d].nodes.names[%d]", i, j), "invalid value", n.Names[j], "there is no such node")
			continue
		}
		class := e.fleet.Class(id)
		if _, known := passes[class]; !known {
			passes[class] = e.tainted(n, class)
		}
		if passes[class] {
			e.ask(i, n, id)
		}
	}
}

// selecting are the rules of a selection, in which Gt and Lt count in every cluster.
var selecting = toleration.Rules{Comparisons: true}

// tainted reports whether the nodes of a class have a taint that is asked for, if any is.
func (e *evaluation) tainted(n *Nodes, c index.Class) bool {
	e.taints = e.fleet.AppendTaints(e.taints[:0], c)
	return n.Tainted == nil || slices.ContainsFunc(e.taints, func(t taint.Taint) bool { return match.Tolerates(n.Tainted, &t, selecting) })
}

// ask adds a node that passes the other tests, if the function of a selection agrees.
func (e *evaluation) ask(i int, n *Nodes, id index.NodeID) {
	if n.Where != nil {
		name, _ := e.fleet.Name(id)
		if !n.Where(name, e.fleet.AppendTaints(nil, e.fleet.Class(id))) {
			return
		}
	}
	e.add(i, id)
}

// selectOwner finds the nodes that the pods of an owner run on.
func (e *evaluation) selectOwner(i int, s *Step) {
	owner := e.pods.groups[byOwner][s.Owner]
	for _, p := range owner.pods {
		name := p.in[byNode].name
		if id, known := e.fleet.ID(name); known && name != "" {
			e.add(i, id)
		}
	}
	e.everywhere[owner] = int32(i)
}

// alikeKey is what alike nodes have in common. Where the times of taints count, no nodes are alike.
type alikeKey struct {
	class index.Class
	chain int32
	id    index.NodeID
}

// applySteps applies the steps to the nodes, once for those that are alike.
func (e *evaluation) applySteps() error {
	known := make(map[alikeKey]*alike)
	timed := e.Policy == match.SinceAdded && e.Added != nil
	var errs []error
	for i := range e.nodes {
		n := &e.nodes[i]
		key := alikeKey{class: e.fleet.Class(n.id), chain: n.chain}
		if timed {
			key.id = n.id
		}
		if n.alike = known[key]; n.alike == nil {
			n.alike = &alike{class: key.class, fates: make(map[kind]fate), before: e.fleet.AppendTaints(nil, key.class)}
			known[key] = n.alike
			e.alike = append(e.alike, n.alike)
			name, _ := e.fleet.Name(n.id)
			if timed {
				e.addTimes(name, n.before)
			}
			if step, err := e.apply(n); err != nil {
				errs = append(errs, fmt.Errorf("steps[%d]: node %q: %w", step, name, err))
			}
		}
		n.nodes++
	}
	return errors.Join(errs...)
}

// addTimes gives the NoExecute taints of a node their times.
func (e *evaluation) addTimes(name string, taints []taint.Taint) {
	for i := range taints {
		if t := &taints[i]; t.Effect == taint.NoExecute {
			if since := e.Added(name, *t); !since.IsZero() {
				t.TimeAdded = &taint.Time{Time: since}
			}
		}
	}
}

// apply applies the steps that select a node, the first one first. If one fails, it returns which.
func (e *evaluation) apply(n *selected) (failed int32, err error) {
	var steps []int32
	e.result.eachStep(n.chain, func(step int32) {
		s := &e.plan.Steps[step]
		if !s.forPods() {
			steps = append(steps, step)
			return
		}
		owner := e.pods.groups[byOwner][s.Owner]
		if _, later := n.overrides[owner]; !later {
			if n.overrides == nil {
				n.overrides = make(map[*group]int32)
			}
			n.overrides[owner] = step
		}
	})
	n.after = n.before
	for _, step := range slices.Backward(steps) {
		if n.after, err = e.plan.Steps[step].apply(nil, n.after); err != nil {
			return step, err
		}
	}
	n.changed = !taint.Equal(n.before, n.after)
	n.evicting = [2][]taint.Taint{evicting(n.before), evicting(n.after)}
	return 0, nil
}

// evicting returns those of some taints that have the effect NoExecute.
func evicting(taints []taint.Taint) (list []taint.Taint) {
	for i := range taints {
		if taints[i].Effect == taint.NoExecute {
			list = append(list, taints[i])
		}
	}
	return list
}

// uncordoned is what Uncordon removes.
var uncordoned = taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule}

// apply appends to dst what a step makes of a node's taints, which it does not write to.
func (s *Step) apply(dst, taints []taint.Taint) ([]taint.Taint, error) {
	switch s.Verb {
	case ChangeTaints:
		return s.Taints.Apply(dst, taints, s.Overwrite)
	case Cordon:
		return taint.WithCordon(dst, taints, true), nil
	}
	list, _ := taint.Remove(dst, taints, uncordoned)
	return list, nil
}

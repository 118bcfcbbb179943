package whatif

import (
	"errors"
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Options are further inputs of an evaluation. The zero Options is Kubernetes'
// own policy, in which no clock matters. It is plain data.
type Options struct {
	// Policy says how long a pod may stay on a node whose NoExecute taints it tolerates.
	// A policy that package match does not have acts as [match.FirstMatch].
	Policy match.EvictionPolicy
	// Now is when the plan is carried out. Delays count from it. Only
	// [match.SinceAdded] looks at it.
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
// argument may be nil. pods must not be changed meanwhile; the result does not
// need it any more.
//
// The error is a [*taint.FieldErrors] with what is wrong with the plan: each names the
// step and the field, such as "steps[2].taints.add[0].key", the value and the cause. Steps
// that cannot be applied to a node, because a taint is there already or is not, are
// errors that wrap [taint.ErrExists] or [taint.ErrNotFound] and name the node (rule K3);
// there is one for the nodes with the same taints to which the same steps are applied. A
// plan with an error has no result at all. It is an error too if the rules of fleet and
// pods differ.
//
// The time follows what changes: the nodes that the steps select, the pods on these, and
// the classes of pods and nodes that are concerned. See the package comment.
func Evaluate(fleet *index.Snapshot, pods *Pods, plan Plan, o Options) (*Result, error) {
	if a, b := fleet.Rules(), pods.classes.Rules(); a != b {
		return nil, fmt.Errorf("rules: nodes are of a cluster with %+v and pods of one with %+v", a, b)
	}
	e := &evaluation{
		fleet: fleet, pods: pods, rules: fleet.Rules(), plan: plan, Options: o,
		everywhere: make(map[uint32]int32),
		result:     &Result{fleet: fleet, running: pods.Running()},
	}
	if e.check(); len(e.errs.Faults) == 0 {
		e.resolve()
	}
	if err := e.errs.Err(); err != nil {
		return nil, err
	}
	if err := e.applySteps(); err != nil {
		return nil, err
	}
	e.judgePods()
	e.judgeClasses()
	e.judgeRollouts()
	e.result.steps = e.steps
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

	selection
	rollsOut   bool                       // some step sets tolerations
	everywhere map[uint32]int32           // by owner: the last step that is for all of its pods
	overrides  map[int32]map[uint32]int32 // by chain: the step that counts for an owner
	groups     []nodeGroup
	groupOf    []uint32 // by position in nodes
	pairs      []pair
	pairOf     map[string]uint32

	judge
	tallies   []tally // by class of pods
	rolloutOf map[rolloutKey]uint32
	sameList  []int32 // by step: the first one with the same list

	positions []int32 // buffers
	taints    []taint.Taint
	text      []byte
	steps     int
	result    *Result
}

// nodeGroup is the nodes with the same taints, in the same order, that are selected by
// the same steps.
type nodeGroup struct {
	class         index.Class
	chain         int32
	nodes         int
	before, after []taint.Taint
	changed       bool // before and after differ
	pair          uint32
}

// groupKey is what the nodes of a group have in common. Where the times of taints count,
// each node is a group of its own.
type groupKey struct {
	class  index.Class
	chain  int32
	number int
}

// pair is what may evict pods from the nodes of some groups: their NoExecute taints before
// and after the plan. The first pair is that of none.
type pair struct {
	before, after []taint.Taint
	atOnce        map[int]fate // the verdicts of evictions at once, by taint
}

// applySteps groups the nodes and applies the steps, once for each group.
func (e *evaluation) applySteps() error {
	byKey := make(map[groupKey]uint32)
	e.pairs, e.pairOf = append(e.pairs, pair{}), make(map[string]uint32)
	e.groupOf = make([]uint32, len(e.nodes))
	var errs []error
	for i, n := range e.nodes {
		key := groupKey{class: e.fleet.Class(n.id), chain: n.chain}
		if e.timed() {
			key.number = n.id.Number() + 1
		}
		position, known := byKey[key]
		if !known {
			position = uint32(len(e.groups))
			byKey[key] = position
			e.groups = append(e.groups, nodeGroup{class: key.class, chain: key.chain})
			if err := e.applyTo(&e.groups[position], n.id); err != nil {
				errs = append(errs, err)
			}
		}
		e.groups[position].nodes++
		e.groupOf[i] = position
	}
	e.steps += len(e.nodes)
	return errors.Join(errs...)
}

// timed reports whether the times of a node's taints count.
func (e *evaluation) timed() bool { return e.Policy == match.SinceAdded && e.Added != nil }

// applyTo finds what the taints of a group become, one of whose nodes is given.
func (e *evaluation) applyTo(g *nodeGroup, id index.NodeID) error {
	g.before = e.fleet.AppendTaints(nil, g.class)
	if e.timed() {
		e.addTimes(g.before, id)
	}
	positions := e.stepsOf(g.chain)
	after, failed, err := e.applyAll(positions, g.before)
	e.steps += len(positions) + len(g.before) + len(after)
	if err != nil {
		name, _ := e.fleet.Name(id)
		return fmt.Errorf("steps[%d]: node %q: %w", failed, name, err)
	}
	g.after = after
	g.changed = !taint.Equal(g.before, g.after)
	g.pair = e.pairFor(g)
	return nil
}

// addTimes gives the NoExecute taints of a node their times.
func (e *evaluation) addTimes(taints []taint.Taint, id index.NodeID) {
	name, _ := e.fleet.Name(id)
	for i := range taints {
		if t := &taints[i]; t.Effect == taint.NoExecute {
			if since := e.Added(name, *t); !since.IsZero() {
				t.TimeAdded = &taint.Time{Time: since}
			}
		}
	}
}

// pairFor returns the position of the pair of a group.
func (e *evaluation) pairFor(g *nodeGroup) uint32 {
	e.text = appendEvicting(e.text[:0], g.before)
	e.text = append(e.text, '\n')
	e.text = appendEvicting(e.text, g.after)
	if len(e.text) == 1 {
		return 0
	}
	position, known := e.pairOf[string(e.text)]
	if known && e.Policy != match.SinceAdded { // the text has no times
		return position
	}
	position = uint32(len(e.pairs))
	e.pairs = append(e.pairs, pair{before: evicting(g.before), after: evicting(g.after)})
	e.pairOf[string(e.text)] = position
	return position
}

// appendEvicting appends a text of the NoExecute taints that no other list has.
func appendEvicting(dst []byte, taints []taint.Taint) []byte {
	for i := range taints {
		if taints[i].Effect == taint.NoExecute {
			dst = append(taints[i].AppendTo(dst), ' ')
		}
	}
	return dst
}

// evicting returns the NoExecute taints.
func evicting(taints []taint.Taint) (list []taint.Taint) {
	for i := range taints {
		if taints[i].Effect == taint.NoExecute {
			list = append(list, taints[i])
		}
	}
	return list
}

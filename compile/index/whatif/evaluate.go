package whatif

import (
	"encoding/binary"
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
		fleet: fleet, pods: pods, rules: fleet.Rules(), plan: plan, Options: o, cache: pods.recall(fleet),
		everywhere: make(map[uint32]int32),
		result:     &Result{fleet: fleet, running: pods.Running()},
	}
	before := e.tolerators.Steps()
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
	e.result.steps = e.steps + e.tolerators.Steps() - before
	pods.caches.Put(e.cache)
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
	*cache

	selection
	rollsOut   bool                       // some step sets tolerations
	everywhere map[uint32]int32           // by owner: the last step that is for all of its pods
	overrides  map[int32]map[uint32]int32 // by chain: the step that counts for an owner
	groups     []nodeGroup
	groupOf    []uint32 // by position in nodes
	pairs      []pair
	pairOf     map[string]uint32

	judge
	rolloutOf map[rolloutKey]uint32
	sameList  []int32 // by step: the first one with the same list

	lists []taint.Taint    // the last chunk of those of groups
	rows  []index.TaintRow // the last chunk of their rows

	ofChain   []int32 // buffers
	taints    []taint.Taint
	edited    [2][]taint.Taint
	groupRows groupRows
	text      []byte
	steps     int
	result    *Result
}

// nodeGroup is the nodes with the same taints, in the same order, that are selected by
// the same steps.
type nodeGroup struct {
	class         index.Class
	set           int // the hard taints
	chain         int32
	nodes         int
	first         index.NodeID // of these
	before, after []taint.Taint
	changed       bool // before and after differ
	pair          uint32
	rows          []index.TaintRow // of the taints before
	// The taints that it keeps, loses and gets; these are those of before and after.
	kept, removed, added []index.TaintRow
}

// groupKey returns what the nodes of a group have in common: their steps, and the number of
// their class. Where the times of taints count, each node is a group of its own.
func (e *evaluation) groupKey(n *selected, class index.Class) uint64 {
	number := class.Number()
	if e.timed() {
		number = n.id.Number()
	}
	return uint64(uint32(n.chain))<<32 | uint64(uint32(number))
}

// pair is what may evict pods from the nodes of some groups: their taints before and after
// the plan, of which only those with NoExecute count, and the rows of these. The first pair
// is that of none.
type pair struct {
	before, after         []taint.Taint
	rowsBefore, rowsAfter []index.TaintRow
}

// Where thousands of nodes have taints of their own, most of the time is spent waiting for
// memory. A loop that does little more than read, for one node after the other, waits for
// several reads at once. So there is a loop for the classes of the nodes, one for their
// taints, and one for the rows of these.

// applySteps groups the nodes and applies the steps, once for each group.
func (e *evaluation) applySteps() error {
	e.groupNodes()
	for i := range e.groups {
		g := &e.groups[i]
		e.taints = e.fleet.AppendTaints(e.taints[:0], g.class)
		g.before, g.set = keep(&e.lists, e.taints), e.fleet.HardSet(g.class)
	}
	for i := range e.groups {
		g := &e.groups[i]
		e.groupRows.before = e.tolerators.AppendRows(e.groupRows.before[:0], g.class)
		g.rows = keep(&e.rows, e.groupRows.before)
	}
	e.pairs, e.pairOf = append(e.pairs, pair{}), make(map[string]uint32)
	var errs []error
	for i := range e.groups {
		if err := e.applyTo(&e.groups[i]); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// groupNodes groups the nodes with the same taints and the same steps.
func (e *evaluation) groupNodes() {
	classes := make([]index.Class, len(e.nodes))
	for i := range e.nodes {
		classes[i] = e.fleet.Class(e.nodes[i].id)
	}
	clear(e.positions)
	e.groupOf = make([]uint32, len(e.nodes))
	for i, class := range classes {
		key := e.groupKey(&e.nodes[i], class)
		position, known := e.positions[key]
		if !known {
			position = uint32(len(e.positions))
			e.positions[key] = position
		}
		e.groupOf[i] = position
	}
	e.groups = make([]nodeGroup, len(e.positions))
	for i, position := range e.groupOf {
		g, n := &e.groups[position], &e.nodes[i]
		if g.nodes == 0 {
			g.class, g.chain, g.first = classes[i], n.chain, n.id
		}
		g.nodes++
	}
	e.steps += len(e.nodes)
}

// timed reports whether the times of a node's taints count.
func (e *evaluation) timed() bool { return e.Policy == match.SinceAdded && e.Added != nil }

// applyTo finds what the taints of a group become.
func (e *evaluation) applyTo(g *nodeGroup) error {
	if e.timed() {
		e.addTimes(g.before, g.first)
	}
	positions := e.stepsOf(g.chain)
	after, failed, err := e.applyAll(positions, g.before)
	e.steps += len(positions) + len(g.before) + len(after)
	if err != nil {
		name, _ := e.fleet.Name(g.first)
		return fmt.Errorf("steps[%d]: node %q: %w", failed, name, err)
	}
	if g.after = g.before; !taint.Equal(g.before, after) {
		g.after, g.changed = keep(&e.lists, after), true
	}
	e.addRows(g)
	return nil
}

// keep returns a copy of a list, in memory that it shares with others: otherwise each of
// thousands of small lists would be an allocation.
func keep[T any](chunk *[]T, list []T) []T {
	if cap(*chunk)-len(*chunk) < len(list) {
		*chunk = make([]T, 0, max(len(list), min(2*cap(*chunk)+64, 1<<12)))
	}
	start := len(*chunk)
	*chunk = append(*chunk, list...)
	return slices.Clip((*chunk)[start:])
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

// push appends x to a slice that doubles as it grows: append itself makes a long one grow
// by a quarter, and copies it the more often.
func push[T any](list []T, x T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, len(list)+1)
	}
	return append(list, x)
}

// addRows finds the rows of the taints of a group, and its pair. The plan puts taints first
// and leaves the others in their order, so one pass from the end tells what is kept; in any
// case, what it does not find again is removed and added.
func (e *evaluation) addRows(g *nodeGroup) {
	r := &e.groupRows
	r.before = append(r.before[:0], g.rows...)
	r.kept, r.removed, r.added = r.kept[:0], r.removed[:0], r.added[:0]
	r.after = slices.Grow(r.after[:0], len(g.after))[:len(g.after)]
	i := len(g.before) - 1
	for j := range slices.Backward(g.after) {
		for i >= 0 && !same(&g.before[i], &g.after[j]) {
			r.removed = append(r.removed, r.before[i])
			i--
		}
		if i < 0 {
			r.after[j] = e.tolerators.Row(&g.after[j])
			r.added = append(r.added, r.after[j])
			continue
		}
		r.after[j] = r.before[i]
		r.kept = append(r.kept, r.before[i])
		i--
	}
	r.removed = append(r.removed, r.before[:i+1]...)
	if g.changed {
		g.kept, g.removed, g.added = keep(&e.rows, r.kept), keep(&e.rows, r.removed), keep(&e.rows, r.added)
	}
	g.pair = e.pairFor(g)
}

// groupRows is the rows of a group that is looked at.
type groupRows struct{ before, after, kept, removed, added []index.TaintRow }

// same reports whether two taints are equal except for their times.
func same(a, b *taint.Taint) bool {
	return a.Key == b.Key && a.Value == b.Value && a.Effect == b.Effect
}

// pairFor returns the position of the pair of a group, whose rows are those at hand.
func (e *evaluation) pairFor(g *nodeGroup) uint32 {
	r := &e.groupRows
	r.before, r.after = evicting(r.before, g.before), evicting(r.after, g.after)
	if len(r.before)+len(r.after) == 0 {
		return 0
	}
	e.text = binary.NativeEndian.AppendUint32(e.text[:0], uint32(len(r.before)))
	for _, rows := range [...][]index.TaintRow{r.before, r.after} {
		for _, row := range rows {
			e.text = binary.NativeEndian.AppendUint32(e.text, uint32(row))
		}
	}
	position, known := e.pairOf[string(e.text)]
	if known && e.Policy != match.SinceAdded { // rows have no times
		return position
	}
	position = uint32(len(e.pairs))
	e.pairs = push(e.pairs, pair{g.before, g.after, keep(&e.rows, r.before), keep(&e.rows, r.after)})
	e.pairOf[string(e.text)] = position
	return position
}

// evicting leaves of the rows of taints those with NoExecute.
func evicting(rows []index.TaintRow, taints []taint.Taint) []index.TaintRow {
	kept := rows[:0]
	for i := range taints {
		if taints[i].Effect == taint.NoExecute {
			kept = append(kept, rows[i])
		}
	}
	return kept
}

package whatif

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// nodeGroup is the nodes with the same taints, in the same order, that are selected by
// the same steps.
type nodeGroup struct {
	class   index.Class
	set     int // the hard taints
	chain   int32
	nodes   int
	first   index.NodeID // of these
	changed bool         // the plan leaves other taints
	unique  bool         // its taints before are known to have no key and effect twice
	pair    uint32
	// The rows of the taints that it keeps, loses and gets.
	kept, removed, added []index.TaintRow
}

// groupKey returns what the nodes of a group have in common: their steps, and the number of
// their class. Where the times of taints count, each node is a group of its own.
func (e *evaluation) groupKey(n *selected, class index.Class) uint64 {
	number := class.Number()
	if e.timed() {
		number = n.id.Number()
	}
	return keyOf(n.chain, number)
}

// keyOf returns a key for a chain and a number of 32 bits.
func keyOf(chain int32, number int) uint64 {
	return uint64(uint32(chain))<<32 | uint64(uint32(number))
}

// Where thousands of nodes have taints of their own, most of the time is spent waiting for
// memory. A loop that does little more than read, for one node after the other, waits for
// several reads at once. So there is one loop for the classes of all nodes. Then groups are taken
// a few at a time, so that a near cache holds what is read: one loop reads their taints, another
// the rows of these.

// applySteps groups the nodes and applies the steps, once for each group.
func (e *evaluation) applySteps() error {
	e.groupNodes()
	e.pairs, e.pairOf = append(e.pairs, pair{}), e.emptied()
	var errs []error
	for groups := range slices.Chunk(e.groups, lookups) {
		e.readTaints(groups)
		first := 0
		for i, end := range e.ends {
			if err := e.applyTo(&groups[i], e.lists[first:end:end], e.listRows[first:end]); err != nil {
				errs = append(errs, err)
			}
			first = end
		}
	}
	e.result.outcome.outcomes = e.outcomes.clone()
	return errors.Join(errs...)
}

// groupNodes groups the nodes with the same taints and the same steps.
func (e *evaluation) groupNodes() {
	for i := range e.nodes {
		e.classes = append(e.classes, e.fleet.Class(e.nodes[i].id))
	}
	positions := e.emptied()
	for i, class := range e.classes {
		n := &e.nodes[i]
		key := e.groupKey(n, class)
		position, known := positions[key]
		if !known {
			position = uint32(len(e.groups))
			positions[key] = position
			e.groups = append(e.groups, nodeGroup{class: class, chain: n.chain, first: n.id})
		}
		e.groups[position].nodes++
		e.groupOf = append(e.groupOf, position)
	}
	e.steps += len(e.nodes)
}

// readTaints reads the taints of some groups, and finds their rows.
func (e *evaluation) readTaints(groups []nodeGroup) {
	e.classes = e.classes[:0]
	for i := range groups {
		g := &groups[i]
		g.set = e.fleet.HardSet(g.class)
		e.classes = append(e.classes, g.class)
	}
	e.lists, e.ends = e.fleet.AppendTaintsOf(e.lists[:0], e.ends[:0], e.classes)
	e.listRows = e.tolerators.AppendRows(e.listRows[:0], e.classes...)
}

// timed reports whether the times of a node's taints count.
func (e *evaluation) timed() bool { return e.Policy == match.SinceAdded && e.Added != nil }

// applyTo finds what becomes of the taints of a group, which have these rows.
func (e *evaluation) applyTo(g *nodeGroup, before []taint.Taint, rows []index.TaintRow) error {
	if e.timed() {
		e.addTimes(before, g.first)
	}
	positions := e.stepsOf(g.chain)
	after, failed, err := e.applyAll(positions, before)
	e.steps += len(positions) + len(before) + len(after)
	if err != nil {
		name, _ := e.fleet.Name(g.first)
		return fmt.Errorf("steps[%d]: node %q: %w", failed, name, err)
	}
	g.changed = !taint.Equal(before, after)
	g.unique = g.changed && e.uniqueInSet(g.set, before, rows)
	e.addRows(g, before, after, rows)
	return nil
}

// uniqueInSet returns what unique does, and remembers it for lists without soft taints. Those with
// the same set have the same taints; if one is unique, so are all that are as long.
func (c *cache) uniqueInSet(set int, taints []taint.Taint, rows []index.TaintRow) bool {
	soft := slices.Contains(rows, 0)
	if !soft && int(c.lengths[set]) == len(taints) {
		return true
	}
	if !unique(taints) {
		return false
	}
	if !soft {
		c.lengths[set] = uint8(len(taints))
	}
	return true
}

// unique reports whether a list is known to have no two taints with the same key and
// effect. Long lists are not worth the time.
func unique(taints []taint.Taint) bool {
	if len(taints) > 16 {
		return false
	}
	for i := range taints {
		if taint.Exists(taints[:i], &taints[i]) {
			return false
		}
	}
	return true
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

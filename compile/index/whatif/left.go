package whatif

import (
	"github.com/tolero-dev/tolero/compile/index"
)

// left says which classes of pods have a node with the plan.
type left struct {
	*Result
	fit   index.Fit
	looks int // so far

	tolerations int // of the classes that are asked about
}

// Unschedulable returns those classes that fit no node with the plan: pods that it
// evicts find no place, and the others cannot be replaced. It returns nil if there are
// none. If a node without hard taints is left, every class that keeps its list fits it, and
// the time is that of looking at the changes of taints; else the index is asked about each
// class that loses nodes or pods. If that takes too long, because many classes fit many
// different nodes, all nodes are compared with the rest of the classes, 64 at a time.
func (r *Result) Unschedulable() []ClassChange {
	classes, _ := r.unschedulable()
	return classes
}

// unschedulable also returns how many steps it took.
func (r *Result) unschedulable() (classes []ClassChange, looks int) {
	l := left{Result: r}
	asked := l.asked()
	for i, class := range asked {
		if l.looks > patience(r.fleet.HardSets(), len(asked)-i, l.tolerations) {
			classes = append(classes, l.together(asked[i:])...)
			break
		}
		c := &r.classes[class]
		more, looks := r.fleet.FitsMore(&l.fit, c.tolerations, int(c.lost))
		if !more {
			classes = append(classes, c.change())
		}
		l.looks += looks
	}
	for _, c := range r.rollouts {
		if c.left == 0 {
			classes = append(classes, c)
		}
	}
	return classes, l.looks
}

// asked returns the positions of the classes that may have no node.
func (l *left) asked() (positions []uint32) {
	if len(l.classes) == 0 || l.clean(l.fleet.Clean()) > 0 {
		return nil
	}
	for i := range l.classes {
		if c := &l.classes[i]; c.lost+c.evicted > 0 && c.gained == 0 {
			positions = append(positions, uint32(i))
			l.tolerations += len(c.tolerations)
		}
	}
	return positions
}

// patience is how many steps the classes are asked about one by one, where some are left
// and there are so many different sets of taints: as many as all of them together would
// take, for which their tolerations have to be indexed. A variable for tests.
var patience = func(sets, classes, tolerations int) int {
	return sets*(4+classes/64) + 4*tolerations
}

// together returns which of some classes fit no node, by counting for each set of taints
// who tolerates it: first the nodes that do not change, and then the others.
func (l *left) together(asked []uint32) (classes []ClassChange) {
	pods := index.NewPods(l.fleet.Rules())
	of := make([]index.PodClass, len(asked))
	for i, class := range asked {
		of[i] = pods.Add(l.classes[class].tolerations)
	}
	who := pods.Tolerators(l.fleet)
	var rows []index.TaintRow
	for _, u := range l.unchanged() {
		if u.nodes > 0 {
			rows = who.AppendRows(rows[:0], u.class)
			who.NodesAdded(rows, u.nodes)
		}
	}
	for i := range l.moves {
		m := &l.moves[i]
		rows = rows[:0]
		for j := range m.after {
			rows = append(rows, who.Row(&m.after[j]))
		}
		who.NodesAdded(rows, m.nodes)
	}
	counts := who.FitCounts()
	for i, class := range asked {
		if counts[of[i]].Gained == 0 {
			classes = append(classes, l.classes[class].change())
		}
	}
	l.looks += who.Looks()
	return classes
}

// sameTaints is nodes with the same hard taints, some of which have a class.
type sameTaints struct {
	class index.Class
	nodes int
}

// unchanged returns how many nodes the plan does not change, by the number of their hard
// taints.
func (l *left) unchanged() []sameTaints {
	sets := make([]sameTaints, l.fleet.HardSets())
	for class, n := range l.fleet.Classes() {
		s := &sets[l.fleet.HardSet(class)]
		s.class = class
		s.nodes += n
	}
	for i := range l.moves {
		sets[l.fleet.HardSet(l.moves[i].class)].nodes -= l.moves[i].nodes
	}
	return sets
}

// clean returns how many nodes without hard taints there are with the plan, of which
// there are n without it.
func (r *Result) clean(n int) int {
	for i := range r.moves {
		m := &r.moves[i]
		if m.cleanBefore {
			n -= m.nodes
		}
		if m.cleanAfter {
			n += m.nodes
		}
	}
	return n
}

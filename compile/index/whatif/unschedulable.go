package whatif

import (
	"github.com/tolero-dev/tolero/compile/index"
)

// finder finds the classes of pods that fit no node with the plan.
type finder struct {
	*Result
	fit         index.Fit
	steps       int // so far
	tolerations int // how many the classes have that are asked about
}

// Unschedulable returns those of the classes of [Result.Classes] that fit no node with the
// plan: their evicted pods find no place, and the other pods cannot be replaced. It returns
// nil if there are none. Each call computes the answer anew; any number of goroutines may
// call it.
//
// If a node without hard taints is left, every class that keeps its list fits it, and the
// time is that of looking at the changes of taints. Otherwise Unschedulable asks the index
// about each class that loses nodes or pods. If that takes too long, because many classes
// fit many different nodes, it compares all nodes with the rest of the classes, 64 at a time.
func (r *Result) Unschedulable() []ClassChange {
	classes, _ := r.unschedulable()
	return classes
}

// unschedulable also returns how many steps it took.
func (r *Result) unschedulable() (classes []ClassChange, steps int) {
	f := finder{Result: r}
	asked := f.asked()
	for i, c := range asked {
		if f.steps > stepLimit(r.fleet.HardSets(), len(asked)-i, f.tolerations) {
			classes = append(classes, f.together(asked[i:])...)
			break
		}
		more, steps := r.fleet.FitsMoreThan(&f.fit, r.texts.list(c.class), int(c.lost))
		if !more {
			classes = append(classes, r.change(c))
		}
		f.steps += steps
	}
	for _, c := range r.rollouts {
		if c.left > 0 {
			continue
		}
		classes = append(classes, c)
	}
	return classes, f.steps
}

// asked returns the classes that may have no node.
func (f *finder) asked() (classes []classTally) {
	if len(f.classes.bytes) == 0 || f.clean(f.fleet.WithoutHardTaints()) > 0 {
		return nil
	}
	for c := range f.classes.all() {
		if c.gained > 0 {
			continue
		}
		classes = append(classes, c) // every class here gains or loses nodes or loses pods
		f.tolerations += len(f.texts.list(c.class))
	}
	return classes
}

// stepLimit is how many steps may be spent on asking about classes one by one: about as many
// as asking about all classes together would take. That is four for each set of taints, one
// for each 64 classes and set, and four for each toleration, which has to be indexed. A
// variable for tests.
var stepLimit = func(sets, classes, tolerations int) int {
	return sets*(4+classes/64) + 4*tolerations
}

// together returns those of some classes that fit no node, by counting for each set of taints
// which classes tolerate it: first for the nodes that do not change, and then for the others.
func (f *finder) together(asked []classTally) (classes []ClassChange) {
	pods := index.NewPods(f.fleet.Rules())
	of := make([]index.PodClass, len(asked))
	for i, c := range asked {
		of[i] = pods.Add(f.texts.list(c.class))
	}
	who := pods.Tolerators(f.fleet)
	var rows []index.TaintRow
	for _, u := range f.unchanged() {
		if u.nodes > 0 {
			rows = who.AppendRows(rows[:0], u.class)
			who.NodesAdded(rows, u.nodes)
		}
	}
	for _, m := range f.moves {
		after := f.outcome.taints(f.fleet, m.group)
		rows = rows[:0]
		for i := range after {
			rows = append(rows, who.Row(&after[i]))
		}
		who.NodesAdded(rows, int(m.nodes))
	}
	for i, c := range asked {
		if who.FitCount(of[i]).Gained > 0 {
			continue
		}
		classes = append(classes, f.change(c))
	}
	f.steps += who.Steps()
	return classes
}

// sameTaints is nodes with the same hard taints.
type sameTaints struct {
	class index.Class // of some of them
	nodes int
}

// unchanged returns the nodes that the plan does not change, by the number of their set of
// hard taints.
func (f *finder) unchanged() []sameTaints {
	sets := make([]sameTaints, f.fleet.HardSets())
	for class, n := range f.fleet.Classes() {
		s := &sets[f.fleet.HardSet(class)]
		s.class = class
		s.nodes += n
	}
	for _, m := range f.moves {
		sets[f.fleet.HardSet(f.outcome.groups[m.group].class)].nodes -= int(m.nodes)
	}
	return sets
}

// clean returns how many nodes have no hard taints with the plan, if n have none without it.
func (r *Result) clean(n int) int {
	for i := range r.moves {
		m := &r.moves[i]
		if m.cleanBefore {
			n -= int(m.nodes)
		}
		if m.cleanAfter {
			n += int(m.nodes)
		}
	}
	return n
}

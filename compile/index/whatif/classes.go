package whatif

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// rolloutKey is the pods of an owner that have one list and get that of a step.
type rolloutKey struct {
	owner uint32
	lists
}

// lists is the list that pods have, and the one that a step gives them.
type lists struct {
	class index.PodClass
	list  int32 // the first step that gives it
}

// move is the nodes whose hard taints change in the same way.
type move struct {
	group                   uint32 // of some of them
	nodes                   uint32
	cleanBefore, cleanAfter bool // without a hard taint
}

// rollout returns the change for pods of an owner that get another list.
func (e *evaluation) rollout(owner uint32, class index.PodClass, step int32) *ClassChange {
	key := rolloutKey{owner, lists{class, e.listOf(step)}}
	position, known := e.rolloutOf[key]
	if !known {
		position = uint32(len(e.result.rollouts))
		e.rolloutOf[key] = position
		e.result.rollouts = append(e.result.rollouts, ClassChange{
			Owner:  e.pods.owners.groups.At(owner).name,
			Before: e.pods.classes.Tolerations(class),
			After:  e.plan.Steps[step].Tolerations,
			lists:  key.lists,
		})
	}
	return &e.result.rollouts[position]
}

// listOf returns the first step with the same list as a step: several may have it.
func (e *evaluation) listOf(step int32) int32 {
	if e.sameList == nil {
		e.sameList = make([]int32, len(e.plan.Steps))
		first := make(map[string]int32)
		for i := range e.plan.Steps {
			text := toleration.FormatList(e.plan.Steps[i].Tolerations)
			if _, known := first[text]; !known {
				first[text] = int32(i)
			}
			e.sameList[i] = first[text]
		}
	}
	return e.sameList[step]
}

// moves returns what happens to hard taints, in the order of the first node of each. Nodes
// with the same hard taints and the same steps have one move, unless a taint is repeated.
func (e *evaluation) moves() []move {
	positions, moves := e.emptied(), e.moving[:0]
	for i := range e.groups {
		g := &e.groups[i]
		if !g.changed {
			continue
		}
		key := keyOf(g.chain, g.set)
		position, known := positions[key]
		if !known || !g.unique {
			position = uint32(len(moves))
			positions[key] = position
			clean := !hasHard(g.kept)
			moves = append(moves, move{uint32(i), 0, clean && !hasHard(g.removed), clean && !hasHard(g.added)})
		}
		moves[position].nodes += uint32(g.nodes)
	}
	e.moving = moves
	return slices.Clone(moves)
}

// hasHard reports whether some row is that of taints that keep pods away.
func hasHard(rows []index.TaintRow) bool {
	return slices.ContainsFunc(rows, func(row index.TaintRow) bool { return row != 0 })
}

func (r *Result) change(c classTally) ClassChange {
	list := r.texts.list(c.class)
	return ClassChange{
		Before: list, After: list, Pods: int(c.pods),
		Gained: int(c.gained), Lost: int(c.lost), Evicted: int(c.evicted),
	}
}

// judgeClasses finds the classes of pods that gain or lose nodes.
func (e *evaluation) judgeClasses() {
	r := e.result
	r.moves = e.moves()
	for i := range r.moves {
		m := &r.moves[i]
		g := &e.groups[m.group]
		e.tolerators.NodesUpdated(g.kept, g.removed, g.added, int(m.nodes))
	}
	others := e.rolledOut()
	next := index.PodClass(0)
	for class, n := range e.tolerators.FitCounts() {
		e.tallyEvicted(next, class, others)
		e.tally(class, n, others)
		next = class + 1
	}
	e.tallyEvicted(next, index.PodClass(len(e.pods.limits)), others)
	r.classes = e.tallies.clone()
	e.tolerators.ClearCounts()
}

// tally adds the tally of a class, which gains and loses these nodes. Others says how many pods
// of a class get another list.
func (e *evaluation) tally(class index.PodClass, n index.FitCount, others map[index.PodClass]int) {
	evicted := e.evicted.take(class)
	if pods := e.pods.classes.Count(class) - others[class]; pods > 0 {
		e.tallies.add(classTally{class, uint32(pods), n.Gained, n.Lost, evicted})
	}
}

// tallyEvicted adds tallies for the classes with evicted pods from first to just before end. These
// classes gain and lose no nodes. Those before first have their tallies already.
func (e *evaluation) tallyEvicted(first, end index.PodClass, others map[index.PodClass]int) {
	for i := first / 64; i*64 < end; i++ {
		e.steps++
		for word := e.evicted.some.Word(i); word != 0; word &= word - 1 {
			if class := i*64 + index.PodClass(bits.TrailingZeros64(word)); class < end {
				e.tally(class, index.FitCount{}, others)
			}
		}
	}
}

// rolledOut returns how many pods of a class get another list.
func (e *evaluation) rolledOut() map[index.PodClass]int {
	pods := make(map[index.PodClass]int)
	for i := range e.result.rollouts {
		c := &e.result.rollouts[i]
		pods[c.class] += c.Pods
	}
	return pods
}

// judgeRollouts finds which nodes are gained and lost by pods that get another list. Owners
// whose pods have the same lists before and after share the work.
func (e *evaluation) judgeRollouts() {
	rollouts := e.result.rollouts
	slices.SortStableFunc(rollouts, func(a, b ClassChange) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.list, b.list))
	})
	var b rolloutBuffers
	for i := range rollouts {
		c := &rollouts[i]
		if i > 0 && rollouts[i-1].lists == c.lists {
			c.Gained, c.Lost, c.left = rollouts[i-1].Gained, rollouts[i-1].Lost, rollouts[i-1].left
			continue
		}
		e.judgeRollout(c, &b)
	}
}

// rolloutBuffers are used again for the next list.
type rolloutBuffers struct {
	old, updated           index.Fit
	oldWords, updatedWords []uint64
}

// judgeRollout compares what fits the old list with what fits the new one: first as if the
// plan changed no taints, and then where it does.
func (e *evaluation) judgeRollout(c *ClassChange, b *rolloutBuffers) {
	e.fleet.FitList(&b.old, c.Before)
	e.fleet.FitList(&b.updated, c.After)
	b.oldWords = b.old.AppendWords(b.oldWords[:0])
	b.updatedWords = b.updated.AppendWords(b.updatedWords[:0])
	for i, old := range b.oldWords {
		c.Gained += bits.OnesCount64(b.updatedWords[i] &^ old)
		c.Lost += bits.OnesCount64(old &^ b.updatedWords[i])
	}
	c.left = b.updated.Len()
	active := e.rules.Active(nil, c.After)
	for i := range e.result.moves {
		m := &e.result.moves[i]
		_, refused := match.FirstUntolerated(e.result.outcome.taints(e.fleet, m.group), active, taint.Hard)
		class, nodes := e.groups[m.group].class, int(m.nodes)
		before := b.old.HasClass(class)
		c.count(before, b.updated.HasClass(class), -nodes)
		c.count(before, !refused, nodes)
	}
	e.steps += len(b.oldWords) + len(e.result.moves)
}

// count counts nodes that fit before or after; a negative number takes nodes back that were
// counted as if the plan changed no taints.
func (c *ClassChange) count(before, after bool, nodes int) {
	switch {
	case after && !before:
		c.Gained += nodes
	case before && !after:
		c.Lost += nodes
	}
	if after {
		c.left += nodes
	}
}

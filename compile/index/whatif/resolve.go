package whatif

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// chain is the steps that select a node, as a list from the last one back: nodes that
// are selected by the same steps share it. The zero position of e.chains is that of no
// step.
type chain struct {
	before int32 // the chain without the last step
	step   int32
}

// eachStep calls do with the steps of a chain, from the last one back.
func eachStep(chains []chain, of int32, do func(step int32)) {
	for ; of != 0; of = chains[of].before {
		do(chains[of].step)
	}
}

// selected is a node that some step selects.
type selected struct {
	id    index.NodeID
	chain int32
}

// selection is the nodes that the steps of a plan select.
type selection struct {
	chains []chain
	nodes  []selected
	byNode map[uint64]uint32 // the position in nodes, by the number of the node, until these are sorted
	longer map[int32]int32   // by chain: what it becomes by the current step
	fresh  int32             // the first chain that ends with the current step

	names []string // of the last step with names, and their IDs
	ids   []index.NodeID
}

// resolve finds the nodes that the steps select, in the order of their numbers.
func (e *evaluation) resolve() {
	e.chains = append(e.chains, chain{})
	e.byNode, e.longer = e.emptied(), make(map[int32]int32)
	e.overrides = make(map[int32]map[uint32]int32)
	for i := range e.plan.Steps {
		s := &e.plan.Steps[i]
		e.rollsOut = e.rollsOut || s.forPods()
		e.fresh = int32(len(e.chains))
		clear(e.longer)
		if s.Nodes.empty() { // checked: only a step for pods may be so
			e.selectOwner(i, s)
		} else {
			e.selectNodes(i, &s.Nodes)
		}
	}
	slices.SortFunc(e.nodes, func(a, b selected) int { return cmp.Compare(a.id.Number(), b.id.Number()) })
}

// add adds the i-th step to the chain of a node, once.
func (a *selection) add(i int, id index.NodeID) {
	number := uint64(id.Number())
	position, known := a.byNode[number]
	if !known {
		position = uint32(len(a.nodes))
		a.byNode[number] = position
		a.nodes = append(a.nodes, selected{id: id})
	}
	n := &a.nodes[position]
	if n.chain >= a.fresh {
		return // this step selects the node again
	}
	longer, known := a.longer[n.chain]
	if !known {
		longer = int32(len(a.chains))
		a.longer[n.chain] = longer
		a.chains = append(a.chains, chain{n.chain, int32(i)})
	}
	n.chain = longer
}

// selectNodes finds the nodes of a step.
func (e *evaluation) selectNodes(i int, n *Nodes) {
	if n.Names != nil {
		e.selectNames(i, n)
		return
	}
	var keep func(index.Class) bool
	if n.Tainted != nil {
		keep = func(c index.Class) bool { return e.tainted(n, c) }
	}
	for id := range e.fleet.Nodes(keep) {
		if n.Where == nil || e.where(n, id) {
			e.add(i, id)
		}
	}
}

func (e *evaluation) selectNames(i int, n *Nodes) {
	e.nodes = slices.Grow(e.nodes, len(n.Names))
	tainted := make(map[index.Class]bool)
	for j, id := range e.idsOf(n.Names) {
		if id == (index.NodeID{}) {
			e.errs.Add(fmt.Sprintf("steps[%d].nodes.names[%d]", i, j), taint.Invalid, n.Names[j], "there is no such node")
			continue
		}
		if n.Tainted != nil {
			class := e.fleet.Class(id)
			passes, known := tainted[class]
			if !known {
				passes = e.tainted(n, class)
				tainted[class] = passes
			}
			if !passes {
				continue
			}
		}
		if n.Where == nil || e.where(n, id) {
			e.add(i, id)
		}
	}
}

// idsOf returns the IDs of nodes by their names, and the zero NodeID for a name that there
// is not. Steps that share a slice of names look them up once: a node is a few cache
// misses away from its name, and plans cordon what they empty.
func (e *evaluation) idsOf(names []string) []index.NodeID {
	if len(names) > 0 && len(names) == len(e.names) && &names[0] == &e.names[0] {
		return e.ids
	}
	e.names, e.ids = names, e.fleet.AppendIDs(e.ids[:0], names)
	e.steps += len(names)
	return e.ids
}

// tainted reports whether the nodes of a class have a taint that is asked for.
func (e *evaluation) tainted(n *Nodes, c index.Class) bool {
	e.taints = e.fleet.AppendTaints(e.taints[:0], c)
	e.steps += len(e.taints)
	for i := range e.taints {
		if match.Tolerates(n.Tainted, &e.taints[i]) {
			return true
		}
	}
	return false
}

// where asks the function of a selection about a node.
func (e *evaluation) where(n *Nodes, id index.NodeID) bool {
	e.taints = e.fleet.AppendTaints(e.taints[:0], e.fleet.Class(id))
	name, _ := e.fleet.Name(id)
	return n.Where(name, e.taints)
}

// selectOwner finds the nodes that the pods of an owner run on. The pods that wait, or
// run on a node that is not known, are remembered apart.
func (e *evaluation) selectOwner(i int, s *Step) {
	owner := e.pods.owners.find(s.Owner)
	members := e.pods.owners.groups.At(owner).members
	e.steps += len(members)
	for _, position := range members {
		on := e.pods.pods[position].node
		if id, ok := e.fleet.ID(e.pods.nodes.groups.At(on).name); ok {
			e.add(i, id)
		}
	}
	e.everywhere[owner] = int32(i)
}

// stepsOf returns the positions of those steps of a chain that change taints, the first
// one first. The result is good until the next call.
func (e *evaluation) stepsOf(of int32) []int32 {
	e.ofChain = e.ofChain[:0]
	eachStep(e.chains, of, func(step int32) {
		if !e.plan.Steps[step].forPods() {
			e.ofChain = append(e.ofChain, step)
		}
	})
	slices.Reverse(e.ofChain)
	return e.ofChain
}

// overridesOf returns which step gives the pods of an owner their list on the nodes of a
// chain: the last one. It is nil if there is none.
func (e *evaluation) overridesOf(of int32) map[uint32]int32 {
	if !e.rollsOut {
		return nil
	}
	if known, ok := e.overrides[of]; ok {
		return known
	}
	var byOwner map[uint32]int32
	eachStep(e.chains, of, func(step int32) {
		e.steps++
		s := &e.plan.Steps[step]
		if !s.forPods() {
			return
		}
		if byOwner == nil {
			byOwner = make(map[uint32]int32)
		}
		owner := e.pods.owners.find(s.Owner)
		if _, later := byOwner[owner]; !later {
			byOwner[owner] = step
		}
	})
	e.overrides[of] = byOwner
	return byOwner
}

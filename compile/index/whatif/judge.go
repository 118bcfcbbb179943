package whatif

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
)

// judgePods decides about the pods on the nodes that are selected.
func (e *evaluation) judgePods() {
	e.override, e.rolloutOf = make(map[overrideKey]fate), make(map[rolloutKey]uint32)
	r := e.result
	r.nodes = make([]node, len(e.nodes))
	e.findPods()
	e.expect()
	for nodes := range slices.Chunk(e.byPair(), lookups) {
		e.judgeNodes(nodes)
	}
	e.round += uint32(len(e.pairs))
	e.judgeElsewhere()
	kept := uint32(0)
	for i := range r.nodes {
		if n := &r.nodes[i]; e.changed[i] {
			r.total.add(n.summary())
			r.nodes[kept] = *n
			kept++
		}
	}
	r.fates, r.chains, r.plan = e.fates.clone(), e.chains, e.plan
	if r.nodes = r.nodes[:kept]; 2*len(r.nodes) < cap(r.nodes) {
		r.nodes = slices.Clone(r.nodes) // a plan for all nodes may change a few
	}
}

// findPods finds the names of the nodes and the pods on them.
func (e *evaluation) findPods() {
	e.unplaced, e.unplacedNames = e.unplaced[:0], e.unplacedNames[:0]
	for i := range e.nodes {
		n, id := &e.result.nodes[i], e.nodes[i].id
		if n.name, _ = e.fleet.Name(id); *e.place(i) == 0 {
			e.unplaced, e.unplacedNames = append(e.unplaced, i), append(e.unplacedNames, n.name)
		}
	}
	var again int
	e.positionsOf, again = e.pods.nodes.appendPositions(e.positionsOf[:0], e.unplacedNames)
	e.steps += len(e.unplaced) + again
	for j, i := range e.unplaced {
		*e.place(i) = placeAt(e.positionsOf[j])
		if e.result.nodes[i].name == "" { // waiting pods have the empty name
			*e.place(i) = noPods
		}
	}
	e.on, e.changed = zeros(e.on, len(e.nodes)), zeros(e.changed, len(e.nodes))
	for i := range e.nodes {
		switch at, g := *e.place(i), &e.groups[e.groupOf[i]]; {
		case at == noPods:
		case g.pair != 0 || e.overridesOf(g.chain) != nil:
			e.on[i] = e.pods.nodes.share(at.position())
		default: // nothing happens to the pods: they are counted only
			e.result.nodes[i].stay = uint32(len(e.pods.nodes.groups.At(at.position()).members))
		}
	}
}

// place returns the place of the pods on the i-th node.
func (e *evaluation) place(i int) *place {
	number := e.nodes[i].id.Number()
	if number >= len(e.places) {
		e.places = append(e.places, make([]place, number+1-len(e.places))...)
	}
	return &e.places[number]
}

// expect says how many pods the rows of the pairs will be asked about.
func (e *evaluation) expect() {
	e.onPair = zeros(e.onPair, len(e.pairs))
	for i, g := range e.groupOf {
		e.onPair[e.groups[g].pair] += len(e.on[i])
	}
	for i := range e.pairs {
		for _, rows := range [...][]index.TaintRow{e.pairs[i].rowsBefore, e.pairs[i].rowsAfter} {
			for _, row := range rows {
				e.tolerators.Expect(row, e.onPair[i])
			}
		}
	}
}

// byPair returns the positions of the nodes, in the order of their pairs.
func (e *evaluation) byPair() []uint32 {
	e.next = zeros(e.next, len(e.pairs)+1)
	for _, g := range e.groupOf {
		e.next[e.groups[g].pair+1]++
	}
	for i := range e.pairs {
		e.next[i+1] += e.next[i]
	}
	e.order = zeros(e.order, len(e.groupOf))
	for i, g := range e.groupOf {
		at := &e.next[e.groups[g].pair]
		e.order[*at] = uint32(i)
		*at++
	}
	return e.order
}

// judgeNodes decides about the pods of some nodes in three loops: it reads what they are, decides,
// and counts.
func (e *evaluation) judgeNodes(nodes []uint32) {
	e.readKinds(nodes)
	e.gone = e.gone[:0]
	kinds := e.kinds
	for _, i := range nodes {
		n := len(e.on[i])
		e.judgeNode(i, kinds[:n])
		kinds = kinds[n:]
	}
	for _, class := range e.gone {
		e.evicted.add(class)
	}
}

// readKinds reads the kinds of the pods of some nodes: first one of each node, so that the
// processor waits for all of them at once.
func (e *evaluation) readKinds(nodes []uint32) {
	for _, i := range nodes {
		if on := e.on[i]; len(on) > 0 {
			e.touched |= on[0].limit
		}
	}
	e.kinds = e.kinds[:0]
	for _, i := range nodes {
		for j := range e.on[i] {
			e.kinds = append(e.kinds, e.on[i][j].kind)
		}
	}
}

// judgeNode decides about the pods of the i-th node, which are of these kinds.
func (e *evaluation) judgeNode(i uint32, kinds []kind) {
	n, g := &e.result.nodes[i], &e.groups[e.groupOf[i]]
	n.group, e.changed[i] = e.groupOf[i], g.changed
	overrides := e.overridesOf(g.chain)
	e.ofNode = e.ofNode[:0]
	for j := range kinds {
		k, f := &kinds[j], stays
		if step, changes := stepFor(overrides, k.owner); changes {
			e.changed[i] = true
			f = e.judgeOverride(k, g.pair, step)
		} else if g.pair != 0 {
			f = e.judgeClass(k, g.pair)
		}
		n.count(f, e.result)
		e.ofNode = append(e.ofNode, f)
	}
	if n.now+n.later > 0 {
		n.residents = e.on[i]
		e.noteFates(n)
	}
	e.steps += len(kinds)
}

// noteFates keeps the fates at hand: those of the pods on a node from which some are evicted.
func (e *evaluation) noteFates(n *node) {
	if n.fate = e.ofNode[0]; !slices.ContainsFunc(e.ofNode, func(f fate) bool { return f != n.fate }) {
		return
	}
	n.first, n.fate = e.fates.add(e.ofNode)
}

// judgeElsewhere counts the pods that get another list, and wait or run on nodes that the
// snapshot does not have.
func (e *evaluation) judgeElsewhere() {
	for _, owner := range sortedKeys(e.everywhere) {
		step := e.everywhere[owner]
		for _, position := range e.pods.owners.groups.At(owner).members {
			at := &e.pods.pods[position]
			on := e.pods.nodes.groups.At(at.node)
			if _, known := e.fleet.ID(on.name); on.name == "" || !known {
				e.rollout(owner, on.members[at.onNode].class, step).Pods++
			}
		}
	}
}

func sortedKeys(m map[uint32]int32) (keys []uint32) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

package whatif

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// judge is what decides about pods. Nodes of the same pair come together, so that each
// pair of taints and toleration list is asked about once.
type judge struct {
	override map[overrideKey]fate
	atOnce   []fate                  // by row of the taint: the verdict of an eviction at once, plus one
	counted  []toleration.Toleration // a buffer
}

// remembered is the fate of the pods of a class on the nodes of a pair, which the round tells.
type remembered struct {
	round uint32
	fate  fate
}

// overrideKey is pods of a class that get the list of a step.
type overrideKey struct {
	pair  uint32
	class index.PodClass
	step  int32
}

// fate is what becomes of a pod: one of these, or the position of a verdict that evicts.
type fate int32

const (
	stays fate = -1 - iota
	spared
	anyway // with the plan or without
)

// verdict is why and when the plan evicts a pod.
type verdict struct {
	taint taint.Taint
	after time.Duration
}

// judgePods decides about the pods on the nodes that are selected.
func (e *evaluation) judgePods() {
	e.override, e.rolloutOf = make(map[overrideKey]fate), make(map[rolloutKey]uint32)
	r := e.result
	r.nodes = make([]node, len(e.nodes))
	e.findPods()
	e.expect()
	for _, i := range e.byPair() {
		e.judgeNode(int(i), &e.groups[e.groupOf[i]])
	}
	e.round += uint32(len(e.pairs))
	e.judgeElsewhere()
	kept := uint32(0)
	for i := range r.nodes {
		if n := &r.nodes[i]; n.changed {
			n.after = e.lasting(&e.groups[e.groupOf[i]])
			r.total.add(n.summary())
			r.nodes[kept] = *n
			kept++
		}
	}
	r.nodes, r.chains, r.plan = r.nodes[:kept], e.chains, e.plan
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
	e.positionsOf = e.pods.nodes.appendPositions(e.positionsOf[:0], e.unplacedNames)
	e.steps += len(e.unplaced)
	for j, i := range e.unplaced {
		*e.place(i) = placeAt(e.positionsOf[j])
		if e.result.nodes[i].name == "" { // waiting pods have the empty name
			*e.place(i) = noPods
		}
	}
	e.on = zeros(e.on, len(e.nodes))
	for i := range e.nodes {
		at := *e.place(i)
		if at == noPods {
			continue
		}
		if e.groups[e.groupOf[i]].pair == 0 && !e.rollsOut { // nobody is evicted: the pods are counted only
			e.on[i] = e.pods.nodes.groups[at.position()].members
		} else {
			e.on[i] = e.pods.nodes.share(at.position())
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

// judgeNode decides about the pods of the i-th node.
func (e *evaluation) judgeNode(i int, g *nodeGroup) {
	n, residents := &e.result.nodes[i], e.on[i]
	n.chain, n.changed = g.chain, g.changed
	overrides := e.overridesOf(g.chain)
	if g.pair == 0 && overrides == nil {
		n.stay = uint32(len(residents))
		return
	}
	e.ofNode = e.ofNode[:0]
	for j := range residents {
		pod := &residents[j]
		fate := stays
		if step, changes := stepFor(overrides, pod.owner); changes {
			n.changed = true
			fate = e.judgeOverride(pod, g.pair, step)
		} else if g.pair != 0 {
			fate = e.judgeClass(pod.class, g.pair)
		}
		n.count(fate, e.result)
		e.ofNode = append(e.ofNode, fate)
	}
	if n.now+n.later > 0 {
		n.residents, n.fates = residents, keep(&e.chunks.fates, e.ofNode)
	}
	e.steps += len(residents)
}

// stepFor returns the step that sets the list of an owner's pods, if one does.
func stepFor(overrides map[uint32]int32, owner uint32) (step int32, found bool) {
	if overrides != nil { // most plans have none, and this is asked for each pod
		step, found = overrides[owner]
	}
	return step, found
}

// judgeClass decides about a pod that keeps its list.
func (e *evaluation) judgeClass(class index.PodClass, pair uint32) fate {
	f, decided := e.decideByRows(&e.pairs[pair], class)
	if !decided {
		f = e.decideByList(pair, class)
	}
	if f >= 0 {
		e.countEvicted(class)
	}
	return f
}

// decideByRows compares what becomes of the pods of a class without the plan and with it, if
// the seconds of their tolerations make no difference. Mostly they make none.
func (e *evaluation) decideByRows(p *pair, class index.PodClass) (f fate, decided bool) {
	i, refused := e.firstUntolerated(p.rowsAfter, class)
	if len(p.rowsBefore) == 0 && refused {
		return e.now(p, i), true
	}
	_, before := e.firstUntolerated(p.rowsBefore, class)
	limit := e.pods.limits[class]
	switch {
	case refused && before: // rule E1
		return anyway, true
	case refused && (limit == unlimited || limit == notAtOnce && e.Policy != match.SinceAdded):
		return e.now(p, i), true
	case limit == unlimited && before: // not refused, nor below
		return spared, true
	case limit == unlimited:
		return stays, true
	}
	return 0, false
}

// decideByList looks at the list of a class, once for each pair.
func (e *evaluation) decideByList(pair uint32, class index.PodClass) fate {
	m := &e.memory[class]
	if round := e.round + pair; m.round != round {
		list := e.pods.classes.Tolerations(class)
		m.round, m.fate = round, e.decide(&e.pairs[pair], list, list)
	}
	return m.fate
}

// countEvicted counts a pod that is evicted for its class.
func (e *evaluation) countEvicted(class index.PodClass) {
	if e.evicted[class]++; e.evicted[class] == 1 {
		e.concerned.Add(class)
	}
}

// firstUntolerated returns the index of the first row that a class does not tolerate.
func (e *evaluation) firstUntolerated(rows []index.TaintRow, class index.PodClass) (i int, ok bool) {
	for i, row := range rows {
		if !e.tolerators.Tolerates(row, class) {
			return i, true
		}
	}
	return 0, false
}

// judgeOverride decides about a pod that gets the list of a step.
func (e *evaluation) judgeOverride(pod *resident, pair uint32, step int32) fate {
	r := e.rollout(pod.owner, pod.class, step)
	r.Pods++
	if pair == 0 {
		return stays
	}
	key := overrideKey{pair, pod.class, step}
	fate, known := e.override[key]
	if !known {
		fate = e.decide(&e.pairs[pair], r.Before, r.After)
		e.override[key] = fate
	}
	if fate >= 0 {
		r.Evicted++
	}
	return fate
}

// decide compares what becomes of a pod without the plan and with it.
func (e *evaluation) decide(p *pair, old, updated []toleration.Toleration) fate {
	e.steps += len(old) + len(updated)
	sooner, evicted := time.Duration(0), false
	if len(p.rowsBefore) > 0 {
		sooner, evicted = e.Policy.Delay(p.before, e.active(old), e.Now)
	}
	v := e.Policy.Decide(p.after, e.active(updated), e.Now)
	switch {
	case v.Eviction == match.Stay && evicted:
		return spared
	case v.Eviction == match.Stay:
		return stays
	case evicted && sooner <= v.After:
		return anyway
	}
	return e.verdict(p.after[v.EvictionTaint], v.After)
}

// verdict returns a fate that evicts. Nodes on which a step puts the taint at another time
// share it, unless times count.
func (e *evaluation) verdict(t taint.Taint, after time.Duration) fate {
	if e.Policy != match.SinceAdded {
		t.TimeAdded = nil
	}
	e.result.verdicts = append(e.result.verdicts, verdict{t, after})
	return fate(len(e.result.verdicts) - 1)
}

// active returns the tolerations that count: the list itself if all do, else a buffer, which is
// good until the next call.
func (e *evaluation) active(list []toleration.Toleration) []toleration.Toleration {
	if e.rules.Comparisons || !slices.ContainsFunc(list, isComparison) {
		return list
	}
	e.counted = e.rules.Active(e.counted[:0], list)
	return e.counted
}

func isComparison(t toleration.Toleration) bool { return t.Operator.Comparison() }

// now returns the verdict of an eviction at once because of the i-th NoExecute taint that
// the nodes of a pair have after the plan: the same for all pods, except where the times
// of taints count.
func (e *evaluation) now(p *pair, i int) fate {
	row := p.rowsAfter[i]
	if n := int(row) + 1; n > len(e.atOnce) {
		e.atOnce = append(e.atOnce, make([]fate, n-len(e.atOnce))...)
	}
	if f := e.atOnce[row]; f > 0 && e.Policy != match.SinceAdded {
		return f - 1
	}
	at := 0
	for ; p.after[at].Effect != taint.NoExecute || i > 0; at++ {
		if p.after[at].Effect == taint.NoExecute {
			i--
		}
	}
	f := e.verdict(p.after[at], 0)
	e.atOnce[row] = f + 1
	return f
}

// judgeElsewhere counts the pods that get another list, and wait or run on nodes that the
// snapshot does not have.
func (e *evaluation) judgeElsewhere() {
	for _, owner := range sortedKeys(e.everywhere) {
		step := e.everywhere[owner]
		for _, position := range e.pods.owners.groups[owner].members {
			at := &e.pods.pods[position]
			on := &e.pods.nodes.groups[at.node]
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

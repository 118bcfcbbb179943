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
	override  map[overrideKey]fate
	atOnce    []fate                     // by row of the taint: the verdict of an eviction at once, plus one
	counted   [2][]toleration.Toleration // buffers
	undecided []index.PodClass

	evictions []eviction // the last chunk
	chunk     int        // its size
}

// account is how many pods of a class are evicted, and the fate of those on the nodes of the
// current pair, if round is the current one.
type account struct {
	round, evicted uint32
	fate           fate
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
	residents := make([][]resident, len(r.nodes))
	for i := range r.nodes {
		id := e.nodes[i].id
		r.nodes[i].name, _ = e.fleet.Name(id)
		residents[i] = e.residents(e.pods, id.Number(), r.nodes[i].name)
	}
	last := uint32(0)
	for _, i := range e.byPair() {
		g := &e.groups[e.groupOf[i]]
		if g.pair != last {
			e.round++
			last = g.pair
		}
		e.judgeNode(&r.nodes[i], residents[i], g)
	}
	e.judgeElsewhere()
	kept := uint32(0)
	for i := range r.nodes {
		if n := &r.nodes[i]; n.changed {
			r.total.add(n.summary())
			r.nodes[kept] = *n
			kept++
		}
	}
	r.nodes, r.chains, r.plan = r.nodes[:kept], e.chains, e.plan
}

// byPair returns the positions of the nodes, in the order of their pairs.
func (e *evaluation) byPair() []uint32 {
	next := make([]uint32, len(e.pairs)+1)
	for _, g := range e.groupOf {
		next[e.groups[g].pair+1]++
	}
	for i := range e.pairs {
		next[i+1] += next[i]
	}
	order := make([]uint32, len(e.groupOf))
	for i, g := range e.groupOf {
		at := &next[e.groups[g].pair]
		order[*at] = uint32(i)
		*at++
	}
	return order
}

// judgeNode decides about the pods of a node.
func (e *evaluation) judgeNode(n *node, residents []resident, g *nodeGroup) {
	n.chain, n.changed, n.after = g.chain, g.changed, g.after
	overrides := e.overridesOf(g.chain)
	if g.pair == 0 && overrides == nil {
		n.stay = uint32(len(residents))
		return
	}
	if overrides == nil {
		e.decideClasses(residents, g.pair)
	}
	evictions := e.room(len(residents))
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
		if fate >= 0 {
			evictions = append(evictions, eviction{pod.name, e.pods.owners.groups[pod.owner].name, uint32(fate)})
		}
	}
	e.evictions = e.evictions[:len(e.evictions)+len(evictions)]
	n.evictions = slices.Clip(evictions)
	e.steps += len(residents)
}

// stepFor returns the step that sets the list of an owner's pods, if one does.
func stepFor(overrides map[uint32]int32, owner uint32) (step int32, found bool) {
	if overrides != nil { // most plans have none, and this is asked for each pod
		step, found = overrides[owner]
	}
	return step, found
}

// room returns an empty slice for up to n evictions, in memory that they share with those
// of other nodes: one list for all of them would be copied as it grows.
func (e *evaluation) room(n int) []eviction {
	if cap(e.evictions)-len(e.evictions) < n {
		e.chunk = min(2*e.chunk+64, 1<<14)
		e.evictions = make([]eviction, 0, max(n, e.chunk))
	}
	return e.evictions[len(e.evictions):]
}

// decideClasses decides about the classes of pods that no earlier node of the pair had. It
// collects these first: reading an account waits for memory, and the processor can wait for
// several at once if it does not decide in between.
func (e *evaluation) decideClasses(residents []resident, pair uint32) {
	e.undecided = e.undecided[:0]
	for i := range residents {
		if class := residents[i].class; e.accounts[class].round != e.round {
			e.undecided = append(e.undecided, class)
		}
	}
	for _, class := range e.undecided {
		e.account(class, pair)
	}
}

// account returns what becomes of the pods of a class that keep their list.
func (e *evaluation) account(class index.PodClass, pair uint32) *account {
	a := &e.accounts[class]
	if a.round != e.round {
		a.round, a.fate = e.round, e.decideClass(&e.pairs[pair], class)
	}
	return a
}

// judgeClass decides about a pod that keeps its list.
func (e *evaluation) judgeClass(class index.PodClass, pair uint32) fate {
	a := e.account(class, pair)
	if a.fate >= 0 {
		a.evicted++
	}
	return a.fate
}

// decideClass compares what becomes of the pods of a class without the plan and with it.
// The seconds of their tolerations often make no difference, and then the list is not
// looked at.
func (e *evaluation) decideClass(p *pair, class index.PodClass) fate {
	i, refused := e.firstUntolerated(p.rowsAfter, class)
	_, before := e.firstUntolerated(p.rowsBefore, class)
	limit := e.pods.limits[class]
	switch {
	case refused && before: // rule E1
		return anyway
	case refused && (limit == unlimited || len(p.rowsBefore) == 0 || limit == notAtOnce && e.Policy != match.SinceAdded):
		return e.now(p, i)
	case !refused && limit == unlimited && before:
		return spared
	case !refused && limit == unlimited:
		return stays
	}
	list := e.pods.classes.Tolerations(class)
	return e.decide(p, list, list)
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
		sooner, evicted = e.Policy.Delay(p.before, e.active(0, old), e.Now)
	}
	v := e.Policy.Decide(p.after, e.active(1, updated), e.Now)
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

// active returns the tolerations that count: the list itself if all do, else a buffer.
func (e *evaluation) active(buffer int, list []toleration.Toleration) []toleration.Toleration {
	if e.rules.Comparisons || !slices.ContainsFunc(list, isComparison) {
		return list
	}
	e.counted[buffer] = e.rules.Active(e.counted[buffer][:0], list)
	return e.counted[buffer]
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

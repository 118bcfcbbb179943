package whatif

import (
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fate is what becomes of a pod: one of these, or the position of a verdict that evicts.
type fate int32

const (
	stays fate = -1 - iota
	spared
	anyway // evicted with the plan or without
)

// verdict is why and when the plan evicts a pod.
type verdict struct {
	taint taint.Taint
	after time.Duration
}

// kind is what decides about a pod on nodes that are alike: its list, and the step that sets
// another, or -1.
type kind struct {
	class index.PodClass
	list  int32
}

// judgePods decides about the pods on the nodes that are selected.
func (e *evaluation) judgePods() {
	for class, pods := range e.pods.classes.All() {
		if more := int(class) + 1 - len(e.tallies); more > 0 {
			e.tallies = append(e.tallies, make([]tally, more)...)
		}
		e.tallies[class].pods = uint32(pods)
	}
	for i := range e.nodes {
		if n := &e.nodes[i]; n.changed || n.overrides != nil {
			e.judgeNode(n)
		}
	}
	e.judgeElsewhere()
}

// judgeNode decides about the pods on a node.
func (e *evaluation) judgeNode(n *selected) {
	r := e.result
	name, _ := e.fleet.Name(n.id)
	x := node{name: name, taints: n.after, chain: n.chain}
	e.evicted = e.evicted[:0]
	changed := n.changed
	pods := e.pods.of(byNode, name)
	if name == "" { // these wait
		pods = nil
	}
	for _, p := range pods {
		c := e.rolloutFor(p, n.overrides)
		changed = changed || c != nil
		f := e.fateOf(n.alike, p, c)
		switch {
		case f == stays:
			x.summary.Stay++
		case f == spared:
			x.summary.Spared++
		case f == anyway:
			x.summary.EvictedAnyway++
		default:
			e.evicted = append(e.evicted, eviction{p, f})
			if r.verdicts[f].after > 0 {
				x.summary.EvictedLater++
			} else {
				x.summary.EvictedNow++
			}
			if c != nil {
				c.Evicted++
			} else {
				e.tallies[p.class].evicted++
			}
		}
	}
	if changed {
		x.summary.Nodes, x.evictions = 1, append([]eviction(nil), e.evicted...)
		r.nodes = append(r.nodes, x)
	}
}

// fateOf returns what becomes of a pod on a node, once for all of its kind on nodes that are alike.
func (e *evaluation) fateOf(a *alike, p *pod, c *rollout) fate {
	if len(a.evicting[0])+len(a.evicting[1]) == 0 {
		return stays
	}
	old, key := e.pods.classes.Tolerations(p.class), kind{p.class, -1}
	updated := old
	if c != nil {
		updated, key.list = c.After, c.list
	}
	f, known := a.fates[key]
	if !known {
		f = e.decide(a, old, updated)
		a.fates[key] = f
	}
	return f
}

// decide compares what becomes of a pod without the plan and with it.
func (e *evaluation) decide(a *alike, old, updated []toleration.Toleration) fate {
	sooner, evicted := e.Policy.Delay(a.evicting[0], old, e.Now, e.rules)
	v := e.Policy.Decide(a.evicting[1], updated, e.Now, e.rules)
	switch {
	case v.Eviction == match.Stay && evicted:
		return spared
	case v.Eviction == match.Stay:
		return stays
	case evicted && sooner <= v.After:
		return anyway
	}
	t := a.evicting[1][v.EvictionTaint]
	if e.Policy != match.SinceAdded {
		t.TimeAdded = nil
	}
	e.result.verdicts = append(e.result.verdicts, verdict{t, v.After})
	return fate(len(e.result.verdicts) - 1)
}

// rollout is the change for pods of an owner that have one list and get another.
type rollout struct {
	ClassChange
	rolloutKey
	left int // how many nodes fit
}

type rolloutKey struct {
	owner *group
	class index.PodClass
	list  int32 // the first step that gives this one
}

// rolloutFor returns what a pod belongs to if a step gives it another list than it has, and counts
// it there; and otherwise nil.
func (e *evaluation) rolloutFor(p *pod, overrides map[*group]int32) *rollout {
	owner := p.in[byOwner]
	step, found := overrides[owner]
	if !found {
		return nil
	}
	key := rolloutKey{owner, p.class, e.lists[step]}
	c, known := e.rolloutOf[key]
	if !known {
		before, after := e.pods.classes.Tolerations(p.class), e.plan.Steps[step].Tolerations
		if !toleration.Equal(before, after) {
			c = &rollout{ClassChange: ClassChange{Owner: owner.name, Before: before, After: after}, rolloutKey: key}
			e.result.rollouts = append(e.result.rollouts, c)
		}
		e.rolloutOf[key] = c
	}
	if c != nil {
		c.Pods++
		e.tallies[p.class].pods--
	}
	return c
}

// judgeElsewhere counts the pods that get another list, and wait or run on nodes that the snapshot
// does not have.
func (e *evaluation) judgeElsewhere() {
	for i := range e.plan.Steps {
		owner := e.pods.groups[byOwner][e.plan.Steps[i].Owner]
		if step, found := e.everywhere[owner]; !found || step != int32(i) {
			continue
		}
		for _, p := range owner.pods {
			name := p.in[byNode].name
			if _, known := e.fleet.ID(name); name == "" || !known {
				e.rolloutFor(p, e.everywhere)
			}
		}
	}
}

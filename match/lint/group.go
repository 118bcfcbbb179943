package lint

import (
	"fmt"
	"math"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// group is objects with the same list that the same silences name.
type group struct {
	name     string   // of the first
	names    []string // of all, if they are asked for
	count    int
	silences int // the number of their scope
}

// addPods counts the pods that p stands for, and keeps its name if names are asked for.
func (g *group) addPods(p *Pod, named bool) {
	n := max(1, p.Count)
	g.count += min(n, math.MaxInt-g.count)
	if named {
		g.names = append(g.names, p.Name)
	}
}

type nodeGroup struct {
	group
	taints []taint.Taint

	// The kinds of nodes by their labels, if some DaemonSet has an Affinity.
	variants []variant
	byLabels map[int]int // in variants
}

type podGroup struct {
	group
	tolerations       []toleration.Toleration
	daemonSet, static bool

	daemons parts // by their target alone
	stays   parts
}

// part is the pods of a group that may use the same nodes and are in the same state.
type part struct {
	group
	state
}

// state is what beside tolerations decides what taints do to pods.
type state struct {
	target  int // in targets.attractions, plus one; 0 for all nodes
	pending bool
	on      int // the group of their node, plus one; 0 if no taint of it evicts pods
}

// parts are parts of a group, in the order of their first pods.
type parts struct {
	list    []part
	byState map[state]int
}

// add counts a pod of the group.
func (ps *parts) add(g *group, p *Pod, of state, named bool) {
	i, known := ps.byState[of]
	if !known {
		if ps.byState == nil {
			ps.byState = make(map[state]int)
		}
		i = len(ps.list)
		ps.byState[of] = i
		ps.list = append(ps.list, part{group{name: p.Name, silences: g.silences}, of})
	}
	ps.list[i].addPods(p, named)
}

// grouping finds groups by a text of what their members have in common.
type grouping struct {
	numbers map[string]int
	text    []byte
	steps   *int
}

// find returns the number of the group with the text, or of a new one, which the caller has to make.
func (g *grouping) find() (group int, isNew bool) {
	group, known := g.numbers[string(g.text)]
	if !known {
		group = len(g.numbers)
		g.numbers[string(g.text)] = group
	} else {
		*g.steps++
	}
	return group, !known
}

// groupNodes puts nodes together that have the same taints in the same order, whatever
// their times.
func (f *fleet) groupNodes(nodes []Node) {
	g := grouping{numbers: make(map[string]int), steps: &f.steps}
	for i := range nodes {
		n := &nodes[i]
		f.steps += 3 * len(n.Taints)
		scope := f.silencing.scope(n.Name)
		g.text = taint.AppendList(fmt.Append(g.text[:0], scope, " "), n.Taints) // without times
		at, isNew := g.find()
		if isNew {
			f.nodes = append(f.nodes, nodeGroup{group: group{name: n.Name, silences: scope}, taints: n.Taints})
		}
		f.nodes[at].count++
		if f.named {
			f.nodes[at].names = append(f.nodes[at].names, n.Name)
		}
		if evicts(n.Taints) {
			f.evicting[n.nodeName()] = at + 1
		}
		if len(f.attractions) > 0 {
			f.steps += len(f.keys)
			f.nodes[at].addVariant(n, f.labelsOf(n))
		}
	}
}

// evicts reports whether a lasting taint evicts pods.
func evicts(taints []taint.Taint) bool {
	return slices.ContainsFunc(taints, func(x taint.Taint) bool { return taint.Evicting.Has(x.Effect) && !Passes(x.Key) })
}

func (f *fleet) groupPods(pods []Pod) {
	g := grouping{numbers: make(map[string]int), steps: &f.steps}
	for i := range pods {
		p := &pods[i]
		f.steps += 4 * len(p.Tolerations)
		scope := f.silencing.scope(p.Name)
		g.text = toleration.AppendList(fmt.Append(g.text[:0], scope, p.DaemonSet, p.Static, " "), p.Tolerations)
		at, isNew := g.find()
		if isNew {
			f.pods = append(f.pods, podGroup{group: group{name: p.Name, silences: scope}, tolerations: p.Tolerations, daemonSet: p.DaemonSet, static: p.Static})
		}
		in := &f.pods[at]
		in.addPods(p, f.named)
		of := state{f.targetOf(p), p.Pending, 0}
		if p.DaemonSet {
			in.daemons.add(&in.group, p, state{target: of.target}, f.named)
		}
		if p.Node != "" {
			of.on = f.evicting[p.Node]
		}
		if of != (state{}) {
			in.stays.add(&in.group, p, of, f.named)
		}
	}
}

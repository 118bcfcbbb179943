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

// addPods counts the pods that p stands for.
func (g *group) addPods(p *Pod) {
	n := max(1, p.Count)
	g.count += min(n, math.MaxInt-g.count)
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

	daemons  []daemon
	byTarget map[int]int // in daemons
	stays    []stay
	byState  map[state]int // in stays
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
		f.pods[at].addPods(p)
		if f.named {
			f.pods[at].names = append(f.pods[at].names, p.Name)
		}
		if p.DaemonSet {
			f.addDaemon(&f.pods[at], p)
		}
		f.addStay(&f.pods[at], p)
	}
}

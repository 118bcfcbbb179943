package why

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// fleet is the nodes that are looked at.
type fleet struct {
	nodes   []manifest.Node
	groups  []nodeGroup
	count   int
	labeled bool // whether any node of the input has labels
	one     bool // a node was asked for by name
}

// nodeGroup is nodes with the same taints in the same order.
type nodeGroup struct {
	taints []taint.Taint
	kinds  []nodeKind
	count  int // of nodes
}

// nodeKind is nodes of a group that are alike to the pods: they have the same labels, as
// far as pods ask for them.
type nodeKind []int // places in fleet.nodes, in order

// groupNodes returns the nodes, or the one that is named. pods are those that will ask.
func groupNodes(nodes []manifest.Node, name string, pods []podGroup) (*fleet, error) {
	f := &fleet{nodes: nodes, one: name != ""}
	asked := labelsOf(pods)
	byTaints := make(map[string]int)
	type kindKey struct {
		group  int
		labels string
	}
	byLabels := make(map[kindKey]int)
	for i := range nodes {
		n := &nodes[i]
		f.labeled = f.labeled || len(n.Labels) > 0
		if name != "" && n.Name != name {
			continue
		}
		taints := n.Taints()
		key := taint.FormatList(taints) // without the times, which nothing here depends on
		at, found := byTaints[key]
		if !found {
			at = len(f.groups)
			byTaints[key] = at
			f.groups = append(f.groups, nodeGroup{taints: taints})
		}
		g := &f.groups[at]
		labels := kindKey{at, asked.text(n)}
		kind, found := byLabels[labels]
		if !found {
			kind = len(g.kinds)
			byLabels[labels] = kind
			g.kinds = append(g.kinds, nil)
		}
		g.kinds[kind] = append(g.kinds[kind], i)
		g.count++
		f.count++
	}
	if f.groups == nil {
		var names []string
		for i := range nodes {
			names = append(names, nodes[i].Name)
		}
		return nil, fmt.Errorf("no node %q in the input; there are %s", name, command.Some(names))
	}
	return f, nil
}

// names returns the names of the nodes of a group, in the order of the input.
func (f *fleet) names(g *nodeGroup) []string {
	all := slices.Concat(g.kinds...)
	slices.Sort(all)
	names := make([]string, len(all))
	for i, at := range all {
		names[i] = f.nodes[at].Name
	}
	return names
}

// askedLabels are the keys that any pod asks for, in order. They include "metadata.name" if
// one asks for names.
type askedLabels []string

const nameField = "metadata.name"

func labelsOf(pods []podGroup) askedLabels {
	var asked askedLabels
	for i := range pods {
		asked = slices.AppendSeq(asked, pods[i].attraction.Keys)
	}
	slices.Sort(asked)
	return slices.Compact(asked)
}

// text returns what n has of the labels. Nodes with equal texts are alike.
func (asked askedLabels) text(n *manifest.Node) string {
	var text []byte
	for _, key := range asked {
		if value, found := n.Labels[key]; found {
			text = strconv.AppendQuote(text, value)
		}
		text = append(text, ' ')
		if key == nameField {
			text = strconv.AppendQuote(text, n.Name)
		}
	}
	return string(text)
}

// exclusion is the nodes that a node selector or required node affinity excludes.
type exclusion struct {
	first string // the name of one
	count int
}

// without returns the nodes of a group without those that the pods are excluded from, which
// it counts. Affinity is ignored during execution: nodes that the pods are on remain.
func (f *fleet) without(e *exclusion, g nodeGroup, a *affinity.Required, on map[string]bool) nodeGroup {
	left := nodeGroup{taints: g.taints}
	for _, kind := range g.kinds {
		if first := &f.nodes[kind[0]]; !a.Matches(first.Name, first.Labels) {
			kind = f.those(e, kind, on)
		}
		if len(kind) > 0 {
			left.kinds = append(left.kinds, kind)
			left.count += len(kind)
		}
	}
	return left
}

// those returns the nodes of a kind that pods are on, and counts the others.
func (f *fleet) those(e *exclusion, kind nodeKind, on map[string]bool) (left nodeKind) {
	for _, at := range kind {
		if on[f.nodes[at].Name] {
			left = append(left, at)
			continue
		}
		e.first = cmp.Or(e.first, f.nodes[at].Name)
		e.count++
	}
	return left
}

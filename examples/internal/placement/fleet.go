// Package placement answers which nodes accept a pod: by their taints, and by what the pod
// requires of their labels. Nodes that are alike to the pods that ask are looked at once.
package placement

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

// Fleet is the nodes that are looked at.
type Fleet struct {
	Nodes   []manifest.Node
	Groups  []Group
	Count   int
	Labeled bool // whether any node of the input has labels
	One     bool // a node was asked for by name
}

// Group is nodes with the same taints in the same order.
type Group struct {
	Taints []taint.Taint
	Kinds  []Kind
	Count  int // of nodes
}

// Kind is nodes of a group that are alike to the pods: they have the same labels, as
// far as pods ask for them.
type Kind []int // places in Fleet.Nodes, in order

// New returns the nodes, or the one that is named. asking is what the pods that will ask
// require.
func New(nodes []manifest.Node, name string, asking []affinity.Required) (*Fleet, error) {
	f := &Fleet{Nodes: nodes, One: name != ""}
	asked := labelsOf(asking)
	byTaints := make(map[string]int)
	type kindKey struct {
		group  int
		labels string
	}
	byLabels := make(map[kindKey]int)
	for i := range nodes {
		n := &nodes[i]
		f.Labeled = f.Labeled || len(n.Labels) > 0
		if name != "" && n.Name != name {
			continue
		}
		taints := n.Taints()
		key := taint.FormatList(taints) // without the times, which nothing here depends on
		at, found := byTaints[key]
		if !found {
			at = len(f.Groups)
			byTaints[key] = at
			f.Groups = append(f.Groups, Group{Taints: taints})
		}
		g := &f.Groups[at]
		labels := kindKey{at, asked.text(n)}
		kind, found := byLabels[labels]
		if !found {
			kind = len(g.Kinds)
			byLabels[labels] = kind
			g.Kinds = append(g.Kinds, nil)
		}
		g.Kinds[kind] = append(g.Kinds[kind], i)
		g.Count++
		f.Count++
	}
	if f.Groups == nil && name != "" {
		var names []string
		for i := range nodes {
			names = append(names, nodes[i].Name)
		}
		return nil, fmt.Errorf("no node %q in the input; there are %s", name, command.Some(names))
	}
	return f, nil
}

// Names returns the names of the nodes of a group, in the order of the input.
func (f *Fleet) Names(g *Group) []string {
	all := slices.Concat(g.Kinds...)
	slices.Sort(all)
	names := make([]string, len(all))
	for i, at := range all {
		names[i] = f.Nodes[at].Name
	}
	return names
}

// askedLabels are the keys that any pod asks for, in order. They include "metadata.name" if
// one asks for names.
type askedLabels []string

const nameField = "metadata.name"

func labelsOf(asking []affinity.Required) askedLabels {
	var asked askedLabels
	for i := range asking {
		asked = slices.AppendSeq(asked, asking[i].Keys)
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

// Exclusion is the nodes that a node selector or required node affinity excludes.
type Exclusion struct {
	First string // the name of one
	Count int
}

// Without returns the nodes of a group without those that the pods are excluded from, which
// it counts. Affinity is ignored during execution: nodes that the pods are on remain.
func (f *Fleet) Without(e *Exclusion, g Group, a *affinity.Required, on map[string]bool) Group {
	left := Group{Taints: g.Taints}
	for _, kind := range g.Kinds {
		if first := &f.Nodes[kind[0]]; !a.Matches(first.Name, first.Labels) {
			kind = f.those(e, kind, on)
		}
		if len(kind) > 0 {
			left.Kinds = append(left.Kinds, kind)
			left.Count += len(kind)
		}
	}
	return left
}

// those returns the nodes of a kind that pods are on, and counts the others.
func (f *Fleet) those(e *Exclusion, kind Kind, on map[string]bool) (left Kind) {
	for _, at := range kind {
		if on[f.Nodes[at].Name] {
			left = append(left, at)
			continue
		}
		e.First = cmp.Or(e.First, f.Nodes[at].Name)
		e.Count++
	}
	return left
}

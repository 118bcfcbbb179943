package placement

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// demand is one of the things that a pod requires of its node.
type demand struct {
	text, key string // in words, and the label that it is about
	required  affinity.Required
}

// demands returns what a pod requires, one by one. volumes has the names of its volumes.
func demands(a *affinity.Required, volumes []string) (all []demand) {
	for _, key := range slices.Sorted(maps.Keys(a.NodeSelector)) {
		value := a.NodeSelector[key]
		all = append(all, demand{key + "=" + value, key, affinity.Required{NodeSelector: map[string]string{key: value}}})
	}
	if len(a.Terms) == 1 {
		term := func(r affinity.Requirement, t affinity.Term) {
			all = append(all, demand{words(&r), r.Key, affinity.Required{Terms: []affinity.Term{t}}})
		}
		for i, r := range a.Terms[0].Expressions {
			term(r, affinity.Term{Expressions: a.Terms[0].Expressions[i : i+1]})
		}
		for i, r := range a.Terms[0].Fields {
			term(r, affinity.Term{Fields: a.Terms[0].Fields[i : i+1]})
		}
	}
	if n := len(a.Terms); a.Terms != nil && (n != 1 || len(all) == len(a.NodeSelector)) {
		all = append(all, demand{"what one of the terms of its required node affinity asks for, of which there are " + strconv.Itoa(n), "", affinity.Required{Terms: a.Terms}})
	}
	for i, terms := range a.Volumes {
		text := "what its PersistentVolume " + volumes[i] + " asks for"
		if len(terms) == 1 && len(terms[0].Expressions) == 1 {
			text = words(&terms[0].Expressions[0]) + ", as its PersistentVolume " + volumes[i] + " asks"
		}
		all = append(all, demand{text, "", affinity.Required{Volumes: a.Volumes[i : i+1]}})
	}
	return all
}

// words returns a requirement as kubectl would write it.
func words(r *affinity.Requirement) string {
	list := "(" + strings.Join(r.Values, ", ") + ")"
	switch {
	case r.Operator == "In" && len(r.Values) == 1:
		return r.Key + "=" + r.Values[0]
	case r.Operator == "In":
		return r.Key + " in " + list
	case r.Operator == "NotIn":
		return r.Key + " not in " + list
	case r.Operator == "Exists":
		return "the label " + r.Key
	case r.Operator == "DoesNotExist":
		return "no label " + r.Key
	}
	return r.Key + " " + r.Operator + " " + strings.Join(r.Values, ",")
}

// Unmet says what a pod requires that no node has: one of its demands and what a node has
// instead, or else that none has all. volumes has the names of those in a.Volumes.
func (f *Fleet) Unmet(a *affinity.Required, volumes []string) string {
	var nodes []*manifest.Node
	for i := range f.Groups {
		for _, at := range slices.Concat(f.Groups[i].Kinds...) {
			nodes = append(nodes, &f.Nodes[at])
		}
	}
	who := "No node has "
	if f.One {
		who = "The node does not have "
	}
	var each, unmet []string
	for _, d := range demands(a, volumes) {
		met, instead := 0, ""
		for _, n := range nodes {
			if d.required.Matches(n.Name, n.Labels) {
				met++
			} else if value, found := n.Labels[d.key]; found && instead == "" {
				instead = fmt.Sprintf(" (%s has %s=%s)", n.Name, d.key, value)
			}
		}
		if each = append(each, fmt.Sprintf("%s (%s)", d.text, command.Plural(met, "node"))); met == 0 {
			unmet = append(unmet, d.text+instead)
		}
	}
	text := who + strings.Join(unmet, ", nor ")
	switch {
	case unmet == nil:
		text = who + "all of it: " + strings.Join(each, ", ")
	case !f.Labeled:
		text += "; the input has no labels of nodes"
	}
	return text
}

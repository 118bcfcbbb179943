package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/match/affinity"
)

// variant is the nodes of a group whose labels are the same to every DaemonSet.
type variant struct {
	group
	labels int // in targets.labels
}

// targets knows which nodes the DaemonSets are for.
type targets struct {
	attractions []*affinity.Required
	longer      []int // for each: how much of it is more than a step, see freeWords
	byText      map[string]int
	keys        []string // that any of them asks for, in order
	byName      bool     // whether any of them asks for names
	labels      []*Node  // the first node of each kind
	byLabels    map[string]int
	known       map[[2]int]bool // attraction and labels
	targetSteps int             // a look at a variant is one, for DaemonSets that are not for all nodes
	skipped     int             // DaemonSets for which there were too many
}

// mostTargetSteps bounds the steps for DaemonSets with selectors: a look at a kind of nodes
// is one. A thousand DaemonSets and ten thousand kinds of nodes stay within it. A variable
// for tests.
var mostTargetSteps = 10_000_000

// freeWords is how many requirements and values one step may go through. What is more
// counts as steps too: a DaemonSet may ask for the names of ten thousand nodes.
const freeWords = 16

// readTargets finds out which labels matter. It comes before nodes are grouped.
func (t *targets) readTargets(pods []Pod) {
	t.byText, t.byLabels, t.known = make(map[string]int), make(map[string]int), make(map[[2]int]bool)
	keys := make(map[string]bool)
	for i := range pods {
		a := &pods[i].Affinity
		if a.IsZero() {
			continue
		}
		text := attractionText(a)
		if t.byText[text] != 0 {
			continue
		}
		t.attractions = append(t.attractions, a)
		t.byText[text] = len(t.attractions)
		t.longer = append(t.longer, max(0, words(a)-freeWords))
		for key := range a.Keys {
			keys[key] = true
		}
	}
	t.byName = keys["metadata.name"]
	t.keys = slices.Sorted(maps.Keys(keys))
}

// words returns how many requirements and values a has.
func words(a *affinity.Required) int {
	n := len(a.NodeSelector)
	for _, terms := range append([][]affinity.Term{a.Terms}, a.Volumes...) {
		for i := range terms {
			for _, list := range [...][]affinity.Requirement{terms[i].Expressions, terms[i].Fields} {
				for j := range list {
					n += 1 + len(list[j].Values)
				}
			}
		}
	}
	return n
}

// tooMany reports whether there are too many steps with those for all labels for the pods
// with a target.
func (t *targets) tooMany(target int) bool {
	return target != 0 && t.longer[target-1] > (mostTargetSteps-t.targetSteps)/max(1, len(t.labels))
}

// targetOf returns the number of the attraction of a pod.
func (t *targets) targetOf(p *Pod) int {
	if p.Affinity.IsZero() { // the zero one is not among them
		return 0
	}
	return t.byText[attractionText(&p.Affinity)]
}

// attractionText returns a text that only equal attractions share, valid or not. In Go syntax
// words are quoted, and a nil list differs from an empty one.
func attractionText(a *affinity.Required) string { return fmt.Sprintf("%#v", *a) }

// labelsOf returns a number for those labels of a node that any DaemonSet asks for.
func (t *targets) labelsOf(n *Node) int {
	var text []byte
	for _, key := range t.keys {
		if value, found := n.Labels[key]; found {
			text = strconv.AppendQuote(text, value)
		}
		text = append(text, ' ')
	}
	if t.byName {
		text = strconv.AppendQuote(text, n.nodeName())
	}
	number, known := t.byLabels[string(text)]
	if !known {
		number = len(t.labels)
		t.byLabels[string(text)] = number
		t.labels = append(t.labels, n)
	}
	return number
}

// nodeName returns the name that pods can ask for.
func (n *Node) nodeName() string { return cmp.Or(n.NodeName, n.Name) }

// addVariant counts a node of the group.
func (g *nodeGroup) addVariant(n *Node, labels int) {
	i, known := g.byLabels[labels]
	if !known {
		if g.byLabels == nil {
			g.byLabels = make(map[int]int)
		}
		i = len(g.variants)
		g.byLabels[labels] = i
		g.variants = append(g.variants, variant{group{name: n.Name}, labels})
	}
	g.variants[i].count++
}

// targeted returns how many nodes of a group pods with the target may use, and the first.
func (c *checker) targeted(target, at int) (first string, count int) {
	g := &c.nodes[at]
	if target == 0 {
		return g.name, g.count
	}
	for i := range g.variants {
		v := &g.variants[i]
		c.targetSteps++
		key := [2]int{target, v.labels}
		admits, known := c.known[key]
		if !known {
			n := c.labels[v.labels]
			admits = c.attractions[target-1].Matches(n.nodeName(), n.Labels)
			c.known[key] = admits
			c.targetSteps += c.longer[target-1]
		}
		if !admits {
			continue
		}
		if count == 0 {
			first = v.name
		}
		count += v.count
	}
	return first, count
}

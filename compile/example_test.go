package compile_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// nodeInfo is what a scheduler keeps of a node, with its taints interned.
type nodeInfo struct {
	name   string
	taints []compile.TaintID
}

// cache is the nodes that a scheduler knows.
type cache struct {
	vocabulary compile.Vocabulary
	nodes      []nodeInfo
}

// set adds a node, or gives it other taints.
func (c *cache) set(name string, taints []taint.Taint) {
	for i := range c.nodes {
		if n := &c.nodes[i]; n.name == name {
			old := n.taints
			n.taints = c.vocabulary.Append(nil, taints) // before the old ones go, so that those in both stay
			c.vocabulary.Release(old)
			return
		}
	}
	c.nodes = append(c.nodes, nodeInfo{name, c.vocabulary.Append(nil, taints)})
}

// A scheduler with a node cache of its own compiles each pod once and asks for every
// node. The Matcher is reused for the next pod.
func Example() {
	var c cache
	for _, node := range []struct{ name, taints string }{
		{"plain", ""},
		{"gpu", "gpu=large:NoSchedule,spot=true:PreferNoSchedule"},
		{"ops", "dedicated=ops:NoSchedule"},
		{"broken", "gpu=small:NoSchedule,node.kubernetes.io/not-ready:NoExecute"},
	} {
		taints, err := taint.ParseList(node.taints)
		if err != nil {
			panic(err)
		}
		c.set(node.name, taints)
	}
	pod, err := toleration.ParseList("gpu:NoSchedule,node.kubernetes.io/not-ready:NoExecute@300")
	if err != nil {
		panic(err)
	}

	var m compile.Matcher
	m.Compile(&c.vocabulary, pod)
	set := m.Set()
	for _, n := range c.nodes {
		if i, refused := set.FirstUntolerated(n.taints, taint.Hard); refused {
			t, _ := c.vocabulary.Taint(n.taints[i])
			fmt.Printf("%s: %v is not tolerated\n", n.name, t)
			continue
		}
		fmt.Printf("%s: %v, %d soft taints\n", n.name, m.Decide(n.taints), m.CountUntolerated(n.taints, taint.Soft))
	}
	// Output:
	// plain: schedulable, stay, 0 soft taints
	// gpu: avoid, stay, 1 soft taints
	// ops: dedicated=ops:NoSchedule is not tolerated
	// broken: schedulable, evict after 5m0s, 0 soft taints
}

// What a list tolerates of the taints that nodes have, such as for finding the nodes
// that it can make a difference for.
func ExampleMatcher_AppendTolerated() {
	var v compile.Vocabulary
	taints, err := taint.ParseList("gpu=large:NoSchedule,gpu=small:NoExecute,spot=true:PreferNoSchedule,rank=7:NoSchedule")
	if err != nil {
		panic(err)
	}
	v.Append(nil, taints)
	pod, err := toleration.ParseList("gpu,rank>5:NoSchedule,gone")
	if err != nil {
		panic(err)
	}
	var m compile.Matcher
	m.Compile(&v, pod, toleration.Rules{Comparisons: true})
	for _, id := range m.AppendTolerated(nil, taint.Hard) {
		t, _ := v.Taint(id)
		fmt.Println(t)
	}
	// Unordered output:
	// gpu=large:NoSchedule
	// gpu=small:NoExecute
	// rank=7:NoSchedule
}

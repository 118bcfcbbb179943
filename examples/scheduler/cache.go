package main

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// cache is what the scheduler knows about the nodes. It holds the capacity itself
// and leaves the taints to the index. The slots in the answers of the index lead
// back to the nodes.
type cache struct {
	byName   map[string]*node
	byNumber []*node
	nodes    int // how many there ever were

	index    *index.Index
	snapshot *index.Snapshot // the current one; nil after a change, until it is needed
	changed  []*node         // those that get their class from the next snapshot

	fits []fitted // by class of pods
}

// fitted is the last answer for a class of pods, with its snapshot.
type fitted struct {
	fit  index.Fit
	from *index.Snapshot
}

func newCache(rules toleration.Rules) *cache {
	return &cache{byName: make(map[string]*node), index: index.New(rules)}
}

// set adds a node, or changes one.
func (c *cache) set(name string, taints []taint.Taint, capacity int64) *node {
	n := c.byName[name]
	if n == nil {
		c.nodes++
		n = &node{name: name, number: c.nodes, pods: make(map[*pod]struct{})}
		c.byName[name] = n
	}
	n.taints, n.capacity = taints, capacity
	if id := c.index.Set(name, taints); id != n.id {
		c.vacate(n)
		n.id = id
		for id.Number() >= len(c.byNumber) {
			c.byNumber = append(c.byNumber, nil)
		}
		c.byNumber[id.Number()] = n
		c.changed, c.snapshot = append(c.changed, n), nil
	}
	return n
}

// vacate frees the slot of a node, if it has one.
func (c *cache) vacate(n *node) {
	if n.id != (index.NodeID{}) {
		c.byNumber[n.id.Number()] = nil
	}
}

func (c *cache) delete(n *node) {
	c.vacate(n)
	c.index.Delete(n.name)
	delete(c.byName, n.name)
	c.snapshot = nil
}

// now returns the current snapshot. A node keeps its class as long as it keeps its
// ID, so only nodes with a new ID need a new class.
func (c *cache) now() *index.Snapshot {
	if c.snapshot == nil {
		c.snapshot = c.index.Snapshot()
		for _, n := range c.changed {
			n.class = c.snapshot.Class(n.id)
		}
		c.changed = c.changed[:0]
	}
	return c.snapshot
}

// fit returns where the pods of a class may be scheduled now. Pods with equal
// toleration lists share the answer until a node changes.
func (c *cache) fit(pods *index.Pods, class index.PodClass) *index.Fit {
	for int(class) >= len(c.fits) {
		c.fits = append(c.fits, fitted{})
	}
	f := &c.fits[class]
	if snapshot := c.now(); f.from != snapshot {
		snapshot.FitList(&f.fit, pods.Tolerations(class))
		f.from = snapshot
	}
	return &f.fit
}

// forget drops the answer for a class that has no pods left: its number will be
// reused for another toleration list.
func (c *cache) forget(class index.PodClass) {
	if int(class) < len(c.fits) {
		c.fits[class].from = nil
	}
}

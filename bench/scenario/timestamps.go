package scenario

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// Timestamps makes a fleet that Cluster Autoscaler is shrinking: the pools and
// pods of [Pools], and on 10 of 100 nodes the taint of a candidate for deletion,
// on another 5 that and the one of a node to be deleted. The values of both are
// Unix times, so that no two nodes need have the same. [TimestampChanges] is how
// it goes on.
func Timestamps(seed uint64, nodes, pods int) *Cluster {
	f := newFleet(seed)
	c := allocate(nodes, pods)
	for i := range c.Nodes {
		taints := withoutAutoscaler(nodeDraw{f.drawPool(), healthy}.taints(f)) // a real list can have them
		draw := f.random.IntN(100)
		if draw < 15 {
			taints = addTaint(taints, candidate(firstTime-f.random.IntN(3600)))
		}
		if draw < 5 {
			taints = addTaint(taints, toBeDeleted(firstTime-f.random.IntN(60)))
		}
		c.Nodes[i].Taints = taints
	}
	f.fillPods(c)
	return c
}

// Change is the new taint list of a node.
type Change struct {
	Node   int // the position in the nodes of the cluster
	Taints []taint.Taint
}

// TimestampChanges iterates, without end, over what Cluster Autoscaler does to
// the nodes of a cluster: a node becomes a candidate for deletion, is needed
// after all or is to be deleted, and gives way to a new node of the same name.
// Time goes on from change to change, so that taints have values that no node
// had before, and in the long run as many nodes have them as in [Timestamps].
//
// Neither the cluster nor its lists are written to; the lists of the changes
// belong to the caller. The same cluster and seed give the same changes. A
// cluster without nodes has none.
func TimestampChanges(seed uint64, c *Cluster) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		a := newAutoscaler(seed, c)
		for len(a.lists) > 0 {
			if !yield(a.next()) {
				return
			}
		}
	}
}

const firstTime = 1_790_000_000

// autoscaler is the state of a cluster that changes.
type autoscaler struct {
	random *rand.Rand
	now    int
	lists  [][]taint.Taint
}

func newAutoscaler(seed uint64, c *Cluster) *autoscaler {
	a := &autoscaler{random: newRandom(seed), now: firstTime}
	for i := range c.Nodes {
		a.lists = append(a.lists, c.Nodes[i].Taints)
	}
	return a
}

// next makes the next change.
func (a *autoscaler) next() Change {
	for {
		a.now += a.random.IntN(3)
		node := a.random.IntN(len(a.lists))
		if taints, changed := a.step(a.lists[node]); changed {
			a.lists[node] = taints
			return Change{node, slices.Clone(taints)}
		}
	}
}

// step returns what becomes of a node with the given taints. A node without the
// taints of the autoscaler keeps that way 7 times out of 8, so that few of the
// fleet have them.
func (a *autoscaler) step(taints []taint.Taint) (next []taint.Taint, changed bool) {
	switch {
	case taint.KeyExists(taints, taint.KeyToBeDeleted):
		return withoutAutoscaler(taints), true
	case !taint.KeyExists(taints, taint.KeyDeletionCandidate):
		return addTaint(taints, candidate(a.now)), a.random.IntN(8) == 0
	case a.random.IntN(2) == 0:
		return withoutAutoscaler(taints), true
	}
	return addTaint(taints, toBeDeleted(a.now)), true
}

func candidate(seconds int) taint.Taint {
	return taint.Taint{Key: taint.KeyDeletionCandidate, Value: strconv.Itoa(seconds), Effect: taint.PreferNoSchedule}
}

func toBeDeleted(seconds int) taint.Taint {
	return taint.Taint{Key: taint.KeyToBeDeleted, Value: strconv.Itoa(seconds), Effect: taint.NoSchedule}
}

// addTaint returns a new list: nodes share theirs.
func addTaint(taints []taint.Taint, t taint.Taint) []taint.Taint {
	return append(slices.Clip(taints), t)
}

// withoutAutoscaler returns a new list without the taints of the autoscaler.
func withoutAutoscaler(taints []taint.Taint) []taint.Taint {
	return slices.DeleteFunc(slices.Clone(taints), func(t taint.Taint) bool {
		return t.Key == taint.KeyToBeDeleted || t.Key == taint.KeyDeletionCandidate
	})
}

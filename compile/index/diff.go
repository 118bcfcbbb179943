package index

import (
	"cmp"
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/compile"
)

// Diff is the difference of two snapshots: which nodes have other taints in the second
// than in the first, by what they had and have.
//
// The zero Diff is ready for [Diff.Between], and holds no difference. A Diff must not
// be copied. One goroutine at a time may fill it; while nobody does, any number may
// ask. It retains both snapshots until it is filled again, and its buffers as long as it lives.
type Diff struct {
	before, after *Snapshot
	nodes         []changedNode // sorted as the moves are, then by name
	moves         []Move
	stamp         uint64 // of the moves
}

// Move is the nodes that went from one class to another.
//
// A Move is a plain value that is good until its Diff is filled again: a stale one, or one of
// another Diff, has no nodes and means nothing to any pod.
type Move struct {
	From  Class // in the first snapshot; zero if the nodes are new
	To    Class // in the second snapshot; zero if the nodes are gone
	Nodes int
	first int // of its nodes in the Diff
	stamp uint64
}

// changedNode is a node that may have changed. The classes are positions plus one, and
// zero where the node is not in a snapshot.
type changedNode struct {
	name     string
	from, to uint32
}

// Between fills d with what became of the nodes of one snapshot in another. Nodes are
// told apart by their names, and differ if their taints do, or the order of those;
// times do not matter. The snapshots must not be nil.
//
// For snapshots of one index, or of one and a fork of it, the time follows the number of
// changes between the two: each costs no more than looking at a few hundred nodes, beside
// a pointer for each hundred nodes of the fleet. For those of different indexes it is that
// of comparing all nodes.
func (d *Diff) Between(before, after *Snapshot) {
	d.before, d.after, d.stamp = before, after, stamps.Add(1)
	clear(d.nodes) // retain no names
	d.nodes, d.moves = d.nodes[:0], d.moves[:0]
	for first, end := range before.nodes.Changed(&after.nodes) {
		d.collect(first, end)
	}
	d.join()
	d.group()
}

// collect appends the nodes in a range of numbers. Those with the same stamp have not
// changed, since it was given once.
func (d *Diff) collect(first, end uint32) {
	for number := first; number < end; number++ {
		a, b := d.before.nodeAt(number), d.after.nodeAt(number)
		if a.stamp == b.stamp {
			continue
		}
		if a.stamp != 0 {
			d.nodes = append(d.nodes, changedNode{name: *d.before.names.At(number), from: a.class + 1})
		}
		if b.stamp != 0 {
			d.nodes = append(d.nodes, changedNode{name: *d.after.names.At(number), to: b.class + 1})
		}
	}
}

// nodeAt returns the node of a number, which need not exist.
func (s *Snapshot) nodeAt(number uint32) node {
	if int(number) >= s.nodes.Len() {
		return node{}
	}
	return *s.nodes.At(number)
}

// join makes one of the two entries of a node that is in both snapshots.
func (d *Diff) join() {
	slices.SortFunc(d.nodes, func(a, b changedNode) int { return cmp.Compare(a.name, b.name) })
	joined := d.nodes[:0]
	for _, n := range d.nodes {
		if last := len(joined) - 1; last >= 0 && joined[last].name == n.name {
			joined[last].from |= n.from // one of the two is zero
			joined[last].to |= n.to
		} else {
			joined = append(joined, n)
		}
	}
	clear(d.nodes[len(joined):]) // retain no names
	d.nodes = joined
}

// group makes moves of the nodes, and drops those whose taints are the same.
func (d *Diff) group() {
	slices.SortFunc(d.nodes, func(a, b changedNode) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.name, b.name))
	})
	for i := 0; i < len(d.nodes); {
		n, first := d.nodes[i], i
		for i < len(d.nodes) && d.nodes[i].from == n.from && d.nodes[i].to == n.to {
			i++
		}
		if !d.same(n.from, n.to) {
			d.moves = append(d.moves, Move{From: d.before.classOf(n.from), To: d.after.classOf(n.to), Nodes: i - first, first: first, stamp: d.stamp})
		}
	}
}

// classOf returns the Class of a position plus one.
func (s *Snapshot) classOf(position uint32) Class {
	if position == 0 {
		return Class{}
	}
	return s.classAt(position - 1)
}

// same reports whether two classes hold the same taints. Their positions do not tell:
// a position is used again for another class.
func (d *Diff) same(from, to uint32) bool {
	if from == 0 || to == 0 {
		return false
	}
	a, b := d.before.classes.At(from-1).taints, d.after.classes.At(to-1).taints
	return slices.EqualFunc(a, b, func(a, b compile.TaintID) bool { return d.before.taint(a) == d.after.taint(b) })
}

// Moves iterates over the moves. The order is not specified, but is the same for
// the same snapshots.
func (d *Diff) Moves() iter.Seq[Move] { return slices.Values(d.moves) }

// Names iterates over the names of the nodes of a move of this Diff, in ascending
// order.
func (d *Diff) Names(m Move) iter.Seq[string] {
	return func(yield func(string) bool) {
		if m.stamp != d.stamp || m.Nodes < 0 || m.Nodes > len(d.nodes)-m.first {
			return
		}
		for _, n := range d.nodes[m.first : m.first+m.Nodes] {
			if !yield(n.name) {
				return
			}
		}
	}
}

// Impact fills c with what a move of this Diff means to pods. All moves together tell of each
// pod class and node class whose answer changed, and of no others. It takes as much as
// [Pods.NodeUpdated].
func (d *Diff) Impact(c *Impact, p *Pods, m Move) {
	if m.stamp != d.stamp || m.stamp == 0 {
		*c = Impact{}
		return
	}
	c.taints[0] = d.before.AppendTaints(c.taints[0][:0], m.From)
	c.taints[1] = d.after.AppendTaints(c.taints[1][:0], m.To)
	switch {
	case m.From == Class{}:
		p.NodeAdded(c, c.taints[1])
	case m.To == Class{}:
		p.NodeDeleted(c, c.taints[0])
	default:
		p.NodeUpdated(c, c.taints[0], c.taints[1])
	}
	clear(c.taints[0]) // retain no strings
	clear(c.taints[1])
}

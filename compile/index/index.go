package index

import (
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/tolero-dev/tolero/taint"
)

// NodeID stands for a node with the taints that it had when the ID was given:
// [Index.Set] gives a new one when the taints change.
//
// The zero NodeID stands for no node. A NodeID is a plain value; comparing two
// with == tells whether they are of the same index, node and taints. It retains
// nothing.
type NodeID struct {
	slot  uint32
	stamp uint32
	owner uint32 // the index
}

// Slot returns the position of the node in the words that [Fit.AppendWords]
// writes. Positions are used again once a node is gone or has other taints.
func (id NodeID) Slot() int { return int(id.slot) }

// Index is a fleet of nodes by their taints.
//
// Indexes come from [New]. An Index must not be copied. One goroutine at a time
// may call its methods; the snapshots that it gives may be used by any number.
// It retains the names and the strings of the taints that nodes have at the time.
type Index struct {
	registry
	allocator
	ids   map[string]NodeID
	owner uint32
}

// owners numbers the indexes of the process.
var owners atomic.Uint32

// New returns an empty index.
func New() *Index {
	ix := &Index{ids: make(map[string]NodeID), owner: owners.Add(1)}
	ix.seed = maphash.MakeSeed()
	ix.setsByContent, ix.listsByContent = make(map[string]uint32), make(map[string]uint32)
	return ix
}

// Len returns the number of nodes.
func (ix *Index) Len() int { return len(ix.ids) }

// Set gives the node of that name its taints, whatever it had before, and
// returns its ID. Nodes that are not in the index are added. If the taints are
// the same as before, in the same order, nothing changes and the ID is the same.
// Times do not matter, and taints with unknown effects are left out.
//
// The time follows the number of taints, which it sorts. In the steady state, when
// other nodes have the same list, Set does not allocate but for what
// [Index.Snapshot] left to it.
func (ix *Index) Set(name string, taints []taint.Taint) NodeID {
	position := ix.listOf(taints)
	old, known := ix.ids[name]
	if known && ix.stands(old, position) {
		return old
	}
	ix.count(position, 1)
	id := ix.move(name, old, position)
	ix.check()
	return id
}

// stands reports whether a node of the index is in a list.
func (ix *Index) stands(id NodeID, position uint32) bool {
	return ix.nodes.At(id.slot).list == position
}

// move puts the node of that name into a list, which counts it already. The old ID
// is zero for a node that is not in the index.
func (ix *Index) move(name string, old NodeID, position uint32) NodeID {
	var number uint32
	if old.stamp != 0 {
		number = ix.nodes.At(old.slot).number
	} else {
		number = place(&ix.names, &ix.freeNames, name)
	}
	id := NodeID{owner: ix.owner}
	id.slot, id.stamp = ix.take(position, ix.lists.Edit(position), number)
	if old.stamp != 0 {
		ix.remove(old)
	}
	ix.ids[name] = id
	return id
}

// Load sets many nodes, as [Index.Set] does one after the other: of nodes with the
// same name the last one counts, and nodes of the index that do not come stay as they
// are. It is the way to build an index: faster than Set, and the nodes of a list come
// to stand side by side. The taints need not outlive the step of the iteration, which
// must not use the index; if it panics, the index is as it was before.
func (ix *Index) Load(nodes iter.Seq2[string, []taint.Taint]) {
	var names []string
	var positions []uint32
	whole := false
	defer func() {
		if !whole {
			for _, position := range positions {
				ix.count(position, -1)
			}
		}
	}()
	moving := make(map[uint32]uint32) // of a list: how many nodes come to it
	for name, taints := range nodes {
		position := ix.listOf(taints)
		ix.count(position, 1)
		names, positions = append(names, name), append(positions, position)
		if old, known := ix.ids[name]; !known || !ix.stands(old, position) {
			moving[position]++
		}
	}
	whole = true
	for _, position := range slices.Sorted(maps.Keys(moving)) {
		ix.reserve(position, ix.lists.Edit(position), moving[position])
	}
	if len(ix.ids) == 0 {
		ix.ids = make(map[string]NodeID, len(names))
	}
	for i, name := range names {
		if old, known := ix.ids[name]; known && ix.stands(old, positions[i]) {
			ix.count(positions[i], -1)
		} else {
			ix.move(name, old, positions[i])
		}
	}
	ix.check()
}

// Delete takes the node of that name out of the index, and reports whether it
// was there.
func (ix *Index) Delete(name string) bool {
	id, known := ix.ids[name]
	if !known {
		return false
	}
	number := ix.nodes.At(id.slot).number
	*ix.names.Edit(number) = ""
	ix.freeNames = append(ix.freeNames, number)
	ix.remove(id)
	delete(ix.ids, name)
	ix.check()
	return true
}

// ID returns the ID of the node of that name, and whether it is in the index.
func (ix *Index) ID(name string) (id NodeID, ok bool) {
	id, ok = ix.ids[name]
	return id, ok
}

// remove takes a node out of its slot and its list.
func (ix *Index) remove(id NodeID) {
	position := ix.nodes.At(id.slot).list
	l := ix.lists.Edit(position)
	ix.release(id.slot, l)
	if l.nodes == 1 {
		ix.disband(position, l)
	}
	ix.count(position, -1)
}

// Snapshot returns the fleet as it is now. What is done to the index later does
// not change it. It takes constant time and allocates once; the changes that follow
// copy what they write to, some kilobytes and ten bytes for each hundred nodes.
func (ix *Index) Snapshot() *Snapshot {
	return &Snapshot{
		vocabulary: ix.vocabulary.freeze(), classes: ix.classes.freeze(), slots: ix.slots.freeze(),
		count: len(ix.ids), owner: ix.owner,
	}
}

// Snapshot is a fleet at one moment.
//
// Snapshots come from [Index.Snapshot]; the zero Snapshot is an empty fleet. A
// Snapshot is immutable and may be used concurrently; it must not be copied. It
// retains what the index held at that moment.
type Snapshot struct {
	vocabulary
	classes
	slots
	count int
	owner uint32
}

// Len returns the number of nodes.
func (s *Snapshot) Len() int { return s.count }

// Name returns the name of a node, and whether it stood in the index with that
// ID at that moment.
func (s *Snapshot) Name(id NodeID) (name string, ok bool) {
	if !s.has(id) {
		return "", false
	}
	return *s.names.At(s.nodes.At(id.slot).number), true
}

// has reports whether the ID is of a node of the snapshot.
func (s *Snapshot) has(id NodeID) bool {
	return id.stamp != 0 && id.owner == s.owner && int(id.slot) < s.nodes.Len() && s.nodes.At(id.slot).stamp == id.stamp
}

// id returns the ID of the node in a slot.
func (s *Snapshot) id(slot uint32) NodeID {
	return NodeID{slot, s.nodes.At(slot).stamp, s.owner}
}

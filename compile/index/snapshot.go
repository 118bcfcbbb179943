package index

import (
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Snapshot is a fleet at one moment.
//
// Snapshots come from [Index.Snapshot]; the zero Snapshot is an empty fleet. A
// Snapshot is immutable and may be used concurrently; it must not be copied. It
// retains what the index held at that moment.
type Snapshot struct{ state }

// sorted returns the base, which only the zero Snapshot does not have.
func (s *Snapshot) sorted() *base {
	if s.base == nil {
		return &noBase
	}
	return s.base
}

// Len returns the number of nodes.
func (s *Snapshot) Len() int { return s.count }

// Rules returns the rules of the cluster that the index was made for.
func (s *Snapshot) Rules() toleration.Rules { return s.rules }

// ID returns the ID that the node of that name had at that moment, and whether it was
// in the index.
func (s *Snapshot) ID(name string) (id NodeID, ok bool) { return s.nodeID(name) }

// lookups is how many names are looked up together. What no cache holds is several misses
// away, each of which tells where the next one is: a loop that takes one step for each of
// many names waits for many at once.
const lookups = 64

// AppendIDs is [Snapshot.ID] for many names, in less time: it appends an ID for each name to
// dst, and the zero NodeID for a name that was not in the index, and returns the extended
// slice. No names add nothing, and names may be repeated. It retains neither slice, and
// allocates only to grow dst.
func (s *Snapshot) AppendIDs(dst []NodeID, names []string) []NodeID {
	if s.byName.Len() == 0 { // there may be no seed yet
		return append(dst, make([]NodeID, len(names))...)
	}
	var hashes, numbers [lookups]uint32
	for chunk := range slices.Chunk(names, lookups) {
		for i, name := range chunk {
			hashes[i] = hashText(s.seed, name)
		}
		for i := range chunk {
			numbers[i] = s.guess(hashes[i])
		}
		for i, name := range chunk {
			id := NodeID{}
			if n := numbers[i]; n != none && *s.names.At(n) == name {
				id = s.id(n)
			} else {
				id, _ = s.nodeID(name)
			}
			dst = append(dst, id)
		}
	}
	return dst
}

// guess returns the number of a node whose name has a hash, another number, or none.
func (s *Snapshot) guess(hash uint32) uint32 {
	for number := range s.byName.Candidates(hash) {
		return number
	}
	return none
}

// Name returns the name of a node, and whether it was in the index with that ID at that
// moment.
func (s *Snapshot) Name(id NodeID) (name string, ok bool) {
	name, _, ok = s.Node(id)
	return name, ok
}

// Node returns the name and the class of a node, and whether it was in the index with that
// ID at that moment.
func (s *Snapshot) Node(id NodeID) (name string, c Class, ok bool) {
	if !s.Has(id) {
		return "", Class{}, false
	}
	return *s.names.At(id.number), s.classAt(s.nodes.At(id.number).class), true
}

// Has reports whether the node of an ID is in the snapshot with the taints for which
// the ID was given. If not, the ID is stale, or of another index.
func (s *Snapshot) Has(id NodeID) bool {
	return id.stamp != 0 && int(id.number) < s.nodes.Len() && s.nodes.At(id.number).stamp == id.stamp
}

// Slot returns which bit a node has in the words that [Fit.AppendWords] writes for
// this snapshot, and -1 if the snapshot does not have the node. The node may have
// another slot in another snapshot.
func (s *Snapshot) Slot(id NodeID) int {
	if !s.Has(id) {
		return -1
	}
	return int(s.slot(id.number))
}

// words returns how many words have a bit for each slot.
func (s *Snapshot) words() int { return (len(s.sorted().nodes) + len(s.transfers) + 63) / 64 }

// Class stands for all nodes with the same taints in the same order. A scheduler
// with a node cache of its own asks for the class of a node once, when it gets the
// [NodeID], and tests pods with [Fit.HasClass]: as long as a node has its ID, it has
// its class, in every snapshot that has the node.
//
// A Class is a plain value that may be compared with ==, and retains nothing. Once no
// node has it, it is stale: no later class is equal to it, and a snapshot says that it
// does not have it, [Snapshot.HasClass]. A Fit answers for a class that its snapshot does
// not have as for a node with one taint, of every effect, that nothing tolerates. The zero
// Class is that of no node.
type Class struct {
	position uint32 // plus one
	stamp    uint64
}

// Number returns a small number for the class. No two classes of one snapshot have the same
// number. Once a class is stale, another may get its number. The number of the zero Class
// is zero, and no other class has it.
func (c Class) Number() int { return int(c.position) }

// Class returns the class of a node, and the zero Class if the node is not in the
// snapshot.
func (s *Snapshot) Class(id NodeID) Class {
	if !s.Has(id) {
		return Class{}
	}
	return s.classAt(s.nodes.At(id.number).class)
}

// HasClass reports whether some node of the snapshot has the class. If not, the class
// is stale, or of another index.
func (s *Snapshot) HasClass(c Class) bool { return s.class(c) != nil }

// classAt returns the Class of a position.
func (s *Snapshot) classAt(position uint32) Class {
	return Class{position + 1, s.classes.At(position).stamp}
}

// class returns what the snapshot has of a class, or nil.
func (s *Snapshot) class(c Class) *class {
	if c.position == 0 || int(c.position) > s.classes.Len() {
		return nil
	}
	if class := s.classes.At(c.position - 1); class.stamp == c.stamp {
		return class
	}
	return nil
}

// Classes iterates over the classes of the snapshot and how many nodes each has, at least
// one. The order is not specified, but is the same for the same snapshot.
func (s *Snapshot) Classes() iter.Seq2[Class, int] {
	return func(yield func(Class, int) bool) {
		for position := range s.positions() {
			if !yield(s.classAt(position), int(s.classes.At(position).nodes)) {
				return
			}
		}
	}
}

// positions iterates over the classes that have nodes: first those of the base, then those
// that came since.
func (s *Snapshot) positions() iter.Seq[uint32] {
	return func(yield func(position uint32) bool) {
		b := s.sorted()
		for _, position := range b.classes {
			if class := s.classes.At(position); class.nodes > 0 && b.has(class) && !yield(position) {
				return
			}
		}
		for i, position := range s.newClasses {
			if class := s.classes.At(position); class.nodes > 0 && !b.has(class) && class.at == uint32(i) && !yield(position) {
				return
			}
		}
	}
}

// AppendTaints appends the taints of the nodes of a class to dst, in the order of the
// nodes and without times, and returns the extended slice. A class that the snapshot
// does not have adds nothing, and so does a nil Snapshot. It allocates only to grow dst.
func (s *Snapshot) AppendTaints(dst []taint.Taint, c Class) []taint.Taint {
	if s == nil {
		return dst
	}
	class := s.class(c)
	if class == nil {
		return dst
	}
	return s.vocabulary.AppendTaints(dst, class.taints)
}

// taint returns the taint of an ID that is in use.
func (s *Snapshot) taint(id compile.TaintID) taint.Taint {
	t, _ := s.vocabulary.Taint(id)
	return t
}

// Nodes iterates over the nodes whose class passes keep, which is called once for each class;
// nil passes all. The order is that of their numbers. It allocates two bits for each class.
func (s *Snapshot) Nodes(keep func(c Class) bool) iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		kept := make([]bool, s.classes.Len())
		for position := range s.positions() {
			kept[position] = keep == nil || keep(s.classAt(position))
		}
		for number := range uint32(s.nodes.Len()) {
			if n := s.nodes.At(number); n.used() && kept[n.class] && !yield(s.id(number)) {
				return
			}
		}
	}
}

// Fork returns an index that holds what the snapshot holds, in constant time. What is
// done to the one does not concern the other: a fork is for what-if questions, and may
// then be dropped. Nodes that do not change keep their IDs and classes, which are valid
// for both. Writing to a fork costs what a change after a Snapshot does.
func (s *Snapshot) Fork() *Index {
	fork := &Index{state: s.freeze()}
	if fork.base != nil {
		transfers, classes := mostTransfers(len(fork.base.taints)), mostClasses(len(fork.base.classes))
		fork.mostTransfers = min(len(fork.transfers), transfers) + transfers
		fork.mostClasses = min(len(fork.newClasses), classes) + classes
	}
	fork.peak = fork.size()
	return fork
}

package index

import (
	"slices"

	"github.com/tolero-dev/tolero/toleration"
)

// Snapshot is a fleet at one moment.
//
// Snapshots come from [Index.Snapshot]; the zero Snapshot is an empty fleet. A
// Snapshot is immutable and may be used concurrently; it must not be copied. It
// retains what the index held at that moment.
type Snapshot struct{ state }

// Len returns the number of nodes.
func (s *Snapshot) Len() int { return s.count }

// WithoutHardTaints returns the number of nodes without hard taints, which every pod fits.
func (s *Snapshot) WithoutHardTaints() int { return s.within(0) }

// Rules returns the rules of the cluster that the index was made for.
func (s *Snapshot) Rules() toleration.Rules { return s.rules }

// ID returns the ID that the node of that name had at that moment, and whether it was
// in the index.
func (s *Snapshot) ID(name string) (id NodeID, ok bool) {
	number, ok := s.find(name)
	if !ok {
		return NodeID{}, false
	}
	return s.id(number), true
}

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
			hashes[i] = s.hasher.text(name)
		}
		for i := range chunk {
			numbers[i] = s.guess(hashes[i])
		}
		for i, name := range chunk {
			id := NodeID{}
			if n := numbers[i]; n != none && *s.names.At(n) == name {
				id = s.id(n)
			} else if n, known := s.find(name); known {
				id = s.id(n)
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
	if !s.Has(id) {
		return "", false
	}
	return *s.names.At(id.number), true
}

// Has reports whether the node of an ID is in the snapshot with the taints for which
// the ID was given. If not, the ID is stale, or of another index.
func (s *Snapshot) Has(id NodeID) bool {
	return id.stamp != 0 && int(id.number) < s.nodes.Len() && s.nodes.At(id.number).stamp == id.stamp
}

// HasClass reports whether some node of the snapshot has the class. If not, the class
// is stale, or of another index.
func (s *Snapshot) HasClass(c Class) bool { return s.list(c) != nil }

// Slot returns the position of a node in the words that [Fit.AppendWords] writes for
// this snapshot, and -1 if the snapshot does not have the node. The node may have
// another slot in another snapshot.
func (s *Snapshot) Slot(id NodeID) int {
	if !s.Has(id) {
		return -1
	}
	return int(s.nodes.At(id.number).slot)
}

// Fork returns an index that holds what the snapshot holds, in constant time. What is
// done to the one does not concern the other: a fork is for what-if questions, and may
// then be dropped. Nodes that do not change keep their IDs and classes, which are valid
// for both. Writing to a fork costs what a change after a Snapshot does.
func (s *Snapshot) Fork() *Index {
	return &Index{state: s.state.freeze()}
}

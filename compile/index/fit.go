package index

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/toleration"
)

// Fit is what the taints of a fleet mean to one toleration list: on which nodes
// a pod with that list may be scheduled.
//
// The zero Fit is ready for [Snapshot.Fit], and holds no nodes. A Fit must not
// be copied. One goroutine at a time may fill it; while nobody does, any number
// may ask. It retains the snapshot and the strings and seconds of the list until
// it is filled again, and its buffers for ever: use it again for the next pod.
type Fit struct {
	snapshot *Snapshot
	terms    []term
	sets     []uint32 // the sets that fit
	marks    []uint32 // of a set that fits: epoch
	epoch    uint32
	nodes    int
}

// Fit fills f with the answer for a pod with the given tolerations, valid or
// not: a node fits unless it has a NoSchedule or NoExecute taint that they do
// not tolerate (rule F2).
//
// The time is proportional to the number of tolerations and to that of the
// different taint sets that may fit, but not to that of the nodes. It does not
// allocate once f has served for a fleet of that many sets.
func (s *Snapshot) Fit(f *Fit, tolerations []toleration.Toleration) {
	f.begin(s)
	f.terms = s.resolve(f.terms[:0], tolerations)
	f.visit(s.clean)
	for i := range f.terms {
		f.follow(&f.terms[i])
	}
}

// begin empties f.
func (f *Fit) begin(s *Snapshot) {
	f.snapshot, f.sets, f.nodes = s, f.sets[:0], 0
	if n := s.sets.Len(); len(f.marks) < n {
		f.marks = append(f.marks, make([]uint32, n-len(f.marks))...)
	}
	if f.epoch++; f.epoch == 0 { // after 4 billion pods
		clear(f.marks)
		f.epoch = 1
	}
}

// follow visits the sets that watch what a term tolerates.
func (f *Fit) follow(t *term) {
	s := f.snapshot
	switch {
	case t.form == onePair:
		f.followPair(t, t.pair)
	case t.form < anyEqual:
		for next := s.keys.At(t.key).first; next != 0; next = s.pairs.At(next - 1).next {
			f.followPair(t, next-1)
		}
	default:
		for position := range uint32(s.sets.Len()) {
			f.visitOne(position)
		}
	}
}

func (f *Fit) followPair(t *term, position uint32) {
	p := f.snapshot.pairs.At(position)
	for e := range hardEffects {
		if p.watching[e] != 0 && f.snapshot.tolerates(t, elementOf(position, e)) {
			f.visit(p.watching[e])
		}
	}
}

// visit takes in the sets of a linked list that fit.
func (f *Fit) visit(next uint32) {
	for next != 0 {
		f.visitOne(next - 1)
		next = f.snapshot.sets.At(next - 1).next
	}
}

// visitOne takes in a set if it fits. It may be visited more than once.
func (f *Fit) visitOne(position uint32) {
	s := f.snapshot.sets.At(position)
	if s.nodes == 0 || f.marks[position] == f.epoch {
		return
	}
	for _, e := range s.elements[:s.hard] {
		if f.first(e) == nil {
			return
		}
	}
	f.marks[position] = f.epoch
	f.sets = append(f.sets, position)
	f.nodes += int(s.nodes)
}

// fits reports whether a set fits.
func (f *Fit) fits(position uint32) bool {
	return f.marks[position] == f.epoch
}

// Len returns the number of nodes that fit.
func (f *Fit) Len() int { return f.nodes }

// Has reports whether a node fits. A node that is not in the snapshot does not.
func (f *Fit) Has(id NodeID) bool {
	return f.snapshot != nil && f.snapshot.has(id) && f.fits(f.snapshot.setOf(id))
}

// setOf returns the set of a node of the snapshot.
func (s *Snapshot) setOf(id NodeID) uint32 {
	return s.lists.At(s.nodes.At(id.slot).list).set
}

// Nodes iterates over the nodes that fit, those with the same taints together
// and in the order of their slots. What comes first is not specified, but the
// same for equal lists and one snapshot.
func (f *Fit) Nodes() iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		for l := range f.lists() {
			if !f.snapshot.yieldNodes(l, yield) {
				return
			}
		}
	}
}

// lists iterates over the lists that fit.
func (f *Fit) lists() iter.Seq[*list] {
	return func(yield func(*list) bool) {
		for _, position := range f.sets {
			for next := f.snapshot.sets.At(position).lists; next != 0; {
				l := f.snapshot.lists.At(next - 1)
				if !yield(l) {
					return
				}
				next = l.next
			}
		}
	}
}

func (s *Snapshot) yieldNodes(l *list, yield func(NodeID) bool) bool {
	for _, slot := range l.shared[:l.count] {
		if !yield(NodeID{slot, s.nodes.At(slot).stamp}) {
			return false
		}
	}
	for _, r := range l.runs {
		for page := r.first; page < r.first+r.count; page++ {
			for word := *s.occupied.At(page); word != 0; word &= word - 1 {
				slot := page*pageSize + uint32(bits.TrailingZeros64(word))
				if !yield(NodeID{slot, s.nodes.At(slot).stamp}) {
					return false
				}
			}
		}
	}
	return true
}

// AppendWords appends a bit for each slot of the snapshot to dst, 64 in a word
// and the lowest first: set if the slot holds a node that fits. It returns the
// extended slice. The time is little more than that of copying the words.
func (f *Fit) AppendWords(dst []uint64) []uint64 {
	if f.snapshot == nil {
		return dst
	}
	occupied := &f.snapshot.occupied
	n := occupied.Len()
	dst = slices.Grow(dst, n)[:len(dst)+n]
	words := dst[len(dst)-n:]
	clear(words)
	for l := range f.lists() {
		for _, slot := range l.shared[:l.count] {
			words[slot/pageSize] |= 1 << (slot % pageSize)
		}
		for _, r := range l.runs {
			occupied.CopyTo(words[r.first:r.first+r.count], r.first)
		}
	}
	return dst
}

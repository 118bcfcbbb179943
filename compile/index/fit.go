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
	sets     []uint32 // the sets with a hard element that fit
	marks    []uint32 // of a list: epoch if it fits
	epoch    uint32
	all      bool // everything fits, and sets is not filled
	nodes    int
}

// Fit fills f with the answer for a pod with the given tolerations, valid or
// not: a node fits unless it has a NoSchedule or NoExecute taint that they do
// not tolerate (rule F2).
//
// The time is proportional to the number of tolerations and to that of the
// different taint sets that may fit, but not to that of the nodes. It does not
// allocate once f has served for a fleet of that many sets and for pods that
// resolve to as many tolerations and fit as many sets.
func (s *Snapshot) Fit(f *Fit, tolerations []toleration.Toleration) {
	f.begin(s)
	f.terms = s.resolve(f.terms, tolerations)
	if f.all = coverHard(f.terms); f.all {
		f.nodes = s.count
		return
	}
	for i := range f.terms {
		f.follow(&f.terms[i])
	}
}

// begin makes f the Fit of a pod that tolerates nothing.
func (f *Fit) begin(s *Snapshot) {
	clear(f.terms) // retain nothing of the last list
	f.snapshot, f.terms, f.sets, f.nodes = s, f.terms[:0], f.sets[:0], int(s.plain)
	if n := int(firstMark) + s.sets.Len(); len(f.marks) < n {
		f.marks = append(f.marks, make([]uint32, n-len(f.marks))...)
	}
	if f.epoch++; f.epoch == 0 { // after 4 billion pods
		clear(f.marks)
		f.epoch = 1
	}
	f.marks[cleanMark] = f.epoch
}

// coverHard reports whether terms tolerate every hard taint there can be, as the
// toleration that is just Exists does.
func coverHard(terms []term) bool {
	var covered [effectMask + 1]bool
	for i := range terms {
		switch t := &terms[i]; {
		case t.form != masked || t.mask > effectMask:
		case t.mask == 0:
			return true
		default:
			covered[t.want] = true
		}
	}
	return covered[noSchedule] && covered[noExecute]
}

// follow visits the sets that watch what a term tolerates.
func (f *Fit) follow(t *term) {
	s := f.snapshot
	switch {
	case t.mask&keyMask == 0:
		for position := range uint32(s.sets.Len()) {
			f.visit(position, noElement)
		}
	case t.form != masked:
		f.followNumbers(t, s.keys.At(t.want.key()).root)
	case t.mask&pairMask != 0:
		f.followPair(t, t.want.pair())
	default:
		for next := s.keys.At(t.want.key()).first; next != 0; next = s.pairs.At(next - 1).next {
			f.followPair(t, next-1)
		}
	}
}

// followNumbers follows the pairs of a tree whose numbers are above the bound of a
// term, or below it.
func (f *Fit) followNumbers(t *term, root uint32) {
	for root != 0 {
		p := f.snapshot.pairs.At(root - 1)
		inside, toBound, fromBound := p.number > t.bound, p.less, p.greater
		if t.form == below {
			inside, toBound, fromBound = p.number < t.bound, p.greater, p.less
		}
		if inside {
			f.followPair(t, root-1)
			f.followNumbers(t, toBound)
		}
		root = fromBound
	}
}

// followPair visits the sets that watch an element of a pair that a term tolerates.
func (f *Fit) followPair(t *term, pair uint32) {
	p := f.snapshot.pairs.At(pair)
	for e := range hardEffects {
		if p.watching[e] != 0 && (element(e)^t.want)&t.mask&effectMask == 0 {
			f.visitWatching(elementOf(p.key, pair, e), p.watching[e])
		}
	}
}

// visitWatching takes in those sets that fit of a linked list that watches a
// tolerated element.
func (f *Fit) visitWatching(tolerated element, next uint32) {
	for next != 0 {
		f.visit(next-1, tolerated)
		next = f.snapshot.sets.At(next - 1).next
	}
}

// visit takes in a set if it fits and has a hard element. It may be visited more
// than once. One element is known to be tolerated, or none.
func (f *Fit) visit(position uint32, tolerated element) {
	s := f.snapshot.sets.At(position)
	if s.hard == 0 || f.marks[firstMark+position] == f.epoch {
		return
	}
	for _, e := range s.elements[:s.hard] {
		if e != tolerated && f.first(e) == nil {
			return
		}
	}
	f.marks[firstMark+position] = f.epoch
	f.sets = append(f.sets, position)
	f.nodes += int(s.nodes)
}

// fits reports whether the list of a mark fits.
func (f *Fit) fits(mark uint32) bool {
	return f.all || f.marks[mark] == f.epoch
}

// Len returns the number of nodes that fit.
func (f *Fit) Len() int { return f.nodes }

// Has reports whether a node fits. A node that is not in the snapshot does not.
func (f *Fit) Has(id NodeID) bool {
	s := f.snapshot
	return s != nil && s.has(id) && f.fits(s.lists.At(s.nodes.At(id.slot).list).mark)
}

// Nodes iterates over the nodes that fit in the order of their classes: first those
// that every pod fits, then the others as the tolerations lead to them, and if
// everything fits, all in the order of the snapshot. The nodes of a class come together:
// those that stand among other classes, then page by page the rest, by their slots.
// The order is the same whenever equal lists are asked about one snapshot.
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
		switch s := f.snapshot; {
		case s == nil:
		case f.all:
			for position := range uint32(s.lists.Len()) {
				if l := s.lists.At(position); l.nodes > 0 && !yield(l) {
					return
				}
			}
		default:
			_ = f.cleanLists(yield) && f.hardLists(yield)
		}
	}
}

// cleanLists yields the lists without a hard element.
func (f *Fit) cleanLists(yield func(*list) bool) bool {
	for next := f.snapshot.clean; next != 0; next = f.snapshot.sets.At(next - 1).next {
		if !f.listsOf(next-1, yield) {
			return false
		}
	}
	return true
}

// hardLists yields the lists that fit and have a hard element.
func (f *Fit) hardLists(yield func(*list) bool) bool {
	for _, position := range f.sets {
		if !f.listsOf(position, yield) {
			return false
		}
	}
	return true
}

func (f *Fit) listsOf(set uint32, yield func(*list) bool) bool {
	s := f.snapshot
	for next := s.sets.At(set).lists; next != 0; next = s.lists.At(next - 1).next {
		if !yield(s.lists.At(next - 1)) {
			return false
		}
	}
	return true
}

func (s *Snapshot) yieldNodes(l *list, yield func(NodeID) bool) bool {
	for _, slot := range l.shared[:l.count] {
		if !yield(s.id(slot)) {
			return false
		}
	}
	for _, r := range l.runs {
		for page := r.first; page < r.first+r.count; page++ {
			for word := *s.occupied.At(page); word != 0; word &= word - 1 {
				if !yield(s.id(page*pageSize + uint32(bits.TrailingZeros64(word)))) {
					return false
				}
			}
		}
	}
	return true
}

// AppendWords appends a bit for each slot of the snapshot to dst, 64 in a word
// and the lowest first: set if the slot holds a node that fits. It returns the
// extended slice. The time is that of copying the words and some nanoseconds for each
// class with hard taints that fits, or for each run of its pages. It does not allocate
// if dst has room.
func (f *Fit) AppendWords(dst []uint64) []uint64 {
	s := f.snapshot
	if s == nil {
		return dst
	}
	n := s.occupied.Len()
	dst = slices.Grow(dst, n)[:len(dst)+n]
	words := dst[len(dst)-n:]
	if f.all {
		s.occupied.CopyTo(words, 0)
		return dst
	}
	s.cleanSlots.CopyTo(words, 0)
	f.hardLists(func(l *list) bool {
		for _, slot := range l.shared[:l.count] {
			words[slot/pageSize] |= 1 << (slot % pageSize)
		}
		for _, r := range l.runs {
			s.occupied.CopyTo(words[r.first:r.first+r.count], r.first)
		}
		return true
	})
	return dst
}

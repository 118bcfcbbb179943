package index

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Fit is what the taints of a fleet mean to one toleration list: on which nodes
// a pod with that list may be scheduled.
//
// The zero Fit is ready for [Snapshot.Fit], and holds no nodes. A Fit must not
// be copied. One goroutine at a time may fill it; while nobody does, any number
// may ask. It retains the snapshot and the matcher, or the strings and seconds of the
// list, until it is filled again, and its buffers as long as it lives: use it again for
// the next pod.
type Fit struct {
	matcher  *compile.Matcher // own, or the caller's
	own      compile.Matcher
	snapshot *Snapshot
	base     *base

	// The places that fit: those before from and from to on, wholesale; and of the others
	// either sets or the bits of places.
	whole    wholesale
	from, to uint32
	sets     []uint32
	places   []uint64

	late  []uint64 // the last transfers of nodes that fit
	nodes int

	reached []compile.TaintID // buffers
	columns [][]uint64
	words   []uint64
	steps   int // counted with the tag tolero_invariants
}

// wholesale is which hard effects are tolerated whatever the key.
type wholesale uint8

const (
	wholeSchedule wholesale = 1 << iota
	wholeExecute
	wholeAll   = wholeSchedule | wholeExecute
	wholesales = wholeAll // how many there are besides
)

// Compile makes m a Matcher for a list in the cluster of the snapshot, and for the taints
// of its nodes: see [compile.Matcher.Compile]. Tolerations with Gt and Lt count only if
// the index was made for a cluster with them (rule N4).
func (s *Snapshot) Compile(m *compile.Matcher, tolerations []toleration.Toleration) {
	m.Compile(&s.vocabulary, tolerations, s.rules)
}

// Fit fills f with the answer for a pod with the list of m, valid or not: a node fits
// unless it has a NoSchedule or NoExecute taint that the list does not tolerate (rule
// F2).
//
// m should be compiled by [Snapshot.Compile] of the same snapshot. If it was compiled for
// another vocabulary, of an older snapshot for example, Fit compiles its list once more
// for itself, and gives the same answer. The zero Matcher has the empty list. Fit never
// changes m, so that several goroutines may share one; the questions of f that tell taints
// apart ask m, which must not be compiled again before f is filled again. m must not be nil.
//
// The time follows the tolerations and the different sets of hard taints that may fit, not
// the nodes. Each set is looked at once at most, beside those of some nodes that changed
// lately.
func (s *Snapshot) Fit(f *Fit, m *compile.Matcher) {
	if !m.Current(&s.vocabulary) { // a current matcher was compiled by the same rules
		s.FitList(f, m.Tolerations())
		return
	}
	if f.matcher == &f.own {
		f.own.Compile(&s.vocabulary, nil) // retain nothing of its list
	}
	f.fill(s, m)
}

// FitList is [Snapshot.Fit] for a list, which it compiles first.
func (s *Snapshot) FitList(f *Fit, tolerations []toleration.Toleration) {
	s.Compile(&f.own, tolerations)
	f.fill(s, &f.own)
}

// fill fills f with the answer of a matcher for the snapshot.
func (f *Fit) fill(s *Snapshot, m *compile.Matcher) {
	f.snapshot, f.base, f.matcher = s, s.sorted(), m
	f.sets, f.places, f.steps = f.sets[:0], f.places[:0], len(m.Tolerations())
	f.findWhole()
	if f.from < f.to {
		f.search()
	}
	f.followTransfers()
	f.checkSteps()
}

// findWhole finds the sets that fit because of effects that are tolerated wholesale.
func (f *Fit) findWhole() {
	b := f.base
	f.whole, f.from, f.to = 0, b.parts[scheduleSets], b.parts[allParts]
	if f.matcher.ToleratesAll(taint.NoSchedule.Set()) {
		f.whole |= wholeSchedule
		f.from = b.parts[bothSets]
	}
	if f.matcher.ToleratesAll(taint.NoExecute.Set()) {
		f.whole |= wholeExecute
		f.to = b.parts[executeSets]
	}
	if f.whole == wholeAll {
		f.from = f.to
	}
	f.nodes = len(b.nodes) - int(b.first[f.to]-b.first[f.from])
}

// fits reports whether a list of taints fits.
func (f *Fit) fits(taints []compile.TaintID) bool {
	f.step(len(taints))
	_, refused := f.matcher.FirstUntolerated(taints, taint.Hard)
	return !refused
}

// followTransfers takes out the nodes that left the base, and takes in those that came.
func (f *Fit) followTransfers() {
	s, words := f.snapshot, len(f.snapshot.last)
	f.late = append(append(f.late[:0], s.last...), s.last...)
	late, left := f.late[:words], f.late[words:]
	clear(left) // a bit for the first transfer that left each place which fits
	for i := range s.transfers {
		if t := &s.transfers[i]; t.place != none {
			if t.same == uint32(i) && f.found(t.place) {
				left[i/64] |= 1 << (i % 64)
			}
			f.nodes -= int(left[t.same/64] >> (t.same % 64) & 1)
		}
	}
	for i, word := range late {
		for ; word != 0; word &= word - 1 {
			if bit := bits.TrailingZeros64(word); !f.fits(s.transfers[i*64+bit].taints) {
				late[i] &^= 1 << bit
			}
		}
	}
	f.late = late
	f.nodes += countBits(late)
}

// found reports whether a set of the base was found to fit. To look through more sets than a
// few takes longer than to test this one.
func (f *Fit) found(place uint32) bool {
	switch {
	case place < f.from || place >= f.to:
		return true
	case len(f.places) > 0:
		return f.places[place/64]>>(place%64)&1 != 0
	case len(f.sets) <= 8:
		return slices.Contains(f.sets, place)
	}
	return f.fits(f.base.of(place, f.whole))
}

func (f *Fit) step(n int) {
	if invariant.Enabled {
		f.steps += n
	}
}

// Len returns the number of nodes that fit.
func (f *Fit) Len() int { return f.nodes }

// Has reports whether a node fits. A node that is not in the snapshot, or has other
// taints there, does not: see [Snapshot.Has].
func (f *Fit) Has(id NodeID) bool {
	return f.snapshot != nil && f.HasClass(f.snapshot.Class(id))
}

// Nodes iterates over the nodes that fit. The order is the same whenever equal lists are
// asked about one snapshot, and not specified.
func (f *Fit) Nodes() iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		if f.snapshot == nil {
			return
		}
		for from, to := range f.ranges() {
			if !f.yieldSlots(from, to, yield) {
				return
			}
		}
		for i, word := range f.late {
			for ; word != 0; word &= word - 1 {
				if !yield(f.snapshot.id(f.snapshot.transfers[i*64+bits.TrailingZeros64(word)].node)) {
					return
				}
			}
		}
	}
}

// yieldSlots yields the nodes that are still in a range of slots of the base.
func (f *Fit) yieldSlots(from, to uint32, yield func(NodeID) bool) bool {
	s := f.snapshot
	for _, number := range f.base.nodes[from:to] {
		if _, moved := s.moved(number); !moved && s.nodes.At(number).used() && !yield(s.id(number)) {
			return false
		}
	}
	return true
}

// ranges iterates over ranges of slots of the base: together they are the sets that fit.
func (f *Fit) ranges() iter.Seq2[uint32, uint32] {
	return func(yield func(from, to uint32) bool) {
		b := f.base
		if !yield(0, b.first[f.from]) || !yield(b.first[f.to], b.slots()) {
			return
		}
		for _, place := range f.sets {
			if !yield(b.first[place], b.first[place+1]) {
				return
			}
		}
		for i, word := range f.places {
			for first := b.first[i*64:]; word != 0; {
				var from, to uint32
				if from, to, word = cutRun(word); !yield(first[from], first[to]) {
					return
				}
			}
		}
	}
}

// AppendWords appends a bit for each slot of the snapshot to dst, 64 in a word
// and the lowest first: set if the slot holds a node that fits. It returns the
// extended slice. The time is that of writing the words, and some nanoseconds for each
// set that fits and is not tolerated wholesale.
func (f *Fit) AppendWords(dst []uint64) []uint64 {
	s := f.snapshot
	if s == nil {
		return dst
	}
	b := f.base
	n := s.words()
	dst = slices.Grow(dst, n)[:len(dst)+n]
	words := dst[len(dst)-n:]
	clear(words)
	fill(words, 0, b.first[f.from])
	fill(words, b.first[f.to], b.slots())
	for _, place := range f.sets {
		fill(words, b.first[place], b.first[place+1])
	}
	for i, word := range f.places {
		if word != 0 {
			f.fillPlaces(words, i, word)
		}
	}
	f.writeTransfers(words)
	return dst
}

// fillPlaces writes the sets of a word of places to the words of an answer.
func (f *Fit) fillPlaces(words []uint64, i int, word uint64) {
	if at, ok := f.base.lone(i); ok {
		words[at/64] |= word << (at % 64)
		if high := word >> 1 >> (63 - at%64); high != 0 {
			words[at/64+1] |= high
		}
		return
	}
	for first := f.base.first[i*64:]; word != 0; {
		var from, to uint32
		from, to, word = cutRun(word)
		fill(words, first[from], first[to])
	}
}

// writeTransfers clears the slots of nodes that left their sets, and then sets those of nodes
// that came to sets that fit.
func (f *Fit) writeTransfers(words []uint64) {
	transfers := f.snapshot.transfers
	for i := range transfers {
		if t := &transfers[i]; t.place != none {
			words[t.slot/64] &^= 1 << (t.slot % 64)
		}
	}
	for i, word := range f.late {
		for ; word != 0; word &= word - 1 {
			slot := transfers[i*64+bits.TrailingZeros64(word)].slot
			words[slot/64] |= 1 << (slot % 64)
		}
	}
}

// And clears the bits of words, as [Fit.AppendWords] writes them for this snapshot, that are
// of no node that fits: so the next filter of a scheduler is narrowed by this one. Words
// that are missing at the end count as zero, and those beyond the slots are cleared. And has
// a buffer in f: only one goroutine at a time may call it.
func (f *Fit) And(words []uint64) {
	f.words = f.AppendWords(f.words[:0])
	n := min(len(words), len(f.words))
	for i, word := range f.words[:n] {
		words[i] &= word
	}
	clear(words[n:])
}

// ToleratesAll reports whether the list tolerates every taint that there can be with
// some effects, known to the fleet or not: whether it has a toleration that is just
// Exists for each.
func (f *Fit) ToleratesAll(effects taint.EffectSet) bool {
	if f.matcher == nil {
		return f.own.ToleratesAll(effects)
	}
	return f.matcher.ToleratesAll(effects)
}

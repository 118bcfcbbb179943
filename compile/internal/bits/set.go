// Package bits holds sets of small dense IDs, as bits in words.
//
// The loops over words are written so that the compiler proves every index in
// bounds; a test asks it.
package bits

import (
	"iter"
	"math/bits"
)

// Unsigned is the types that IDs can have.
type Unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
}

// Set is a set of IDs: a bit for each ID up to the largest that was ever added.
//
// The zero Set is empty. A Set must not be copied; [Set.CopyFrom] does. One goroutine
// at a time may change it. It retains nothing.
type Set[ID Unsigned] struct {
	words []uint64
}

const wordSize = 64

// Add adds an ID.
func (s *Set[ID]) Add(id ID) {
	s.grow(int(id/wordSize) + 1)
	s.words[id/wordSize] |= 1 << (id % wordSize)
}

// grow makes sure that there are n words.
func (s *Set[ID]) grow(n int) {
	if n > len(s.words) {
		s.words = append(s.words, make([]uint64, n-len(s.words))...)
	}
}

// Remove removes an ID. It need not be in the set.
func (s *Set[ID]) Remove(id ID) {
	if i := uint64(id / wordSize); i < uint64(len(s.words)) {
		s.words[i] &^= 1 << (id % wordSize)
	}
}

// All iterates over the IDs in ascending order. An ID that is removed during the iteration may
// still come.
func (s *Set[ID]) All() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for i, word := range s.words {
			for ; word != 0; word &= word - 1 {
				if !yield(ID(i*wordSize + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Clear removes every ID.
func (s *Set[ID]) Clear() { clear(s.words) }

// CopyFrom makes s hold the IDs of t.
func (s *Set[ID]) CopyFrom(t *Set[ID]) { s.words = append(s.words[:0], t.words...) }

// And removes what is not in t.
func (s *Set[ID]) And(t *Set[ID]) {
	a, b := s.words, t.words
	if len(a) > len(b) {
		clear(a[len(b):])
		a = a[:len(b)]
	}
	b = b[:len(a)]
	for i := range a {
		a[i] &= b[i]
	}
}

// AndNot removes what is in t.
func (s *Set[ID]) AndNot(t *Set[ID]) {
	n := min(len(s.words), len(t.words))
	a, b := s.words[:n], t.words[:n]
	for i := range a {
		a[i] &^= b[i]
	}
}

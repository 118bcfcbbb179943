package bits

import (
	"cmp"
	"slices"
)

// Blocks is a set of IDs as its words that are not zero: a few bytes for a set of a
// few IDs, and twice the size of a [Set] for a dense one. There may be many of them.
//
// The zero Blocks is empty. A Blocks must not be copied and used both. One goroutine
// at a time may change it; while nobody does, any number may read. It retains nothing.
type Blocks[ID Unsigned] struct {
	blocks []block[ID] // in ascending order
}

type block[ID Unsigned] struct {
	index ID // of the word
	word  uint64
}

// find returns the position of the block that has an ID, or where it would be.
func (b *Blocks[ID]) find(id ID) (position int, found bool) {
	return slices.BinarySearchFunc(b.blocks, id/wordSize, func(b block[ID], index ID) int {
		return cmp.Compare(b.index, index)
	})
}

// Add adds an ID.
func (b *Blocks[ID]) Add(id ID) {
	position, found := b.find(id)
	if !found {
		b.blocks = slices.Insert(b.blocks, position, block[ID]{index: id / wordSize})
	}
	b.blocks[position].word |= 1 << (id % wordSize)
}

// Remove removes an ID. It need not be in the set.
func (b *Blocks[ID]) Remove(id ID) {
	position, found := b.find(id)
	if !found {
		return
	}
	if b.blocks[position].word &^= 1 << (id % wordSize); b.blocks[position].word == 0 {
		b.blocks = slices.Delete(b.blocks, position, position+1)
	}
}

// Empty reports whether the set has no ID.
func (b *Blocks[ID]) Empty() bool { return len(b.blocks) == 0 }

// AddTo adds the IDs to a set.
func (b *Blocks[ID]) AddTo(s *Set[ID]) {
	if n := len(b.blocks); n > 0 {
		s.grow(int(b.blocks[n-1].index) + 1)
	}
	for _, block := range b.blocks {
		s.words[block.index] |= block.word
	}
}

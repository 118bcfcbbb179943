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
	only [1]block[ID] // the only one, unless it is zero: most sets need no memory elsewhere
	many []block[ID]  // or else all of them, in ascending order
}

type block[ID Unsigned] struct {
	index ID // of the word
	word  uint64
}

// blocks returns the blocks in ascending order.
func (b *Blocks[ID]) blocks() []block[ID] {
	if b.only[0].word != 0 {
		return b.only[:]
	}
	return b.many
}

// find returns the position of the block with a word's index, or where it would be.
func find[ID Unsigned](blocks []block[ID], index ID) (position int, found bool) {
	return slices.BinarySearchFunc(blocks, index, func(b block[ID], index ID) int {
		return cmp.Compare(b.index, index)
	})
}

// Add adds an ID.
func (b *Blocks[ID]) Add(id ID) {
	index, bit := id/wordSize, uint64(1)<<(id%wordSize)
	switch only := &b.only[0]; {
	case b.Empty():
		*only = block[ID]{index, bit}
	case only.word != 0 && only.index != index:
		b.many = append(b.many[:0], *only)
		only.word = 0
	}
	position, found := find(b.blocks(), index)
	if !found {
		b.many = slices.Insert(b.many, position, block[ID]{index: index})
	}
	b.blocks()[position].word |= bit
}

// Remove removes an ID. It need not be in the set.
func (b *Blocks[ID]) Remove(id ID) {
	blocks := b.blocks()
	position, found := find(blocks, id/wordSize)
	if !found {
		return
	}
	if blocks[position].word &^= 1 << (id % wordSize); blocks[position].word == 0 && len(b.many) > 0 {
		b.many = slices.Delete(b.many, position, position+1)
	}
}

// Empty reports whether the set has no ID.
func (b *Blocks[ID]) Empty() bool { return len(b.blocks()) == 0 }

// AddTo adds the IDs to a set.
func (b *Blocks[ID]) AddTo(s *Set[ID]) {
	blocks := b.blocks()
	if n := len(blocks); n > 0 {
		s.grow(int(blocks[n-1].index) + 1)
	}
	for _, block := range blocks {
		s.words[block.index] |= block.word
	}
}

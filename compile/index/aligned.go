package index

import (
	"iter"
	"math/bits"
)

// Where nearly every node has another set, most sets have one node, and what columns say
// of 64 sets is nearly a word of the answer. So slots are given in the order of the sets:
// of 64 successive sets, those are aligned that have one node each, all at the same
// distance from the positions of the sets to the slots. They are copied at once, shifted
// by the distance; the others are looked at one by one.

// aligned is which of 64 sets are aligned.
type aligned struct {
	mask     uint64
	distance int64 // from the position of an aligned set to the slot of its node
}

// alignedAt returns the aligned sets around one, or nil if there are no columns.
func (c *columns) alignedAt(position uint32) *aligned {
	if int(position/64) >= c.aligned.Len() {
		return nil
	}
	return c.aligned.At(position / 64)
}

// alignedIn returns the aligned sets of a block.
func (c *columns) alignedIn(b uint32) (all [blockSets / 64]aligned) {
	c.aligned.CopyTo(all[:], b*uint32(len(all)))
	return all
}

// align notes that a node of a set got a slot.
func (ix *state) align(position, slot uint32) {
	old := ix.alignedAt(position)
	if old == nil || position == cleanSet {
		return
	}
	now, distance := *old, int64(slot)-int64(position)
	if now.mask == 0 {
		now.distance = distance
	}
	if now.mask &^= 1 << (position % 64); *ix.counts.At(position) == 1 && now.distance == distance {
		now.mask |= 1 << (position % 64)
	}
	if now != *old {
		*ix.columns.aligned.Edit(position / 64) = now
	}
}

// unalign notes that a node of a set leaves its slot.
func (ix *state) unalign(position uint32) {
	if a := ix.alignedAt(position); a != nil && a.mask>>(position%64)&1 != 0 {
		ix.columns.aligned.Edit(position / 64).mask &^= 1 << (position % 64)
	}
}

// alignedSlot returns the slot with which a set of one node is aligned, if it is in a
// shared page and free. A node that is there and not aligned itself makes room: otherwise
// such nodes would take slots from more and more sets.
func (ix *state) alignedSlot(position uint32) (slot uint32, ok bool) {
	a := ix.alignedAt(position)
	if a == nil || a.mask == 0 || position == cleanSet || *ix.counts.At(position) != 1 {
		return 0, false
	}
	at := int64(position) + a.distance
	if at < 0 || at >= int64(ix.numbers.Len()) {
		return 0, false
	}
	if slot = uint32(at); ix.inSharedPage(slot) && *ix.numbers.At(slot) != 0 {
		ix.makeRoom(slot)
	}
	return slot, ix.inSharedPage(slot) && *ix.numbers.At(slot) == 0
}

func (ix *state) inSharedPage(slot uint32) bool {
	return ix.pages.pages.At(slot/pageSize).owner == shared
}

// makeRoom moves the node in a slot of a shared page to another, unless it is aligned or
// no other is free.
func (ix *state) makeRoom(slot uint32) {
	number := *ix.numbers.At(slot) - 1
	position := ix.lists.At(ix.nodes.At(number).list).set
	if a := ix.alignedAt(position); ix.sharedSizes == 0 || a.mask>>(position%64)&1 != 0 {
		return
	}
	s := ix.sets.sets.Edit(position)
	ix.takeShared(position, s, ix.firstFree(ix.sharedPage(s)), number)
	ix.leaveShared(position, s, slot)
	ix.gather(position, s)
	if *ix.counts.At(position) == 1 {
		ix.realign(position)
	}
}

// alignAll aligns the sets anew, when there are new columns: in each word those with the
// distance that most of them have, if half of them have it.
func (ix *state) alignAll() {
	for w := range uint32(ix.columns.aligned.Len()) {
		var a aligned
		votes := 0
		for position, slot := range ix.alone(w) {
			switch distance := int64(slot) - int64(position); {
			case distance == a.distance:
				votes++
			case votes == 0:
				a.distance, votes = distance, 1
			default:
				votes--
			}
		}
		for position, slot := range ix.alone(w) {
			if int64(slot) == int64(position)+a.distance {
				a.mask |= 1 << (position % 64)
			}
		}
		*ix.columns.aligned.Edit(w) = a
	}
}

// alone iterates over those of 64 successive sets that have one node, and their slots.
func (ix *state) alone(w uint32) iter.Seq2[uint32, uint32] {
	return func(yield func(position, slot uint32) bool) {
		for position := w * 64; position < min(w*64+64, uint32(ix.sets.sets.Len())); position++ {
			slot, ok := ix.sets.sets.At(position).fragments.loneSlot()
			if ok && position != cleanSet && *ix.counts.At(position) == 1 && !yield(position, slot) {
				return
			}
		}
	}
}

// realign aligns a set that has one node left.
func (ix *state) realign(position uint32) {
	if slot, ok := ix.sets.sets.At(position).fragments.loneSlot(); ok {
		ix.align(position, slot)
	}
}

// addBlock takes in the sets of a block.
func (f *Fit) addBlock(b uint32, left *block) {
	f.blocks = append(f.blocks, *left)
	near := f.snapshot.alignedIn(b)
	for i, word := range left {
		a := &near[i]
		f.nodes += bits.OnesCount64(word & a.mask)
		for position := range positions(b, i, word&^a.mask) {
			f.step(1)
			f.nodes += int(*f.snapshot.counts.At(position))
		}
	}
}

// positions iterates over the sets in a word of a block.
func positions(b uint32, i int, word uint64) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for ; word != 0; word &= word - 1 {
			if !yield(b*blockSets + uint32(i*64+bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// inBlocks reports whether the columns say that a set fits.
func (f *Fit) inBlocks(position uint32) bool {
	b := position / blockSets
	return int(b) < len(f.blocks) && f.blocks[b][position%blockSets/64]>>(position%64)&1 != 0
}

// copyBlocks writes the nodes of the sets that fit by the columns to the words of an
// answer.
func (f *Fit) copyBlocks(words []uint64) {
	for b := range f.blocks {
		near := f.snapshot.alignedIn(uint32(b))
		for i, word := range f.blocks[b] {
			if word == 0 {
				continue
			}
			a := &near[i]
			copyShifted(words, word&a.mask, int64(b*blockSets+i*64)+a.distance)
			for position := range positions(uint32(b), i, word&^a.mask) {
				f.snapshot.copySet(words, position)
			}
		}
	}
}

// copyShifted sets the bits of a word from a slot on. The slot may be less than zero, if
// the bits that are set lead to none there.
func copyShifted(words []uint64, word uint64, slot int64) {
	page, shift := slot>>6, uint(slot&63)
	if low := word << shift; low != 0 {
		words[page] |= low
	}
	if high := word >> 1 >> (63 - shift); high != 0 {
		words[page+1] |= high
	}
}

// yieldBlocks yields the nodes of the sets that fit by the columns.
func (f *Fit) yieldBlocks(yield func(NodeID) bool) {
	for b := range f.blocks {
		for i, word := range f.blocks[b] {
			for position := range positions(uint32(b), i, word) {
				if !f.snapshot.yieldNodes(position, yield) {
					return
				}
			}
		}
	}
}

// checkAligned: aligned sets have one node, in its slot.
func (ix *Index) checkAligned() {
	for w := range uint32(ix.columns.aligned.Len()) {
		a := ix.columns.aligned.At(w)
		for position := range positions(w*64/blockSets, int(w%(blockSets/64)), a.mask) {
			s := ix.sets.sets.At(position)
			slot, ok := s.fragments.loneSlot()
			must(*ix.counts.At(position) == 1 && ok, "set %d is aligned and has %d nodes", position, *ix.counts.At(position))
			must(int64(slot) == int64(position)+a.distance, "set %d is aligned with slot %d, and has %d", position, int64(position)+a.distance, slot)
		}
	}
}

package index

import "math/bits"

// take gives a slot to a node that comes to a set, which counts it already.
func (ix *state) take(position, number uint32) {
	s := ix.sets.sets.Edit(position)
	if s.open == 0 && *ix.counts.At(position) >= large {
		ix.addPages(position, s, 1+s.own.count()/pagesAhead)
	}
	if s.open != 0 {
		ix.takeOwn(position, s, number)
		return
	}
	if slot, ok := ix.alignedSlot(position); ok {
		ix.takeShared(position, s, slot, number)
		return
	}
	ix.takeShared(position, s, ix.firstFree(ix.sharedPage(s)), number)
	ix.gather(position, s)
}

// addPages gives new pages to a set. Only one if it is one that is free.
func (ix *state) addPages(position uint32, s *set, n uint32) (added uint32) {
	if ix.free != 0 {
		n = 1
	}
	first := ix.newPage(position + 1)
	s.own = s.own.with(first)
	for p := first + 1; p < first+n; p++ {
		ix.newPage(position + 1)
		s.own = s.own.with(p)
	}
	for p := first + n; p > first; p-- {
		ix.push(&s.open, p-1)
	}
	s.room += n * pageSize
	return n
}

// takeOwn gives a node a slot in a page of its set's own, which must have one free.
func (ix *state) takeOwn(position uint32, s *set, number uint32) {
	p := s.open - 1
	ix.put(position, s, ix.firstFree(p), number)
	if s.room--; ix.freeSlots(p) == 0 {
		ix.unlink(&s.open, p)
	}
}

// put puts a node of a set into a slot, and pull takes it out.
func (ix *state) put(position uint32, s *set, slot, number uint32) {
	ix.occupy(slot, number, s.shape)
	ix.nodes.Edit(number).slot = slot
	ix.align(position, slot)
}

func (ix *state) pull(position uint32, s *set, slot uint32) (number uint32) {
	ix.unalign(position)
	return ix.vacate(slot, s.shape)
}

// sharedPage returns a shared page with a free slot: one that has nodes of the set
// already, or the fullest.
func (ix *state) sharedPage(s *set) uint32 {
	for f := range ix.fragmentsOf(s) {
		if ix.pages.pages.At(f.page).owner == shared && ix.freeSlots(f.page) > 0 {
			return f.page
		}
	}
	if ix.sharedSizes != 0 {
		return ix.shared[bits.TrailingZeros64(ix.sharedSizes)] - 1
	}
	p := ix.newPage(shared)
	return p
}

// takeShared gives a node a free slot of a shared page. A page that has nodes of one set
// only, and is full, becomes its own.
func (ix *state) takeShared(position uint32, s *set, slot, number uint32) {
	p := slot / pageSize
	ix.unshareIfListed(p)
	ix.put(position, s, slot, number)
	if ix.addToFragment(s, slot) {
		ix.dropFragment(s, p)
		ix.makeLone(s)
		ix.pages.pages.Edit(p).owner = position + 1
		s.own = s.own.with(p)
		return
	}
	ix.share(p)
}

// unshareIfListed takes a shared page out of its list. A new one is in none.
func (ix *state) unshareIfListed(p uint32) {
	if ix.occupied(p) != 0 {
		ix.unshare(p)
	}
}

// leave frees the slot of a node of a set.
func (ix *state) leave(position, slot uint32) {
	s := ix.sets.sets.Edit(position)
	p := slot / pageSize
	if ix.pages.pages.At(p).owner == shared {
		ix.leaveShared(position, s, slot)
		return
	}
	if ix.freeSlots(p) == 0 {
		ix.push(&s.open, p)
	}
	ix.pull(position, s, slot)
	s.room++
	if ix.freeSlots(p) > pageSize-sparse {
		ix.thin(position, s, p)
	}
}

// dropOwn takes a page away from a set. It is in no list.
func (ix *state) dropOwn(s *set, p uint32) {
	s.own = s.own.without(p)
	s.room -= ix.freeSlots(p)
}

// leaveShared frees a slot in a shared page.
func (ix *state) leaveShared(position uint32, s *set, slot uint32) (number uint32) {
	p := slot / pageSize
	listed := ix.pages.pages.At(p).owner == shared
	if listed {
		ix.unshare(p)
	}
	number = ix.pull(position, s, slot)
	ix.removeFromFragment(s, slot)
	switch {
	case !listed:
	case ix.occupied(p) == 0:
		ix.freePage(p)
	default:
		ix.share(p)
	}
	return number
}

// thin looks after a page of a set's own that has become sparse or empty: if the others
// have room for its nodes, it is given back, and otherwise shared, if the set is small.
func (ix *state) thin(position uint32, s *set, p uint32) {
	free := ix.freeSlots(p)
	switch {
	case s.room-free >= pageSize-free:
		ix.unlink(&s.open, p)
		for ix.occupied(p) != 0 {
			number := ix.pull(position, s, p*pageSize+uint32(bits.TrailingZeros64(ix.occupied(p))))
			s.room++
			ix.takeOwn(position, s, number)
		}
		ix.dropOwn(s, p)
		ix.freePage(p)
	case *ix.counts.At(position) < large:
		ix.unlink(&s.open, p)
		ix.dropOwn(s, p)
		ix.pages.pages.Edit(p).owner = shared
		ix.fragmentOf(s, p).mask = ix.occupied(p)
		ix.share(p)
		ix.gather(position, s)
	}
}

// gather brings the nodes of a set's small fragments together if it has too many.
func (ix *state) gather(position uint32, s *set) {
	count, nodes := uint32(0), uint32(0)
	for f := range ix.fragmentsOf(s) {
		count++
		nodes += uint32(bits.OnesCount64(f.mask))
	}
	if count <= fewFragments+nodes/fragmentNodes {
		return
	}
	var slots [pageSize]uint32
	n := uint32(0)
	for f := range ix.fragmentsOf(s) {
		for mask := f.mask; bits.OnesCount64(f.mask) < 2*fragmentNodes && mask != 0 && n < pageSize; mask &= mask - 1 {
			slots[n] = f.page*pageSize + uint32(bits.TrailingZeros64(mask))
			n++
		}
	}
	p := ix.sharedRoom(n)
	for _, slot := range slots[:n] {
		if slot/pageSize != p {
			number := ix.leaveShared(position, s, slot)
			ix.takeShared(position, s, ix.firstFree(p), number)
		}
	}
}

// sharedRoom returns a shared page with n free slots: the fullest that has them, or a
// new one.
func (ix *state) sharedRoom(n uint32) uint32 {
	if sizes := ix.sharedSizes &^ (1<<n - 1); sizes != 0 { // none if n is 64
		return ix.shared[bits.TrailingZeros64(sizes)] - 1
	}
	return ix.newPage(shared)
}

// tidy gives back pages while there are too many, no more than limit at a time.
func (ix *state) tidy(limit int) {
	for ; limit > 0 && ix.wasteful(); limit-- {
		switch {
		case ix.free != 0:
			ix.dropLastPage()
		case !ix.emptySparsest():
			return
		}
	}
}

// wasteful reports whether too many slots are free.
func (ix *state) wasteful() bool {
	slots := ix.pages.pages.Len() * pageSize
	return slots > ix.count+ix.count/slack+slackSlots
}

// emptySparsest empties the shared page with the fewest nodes into others, and reports
// whether they have room.
func (ix *state) emptySparsest() bool {
	if ix.sharedSizes == 0 {
		return false
	}
	free := uint32(pageSize - 1 - bits.LeadingZeros64(ix.sharedSizes))
	if ix.sharedFree-free < pageSize-free {
		return false
	}
	p := ix.shared[free] - 1
	ix.unshare(p)
	ix.pages.pages.Edit(p).owner = emptying
	for ix.occupied(p) != 0 {
		slot := p*pageSize + uint32(bits.TrailingZeros64(ix.occupied(p)))
		position := ix.lists.At(ix.nodes.At(*ix.numbers.At(slot) - 1).list).set
		s := ix.sets.sets.Edit(position)
		number := ix.leaveShared(position, s, slot)
		ix.takeShared(position, s, ix.firstFree(ix.sharedPage(s)), number)
	}
	ix.freePage(p)
	return true
}

// dropLastPage takes a page from the end, which goes to where one is free.
func (ix *state) dropLastPage() {
	last := uint32(ix.pages.pages.Len() - 1)
	if ix.pages.pages.At(last).owner == noOwner {
		ix.unlink(&ix.free, last)
	} else {
		to := ix.free - 1
		ix.unlink(&ix.free, to)
		ix.movePage(last, to)
	}
	ix.pages.pages.Truncate(int(last))
	ix.numbers.Truncate(int(last) * pageSize)
	for i := range ix.base {
		ix.base[i].Truncate(int(last))
	}
}

// movePage moves the nodes of a page to an empty one, which is in no list.
func (ix *state) movePage(from, to uint32) {
	owner := ix.pages.pages.At(from).owner
	ix.pages.pages.Edit(to).owner = owner
	open := ix.freeSlots(from) > 0
	var s *set
	if owner == shared {
		ix.unshare(from)
	} else {
		s = ix.sets.sets.Edit(owner - 1)
		s.own = s.own.without(from).with(to)
		if open {
			ix.unlink(&s.open, from)
		}
	}
	for mask := ix.occupied(from); mask != 0; mask &= mask - 1 {
		i := uint32(bits.TrailingZeros64(mask))
		number := *ix.numbers.At(from*pageSize + i) - 1
		position := ix.lists.At(ix.nodes.At(number).list).set
		of := ix.sets.sets.At(position)
		ix.pull(position, of, from*pageSize+i)
		ix.put(position, of, to*pageSize+i, number)
		if owner == shared {
			ix.moveFragment(of, from, to)
		}
	}
	switch {
	case owner == shared:
		ix.share(to)
	case open:
		ix.push(&s.open, to)
	}
}

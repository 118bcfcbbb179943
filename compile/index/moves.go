package index

// move is a node that came to another set since the base was made. Each move has a slot,
// after those of the base, for the node; the slot that it leaves is empty from then on.
type move struct {
	node  uint32
	set   uint32 // where it comes, or none if it is gone
	from  uint32 // the slot that it leaves, or none if it is new
	place uint32 // of the set that it leaves, if the slot is one of the base
}

// mostMoves returns how many moves there are beside a base with so many sets and hard
// taints in them. Each makes a pod dearer by some nanoseconds, and they share the time to
// make the next base, which follows the taints.
func mostMoves(taints int) int { return 64 + taints/4096 }

// mostLists returns how many new lists there are beside a base with so many lists.
func mostLists(lists int) int { return 64 + lists }

// record notes that a node, which is in the index already or not, comes to a set. With too
// many moves the base goes.
func (ix *Index) record(number uint32, known bool, set uint32) (at uint32) {
	switch {
	case ix.base == nil:
		return none
	case len(ix.moves) >= ix.mostMoves:
		ix.dropBase()
		return none
	}
	m := move{node: number, set: set, from: none}
	if known {
		m.from = ix.slot(number)
	}
	if m.from < ix.base.slots() {
		m.place = ix.base.placeAt(m.from)
	}
	ix.moves = append(ix.moves, m)
	return uint32(len(ix.moves) - 1)
}

// dropBase leaves it to the next Snapshot to make a base.
func (ix *Index) dropBase() {
	ix.base, ix.moves, ix.newLists = nil, nil, nil
	ix.vocabulary.Release(ix.released)
	ix.released = nil
}

// moved returns the last move of a node, if it has moved since the base was made.
func (a *state) moved(number uint32) (at uint32, ok bool) {
	at = a.nodes.At(number).move
	return at, at < uint32(len(a.moves)) && a.moves[at].node == number
}

// slot returns the slot of a node that is in the index. There must be a base.
func (a *state) slot(number uint32) uint32 {
	if at, ok := a.moved(number); ok {
		return a.base.slots() + at
	}
	return a.base.slotOf[number]
}

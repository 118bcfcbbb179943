package probe

import "iter"

// Entries is entries that are found by their hashes. An entry stays at its position until it is
// removed; then its place is free for another one.
//
// The zero Entries is empty. An Entries must not be copied. One goroutine at a time may change
// it; while nobody does, any number may read it. It retains the entries that are in it.
type Entries[E any] struct {
	table Table
	list  []E // by position; the zero E if the place is free
	free  []uint32
}

// None is the position of no entry.
const None = ^uint32(0)

// Len returns the number of entries.
func (e *Entries[E]) Len() int { return e.table.Len() }

// Places returns how many entries there is room for: as many as there ever were at a time.
func (e *Entries[E]) Places() int { return len(e.list) }

// At returns the entry at a position, which is good until the next call of Insert.
func (e *Entries[E]) At(position uint32) *E { return &e.list[position] }

// Candidates iterates over the positions of the entries with a hash, in no particular order.
func (e *Entries[E]) Candidates(hash uint32) iter.Seq[uint32] { return e.table.Candidates(hash) }

// Guess returns the position of some entry with a hash, or None. It does not look at the
// entries. To look for many of them, guess all positions first: the processor then waits for the
// memory of all at once.
func (e *Entries[E]) Guess(hash uint32) uint32 {
	for position := range e.table.Candidates(hash) {
		return position
	}
	return None
}

// Insert adds an entry, and returns its position.
func (e *Entries[E]) Insert(hash uint32, entry E) (position uint32) {
	if n := len(e.free); n > 0 {
		position, e.free = e.free[n-1], e.free[:n-1]
		e.list[position] = entry
	} else {
		position = uint32(len(e.list))
		e.list = append(e.list, entry)
	}
	e.table.Insert(hash, position)
	return position
}

// Remove takes out the entry at a position, which must have the hash.
func (e *Entries[E]) Remove(hash, position uint32) {
	e.table.Remove(hash, position)
	clear(e.list[position : position+1])
	e.free = append(e.free, position)
}

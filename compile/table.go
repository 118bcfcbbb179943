package compile

import (
	"iter"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// table is a hash table from hashes to positions, with linear probing. It can be
// forked. The entries, and with them the keys, are the caller's, and so are the hashes,
// which have to be seeded: then a probe is short, expected, whoever chose the keys. The
// zero table is empty.
type table struct {
	slots cow.Vector[slot]
	used  int
}

// slot is a place in a table. It is free if position is zero.
type slot struct {
	hash     uint32
	position uint32 // of the entry, which is not zero
}

// smallestTable is how many slots a table begins with: a power of two.
const smallestTable = 64

func (t *table) fork() table {
	return table{slots: t.slots.Freeze(), used: t.used}
}

func (t *table) mask() uint32 { return uint32(t.slots.Len() - 1) }

// candidates iterates over the positions of the entries that may have the given
// hash.
func (t *table) candidates(hash uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if t.used == 0 {
			return
		}
		for i := hash; ; i++ {
			s := t.slots.At(i & t.mask())
			if s.position == 0 || s.hash == hash && !yield(s.position) {
				return
			}
		}
	}
}

// insert adds an entry, which must not be in the table.
func (t *table) insert(hash, position uint32) {
	if 2*t.used >= t.slots.Len() {
		t.grow()
	}
	i := hash & t.mask()
	for t.slots.At(i).position != 0 {
		i = (i + 1) & t.mask()
	}
	*t.slots.Edit(i) = slot{hash, position}
	t.used++
}

func (t *table) grow() {
	old := t.slots
	t.slots, t.used = cow.Vector[slot]{}, 0
	for range max(smallestTable, 2*old.Len()) {
		t.slots.Append(slot{})
	}
	for i := range uint32(old.Len()) {
		if s := *old.At(i); s.position != 0 {
			t.insert(s.hash, s.position)
		}
	}
}

// remove takes out an entry, which must be in the table. The entries after it
// are moved up, so that no probe ends too early and the table does not fill
// with tombstones.
func (t *table) remove(hash, position uint32) {
	hole := hash & t.mask()
	for t.slots.At(hole).position != position {
		hole = (hole + 1) & t.mask()
	}
	for i := (hole + 1) & t.mask(); ; i = (i + 1) & t.mask() {
		s := *t.slots.At(i)
		if s.position == 0 {
			break
		}
		// s may move into the hole unless its probe begins after it.
		if (i-s.hash)&t.mask() >= (i-hole)&t.mask() {
			*t.slots.Edit(hole) = s
			hole = i
		}
	}
	*t.slots.Edit(hole) = slot{}
	t.used--
}

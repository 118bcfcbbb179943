// Package probe holds the hash table that vocabularies and indexes find things by.
package probe

import (
	"iter"

	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
)

// Table is a hash table from hashes to positions, with linear probing. The entries at
// these positions, and with them the keys, are the caller's. So are the hashes, which
// must be seeded: then a probe is short, expected, whoever chose the keys.
//
// The zero Table is empty. A Table must not be copied except by [Table.Fork]. One
// goroutine at a time may change it; while nobody does, any number may read it. It
// retains nothing.
type Table struct {
	cells cow.Vector[cell]
	used  int
}

// cell has room for an entry.
type cell struct {
	hash  uint32
	entry uint32 // its position plus one, or zero if the cell is free
}

// smallest is how many cells a table begins with, and it grows by the growth-th part: a
// table that doubles has two cells too many for each entry, at worst, and this one one. To
// grow by less would take longer than it is worth, as all entries move.
const smallest, growth = 64, 2

// A table grows when more than fullest in eighths of its cells are taken: a search for
// what is not there looks at four cells then, expected. With six eighths it would be
// eight, and the longest runs two and a half times as long.
const fullest = 5

// Looked counts the cells that searches looked at, in programs with invariants in which
// Counting is set. Both are for tests with one goroutine.
var (
	Looked   int
	Counting bool
)

// Fork returns a copy that may be changed apart from t, as [cow.Vector.Freeze] does.
func (t *Table) Fork() Table {
	return Table{cells: t.cells.Freeze(), used: t.used}
}

// Len returns the number of entries.
func (t *Table) Len() int { return t.used }

// home returns the cell in which a search begins: cells are in the order of the hashes,
// so that a table grows in one pass over the memory of both.
func (t *Table) home(hash uint32) uint32 {
	return uint32(uint64(hash) * uint64(t.cells.Len()) >> 32)
}

// next returns the cell after one.
func (t *Table) next(i uint32) uint32 {
	if i++; int(i) == t.cells.Len() {
		return 0
	}
	return i
}

// Candidates iterates over the positions of the entries that have the given hash, in no
// particular order.
func (t *Table) Candidates(hash uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if t.used == 0 {
			return
		}
		for i := t.home(hash); ; i = t.next(i) {
			if invariant.Enabled && Counting {
				Looked++
			}
			s := t.cells.At(i)
			if s.entry == 0 || s.hash == hash && !yield(s.entry-1) {
				return
			}
		}
	}
}

// Insert adds an entry, which must not be in the table.
func (t *Table) Insert(hash, position uint32) {
	if 8*t.used >= fullest*t.cells.Len() {
		t.grow()
	}
	t.insert(cell{hash, position + 1})
	t.used++
}

// Reserve makes room for a sixteenth more entries, so that a copy that gets fewer need not
// move all.
func (t *Table) Reserve() {
	if 8*(t.used+t.used/16) >= fullest*t.cells.Len() && t.used > 0 {
		t.grow()
	}
}

// insert puts what is to be found into the first free cell for it.
func (t *Table) insert(s cell) {
	i := t.home(s.hash)
	for t.cells.At(i).entry != 0 {
		i = t.next(i)
	}
	*t.cells.Edit(i) = s
}

func (t *Table) grow() {
	old := t.cells
	t.cells = cow.Vector[cell]{}
	t.cells.Extend(max(smallest, old.Len()+old.Len()/growth))
	for i := range uint32(old.Len()) {
		if s := *old.At(i); s.entry != 0 {
			t.insert(s)
		}
	}
}

// Remove takes out an entry, which must be in the table. The entries that follow it are
// moved up, so that no probe ends too early and the table does not fill with
// tombstones.
func (t *Table) Remove(hash, position uint32) {
	hole := t.home(hash)
	for t.cells.At(hole).entry != position+1 {
		hole = t.next(hole)
	}
	for i := t.next(hole); ; i = t.next(i) {
		s := *t.cells.At(i)
		if s.entry == 0 {
			break
		}
		// s may move into the hole unless its probe begins after it.
		if t.distance(t.home(s.hash), i) >= t.distance(hole, i) {
			*t.cells.Edit(hole) = s
			hole = i
		}
	}
	*t.cells.Edit(hole) = cell{}
	t.used--
}

// distance returns how many cells a search that begins in one looks at before another.
func (t *Table) distance(from, to uint32) int {
	if d := int(to) - int(from); d >= 0 {
		return d
	}
	return int(to) - int(from) + t.cells.Len()
}

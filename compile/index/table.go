package index

import (
	"hash/maphash"
	"iter"
	"math/bits"

	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
)

// table is a hash table from hashes to positions, with linear probing. It can be
// frozen. The entries, and with them the keys, are the caller's. The zero table
// is empty.
type table struct {
	slots cow.Vector[entry]
	used  int
}

// entry is a place in a table. It is free if position is zero.
type entry struct {
	hash     uint32
	position uint32 // plus one
}

// smallestTable is how many entries a table begins with: a power of two.
const smallestTable = 256

func (t *table) freeze() table {
	return table{slots: t.slots.Freeze(), used: t.used}
}

func (t *table) mask() uint32 { return uint32(t.slots.Len() - 1) }

// probes counts the entries that were looked at, in tests with invariants. It is for
// one goroutine.
var probes int

// candidates iterates over the positions that may have the given hash.
func (t *table) candidates(hash uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if t.used == 0 {
			return
		}
		for i := hash; ; i++ {
			if invariant.Enabled && countProbes {
				probes++
			}
			e := t.slots.At(i & t.mask())
			if e.position == 0 || e.hash == hash && !yield(e.position-1) {
				return
			}
		}
	}
}

// countProbes is set by tests.
var countProbes = false

// insert adds a position, which must not be in the table.
func (t *table) insert(hash, position uint32) {
	if 4*t.used >= 3*t.slots.Len() {
		t.grow()
	}
	i := hash & t.mask()
	for t.slots.At(i).position != 0 {
		i = (i + 1) & t.mask()
	}
	*t.slots.Edit(i) = entry{hash, position + 1}
	t.used++
}

func (t *table) grow() {
	old := t.slots
	t.slots, t.used = cow.Vector[entry]{}, 0
	for range max(smallestTable, 2*old.Len()) {
		t.slots.Append(entry{})
	}
	for i := range uint32(old.Len()) {
		if e := *old.At(i); e.position != 0 {
			t.insert(e.hash, e.position-1)
		}
	}
}

// remove takes out a position, which must be in the table. The entries that follow it
// are moved up, so that no probe ends too early and the table does not fill with
// tombstones.
func (t *table) remove(hash, position uint32) {
	hole := hash & t.mask()
	for t.slots.At(hole).position != position+1 {
		hole = (hole + 1) & t.mask()
	}
	for i := (hole + 1) & t.mask(); ; i = (i + 1) & t.mask() {
		e := *t.slots.At(i)
		if e.position == 0 {
			break
		}
		// e may move into the hole unless its probe begins after it.
		if (i-e.hash)&t.mask() >= (i-hole)&t.mask() {
			*t.slots.Edit(hole) = e
			hole = i
		}
	}
	*t.slots.Edit(hole) = entry{}
	t.used--
}

// hasher hashes what users write. Whoever does not know the seed cannot make values
// collide. The zero hasher is not ready.
type hasher struct {
	seed maphash.Seed
	salt [2]uint64 // random, for what is no string
}

func newHasher() hasher {
	h := hasher{seed: maphash.MakeSeed()}
	h.salt = [2]uint64{maphash.String(h.seed, "first"), maphash.String(h.seed, "second") | 1}
	return h
}

// hashMask is a variable so that tests can make everything collide.
var hashMask = ^uint32(0)

func (h *hasher) text(text string) uint32 {
	return uint32(maphash.String(h.seed, text)) & hashMask
}

// mix adds a number to a hash. The order of the numbers counts, and all of their bits.
func (h *hasher) mix(hash, number uint64) uint64 {
	high, low := bits.Mul64(hash^number^h.salt[0], h.salt[1]^hash>>32)
	return high ^ low
}

// elements hashes elements in their order.
func (h *hasher) elements(elements []element) uint32 {
	sum := uint64(len(elements))
	for _, e := range elements {
		sum = h.mix(sum, uint64(e))
	}
	return uint32(h.mix(sum, h.salt[1])) & hashMask
}

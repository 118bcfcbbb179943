package index

import (
	"slices"

	"github.com/tolero-dev/tolero/compile"
)

// transfer is a node that came to another set since the base was made, or is gone. A node
// keeps its slot, and a new one gets a slot after those of the base.
type transfer struct {
	node   uint32
	slot   uint32
	place  uint32            // of the base that the node leaves, or none
	same   uint32            // the first transfer that left the same place
	taints []compile.TaintID // of the set where the node comes
}

// mostTransfers returns how many transfers there are beside a base with so many sets and hard
// taints in them. Each makes a pod dearer by some nanoseconds, and they share the time to
// make the next base, which follows the taints.
func mostTransfers(taints int) int { return 64 + taints/4096 }

// mostGone returns how many of so many hard taints of a base may be of sets that have no
// nodes any more, which pods are tested with all the same.
func mostGone(taints int) int { return 256 + taints/2 }

// mostClasses returns how many new classes there are beside a base with so many classes.
func mostClasses(classes int) int { return 64 + classes }

// record notes that a node, which is in the index already or not, comes to a set or, with
// none, is gone. With too many transfers the base goes.
func (ix *Index) record(number uint32, known bool, set uint32) (at uint32) {
	at = uint32(len(ix.transfers))
	switch {
	case ix.base == nil:
		return none
	case int(at) >= ix.mostTransfers:
		ix.dropBase()
		return none
	}
	t := transfer{node: number, slot: ix.base.slots() + at, place: none, same: at}
	if known {
		t.slot = ix.slot(number)
		if before, moved := ix.moved(number); moved {
			ix.last[before/64] &^= 1 << (before % 64)
		} else {
			t.place = ix.base.placeAt(t.slot)
			if i := slices.IndexFunc(ix.transfers, func(o transfer) bool { return o.place == t.place }); i >= 0 {
				t.same = uint32(i)
			}
		}
	}
	if at%64 == 0 {
		ix.last = append(ix.last, 0)
	}
	if set != none {
		t.taints = ix.sets.At(set).taints
		ix.last[at/64] |= 1 << (at % 64)
	}
	ix.transfers = append(ix.transfers, t)
	return at
}

// dropBase leaves it to the next Snapshot to make a base.
func (ix *Index) dropBase() {
	ix.base, ix.transfers, ix.last, ix.newClasses, ix.gone = nil, nil, nil, nil, 0
	ix.vocabulary.Release(ix.released)
	ix.released = nil
}

// moved returns the last transfer of a node, if it has one.
func (a *state) moved(number uint32) (at uint32, ok bool) {
	at = a.nodes.At(number).transfer
	return at, at < uint32(len(a.transfers)) && a.transfers[at].node == number
}

// slot returns the slot of a node that is in the index. There must be a base.
func (a *state) slot(number uint32) uint32 {
	if at, ok := a.moved(number); ok {
		return a.transfers[at].slot
	}
	return a.base.slotOf[number]
}

package whatif

import (
	"hash/maphash"

	"github.com/tolero-dev/tolero/compile/index"
)

// cache is what an evaluation keeps for the next one: what it has looked up, which is true of
// one snapshot and of the pods as they were then, and its buffers, which serve for others
// too. Answers do not depend on it.
//
// Pods keeps caches in a [sync.Pool], so each evaluation that is under way has its own, and
// the garbage collector frees those that no evaluation has used for a while.
type cache struct {
	fleet      *index.Snapshot
	changes    uint64 // how many the pods had had
	tolerators *index.Tolerators
	places     []place // by number of the node
	lengths    []uint8 // by set of hard taints: how long a list was that is unique
	seed       maphash.Seed

	memory  []remembered // by class of pods; none is of a round to come
	round   uint32       // of the first pair; increases by their number, of which a plan has fewer than 2^31
	evicted tally        // empty between evaluations

	buffers
}

// place is the position in the directory of a node's pods, plus two; noPods if the node has
// none; and zero if it was not looked up yet.
type place uint32

const noPods place = 1

// placeAt is the place for a position in the directory.
func placeAt(position uint32) place {
	if position == none {
		return noPods
	}
	return place(position) + noPods + 1
}

func (p place) position() uint32 { return uint32(p - noPods - 1) }

// mostRounds is how many rounds a cache serves for. A variable for tests.
var mostRounds uint32 = 1 << 31

// recall returns a cache for an evaluation. What it knows of another snapshot, or of the pods
// before a change, is cleared.
func (p *Pods) recall(fleet *index.Snapshot) *cache {
	m, _ := p.caches.Get().(*cache)
	if m == nil || m.round > mostRounds {
		m = &cache{tolerators: p.classes.Tolerators(fleet), fleet: fleet, changes: p.changes, seed: maphash.MakeSeed(), lengths: make([]uint8, fleet.HardSets())}
	}
	if m.fleet != fleet {
		m.forget()
	}
	if m.fleet != fleet || m.changes != p.changes || m.tolerators.Full() {
		m.fleet, m.changes = fleet, p.changes
		m.tolerators.Reset(fleet)
		m.lengths = zeros(m.lengths, fleet.HardSets())
		clear(m.places)
	}
	if n := len(p.limits); n > len(m.memory) {
		m.memory, m.evicted.others = make([]remembered, n), make([]uint32, n)
	}
	m.buffers.reset()
	return m
}

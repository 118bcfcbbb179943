package scheduler

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// fleet remembers node objects with their taints interned, so that Filter and Score
// test bits in place of strings and do not touch the object. It is a hash table by
// object: a node that changes is another object. The scheduler's snapshot never
// changes a node in place, and an object that is retained cannot become another.
//
// Reading takes no lock: an entry is written once, and published by its object. Nothing
// is forgotten: a fleet that is full learns no more, and PreFilter makes another in its
// place. So at most limit objects are retained.
type fleet struct {
	nodes   int // how many it was made for
	entries entries
	shift   int
	version atomic.Uint32 // how often the vocabulary or the numbers have grown

	mu         sync.Mutex // guards what follows
	vocabulary compile.Vocabulary
	used       int                    // entries
	known      map[string]*nodeTaints // by what they are, as bytes
	numbers    map[string]uint8       // of soft taints, by their IDs as bytes
	numbered   [][]compile.TaintID    // the soft taints of each number
	room       int                    // how many more taints may get into numbered
	unused     []nodeTaints           // made together, so that they lie in the order of the nodes
	taints     []taint.Taint          // a buffer
	ids        []compile.TaintID      // a buffer
	bytes      []byte                 // a buffer
}

// entries is what a fleet remembers of node objects, in columns of one length: scoring a
// node touches nine bytes. Load the object first: what the other columns have of it may be
// read only after that.
type entries struct {
	nodes  []atomic.Pointer[v1.Node]
	soft   []uint8 // the number of the node's list of soft taints, or unnumbered
	taints []*nodeTaints
}

// unnumbered marks a list of soft taints that has no number. A fleet numbers the first lists
// that it meets, as long as they have fewer than 255 taints in all: so the number and the
// length of a list fit in a byte, and a new question counts all numbered lists quickly.
const unnumbered = 255

// fleetShare is how many entries there are at least for each that is used: so nearly every
// node is in its first place, even if the fleet also remembers all nodes that these
// replaced. Looking elsewhere takes longer than scoring.
const fleetShare = 8

func makeEntries(n int) entries {
	return entries{make([]atomic.Pointer[v1.Node], n), make([]uint8, n), make([]*nodeTaints, n)}
}

// nodeTaints is the taints and the cordon of a node. Nodes that are alike share it. It
// does not change.
type nodeTaints struct {
	ids      []compile.TaintID // the hard taints and then the soft ones, in the node's order
	hardEnd  uint32            // how many are hard
	version  uint32            // that of the fleet in which all were known
	number   uint8             // of the list of the soft ones, or unnumbered
	cordoned bool
}

func (k *nodeTaints) hard() []compile.TaintID { return k.ids[:k.hardEnd] }

func (k *nodeTaints) soft() []compile.TaintID { return k.ids[k.hardEnd:] }

func newFleet(nodes int) *fleet {
	f := &fleet{nodes: nodes, known: make(map[string]*nodeTaints), room: unnumbered - 1}
	f.numbers, f.numbered = map[string]uint8{"": 0}, [][]compile.TaintID{nil}
	size := bits.Len(uint(fleetShare*f.limit() - 1))
	f.entries, f.shift = makeEntries(1<<size), 64-size
	return f
}

// limit is how many objects f remembers at most. To make a new fleet, in which each
// node is learned again, takes a quarter as many changes as there are nodes. So there are
// few old objects, which can be large: a node lists its images.
func (f *fleet) limit() int { return f.nodes + f.nodes/4 + 64 }

// outgrown reports whether f is full, or was made for a much smaller fleet.
func (f *fleet) outgrown(nodes int) bool {
	if nodes > f.limit() {
		return true
	}
	if !f.mu.TryLock() {
		return false
	}
	defer f.mu.Unlock()
	return f.used >= f.limit()
}

// find returns what f remembers of a node, or nil.
func (f *fleet) find(node *v1.Node) *nodeTaints {
	place := placeOf(unsafe.Pointer(node), nodeBits)
	for range probes {
		e := f.entry(place)
		switch f.entries.nodes[e].Load() {
		case node:
			return f.entries.taints[e]
		case nil:
			return nil
		}
		place = place.next()
	}
	return nil
}

// nodeBits is the least number of bits of an offset in a node.
const nodeBits = 8 + int(unsafe.Sizeof(v1.Node{})/512)

// entry returns the position of the entry at a place.
func (f *fleet) entry(p place) int { return int(p.of(len(f.entries.nodes), f.shift)) }

// learn takes in a node object, if nobody else is learning at the moment: there will
// be another opportunity.
func (f *fleet) learn(node *v1.Node) {
	if !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	place := placeOf(unsafe.Pointer(node), nodeBits)
	for range probes {
		e := f.entry(place)
		switch f.entries.nodes[e].Load() {
		case nil:
			if f.used < f.limit() {
				f.used++
				k := f.intern(node)
				f.entries.taints[e], f.entries.soft[e] = k, k.number
				f.entries.nodes[e].Store(node)
			}
			return
		case node:
			return
		}
		place = place.next()
	}
}

// intern returns the taints and the cordon of a node. Taints with unknown effects neither
// refuse nor count.
func (f *fleet) intern(node *v1.Node) *nodeTaints {
	f.taints = appendEffects(f.taints[:0], node, taint.Hard)
	hardEnd := len(f.taints)
	f.taints = appendEffects(f.taints, node, taint.Soft)
	before := f.vocabulary.Len()
	f.ids = f.vocabulary.Append(f.ids[:0], f.taints)
	if f.vocabulary.Len() > before {
		f.version.Add(1)
	}
	f.bytes = binary.AppendUvarint(f.bytes[:0], uint64(hardEnd)<<1|bit(node.Spec.Unschedulable))
	f.bytes = appendIDs(f.bytes, f.ids)
	k := f.known[string(f.bytes)]
	if k == nil {
		k = f.next()
		*k = nodeTaints{ids: slices.Clone(f.ids), hardEnd: uint32(hardEnd), cordoned: node.Spec.Unschedulable}
		f.known[string(f.bytes)] = k
		k.number = f.number(k.soft())
		k.version = f.version.Load()
	}
	return k
}

// number returns the number of a list of soft taints, or unnumbered. A new list gets a
// number if there is room.
func (f *fleet) number(soft []compile.TaintID) uint8 {
	f.bytes = appendIDs(f.bytes[:0], soft)
	number, found := f.numbers[string(f.bytes)]
	switch {
	case found:
		return number
	case len(soft) > f.room:
		return unnumbered
	}
	f.room -= len(soft)
	number = uint8(len(f.numbered))
	f.numbers[string(f.bytes)], f.numbered = number, append(f.numbered, soft)
	f.version.Add(1)
	return number
}

func appendIDs(dst []byte, ids []compile.TaintID) []byte {
	for _, id := range ids {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(id))
	}
	return dst
}

func (f *fleet) next() *nodeTaints {
	if len(f.unused) == 0 {
		f.unused = make([]nodeTaints, 64)
	}
	k := &f.unused[0]
	f.unused = f.unused[1:]
	return k
}

func bit(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}

// appendEffects appends the taints of a node that have one of the effects.
func appendEffects(dst []taint.Taint, node *v1.Node, effects taint.EffectSet) []taint.Taint {
	for i := range node.Spec.Taints {
		if t := kube.Taint(&node.Spec.Taints[i]); effects.Has(t.Effect) {
			dst = append(dst, t)
		}
	}
	return dst
}

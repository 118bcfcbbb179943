package compile

import (
	"hash/maphash"
	"math/bits"
)

// table finds the group of a key. It is immutable once made.
type table struct {
	groups []group // with different keys
	// slots is the groups as a hash table with linear probing, in which a free
	// slot has no key and tolerates nothing. It is nil if there are few groups,
	// which are scanned.
	slots []group
	shift uint8 // takes a hash to a slot
	hash  hash
	seed  maphash.Seed // of strongHash
}

// hash says which hash function a table uses.
type hash uint8

const (
	// probeHash takes the length and three bytes of a key, which is enough to
	// tell most sets of keys apart and takes about a nanosecond.
	probeHash hash = iota
	// strongHash takes the whole key.
	strongHash
	// constantHash makes all keys collide, and fourBitHash most of many. Only
	// tests use them.
	constantHash
	fourBitHash
)

var (
	// fewKeys is how many groups a table scans; more are hashed. BenchmarkKeys
	// compares the two.
	fewKeys = 4
	// longProbe is how far from its slot a key may be under probeHash.
	longProbe = 2
	// forcedHash makes tests choose the hash function.
	forcedHash *hash
)

// seed is the seed of strongHash.
var seed = maphash.MakeSeed()

// newTable makes a table of groups, which it retains.
func newTable(groups []group) table {
	t := table{groups: groups}
	if len(groups) <= fewKeys {
		return t
	}
	t.seed = seed
	if forcedHash != nil {
		t.build(*forcedHash)
	} else if t.build(probeHash) > longProbe {
		t.build(strongHash)
	}
	return t
}

// build fills the slots, of which at least three quarters stay free, and
// returns the longest distance of a key from its slot.
func (t *table) build(hash hash) (longest int) {
	width := 2 + bits.Len(uint(len(t.groups)-1))
	t.hash, t.shift = hash, uint8(64-width)
	t.slots = make([]group, 1<<width)
	for i := range t.groups {
		slot, distance := t.slot(t.groups[i].key), 0
		for t.slots[slot].key != "" {
			slot = (slot + 1) & (len(t.slots) - 1)
			distance++
		}
		t.slots[slot] = t.groups[i]
		longest = max(longest, distance)
	}
	return longest
}

// find returns the group of key, or one that tolerates nothing.
func (t *table) find(key string) *group {
	if t.slots != nil {
		return t.lookup(key)
	}
	for i := range t.groups {
		if t.groups[i].key == key {
			return &t.groups[i]
		}
	}
	return &nothing
}

// nothing is the group of a key that is not there.
var nothing group

// lookup is find with a hash table.
func (t *table) lookup(key string) *group {
	slot := int(probe(key) * golden >> t.shift)
	if t.hash != probeHash {
		slot = t.slot(key)
	}
	for ; ; slot++ {
		if g := &t.slots[slot&(len(t.slots)-1)]; g.key == key || g.key == "" {
			return g
		}
	}
}

// golden spreads the bits of a number over the upper half of its product.
const golden = 0x9e3779b97f4a7c15

// slot returns the slot at which the search for key begins.
func (t *table) slot(key string) int {
	switch t.hash {
	case probeHash:
		return int(probe(key) * golden >> t.shift)
	case strongHash:
		return int(maphash.String(t.seed, key) >> t.shift)
	case fourBitHash:
		return int(probe(key)%16) & (len(t.slots) - 1)
	}
	return 0
}

// probe returns a number made of the length of key and of its last byte and two
// from its middle: what real keys have in common is their beginning.
func probe(key string) uint64 {
	n := len(key)
	if n == 0 {
		return 0
	}
	return uint64(n) | uint64(key[n-1])<<16 | uint64(key[n/2])<<24 | uint64(key[n-n/4-1])<<32
}

package index

import (
	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/compile/internal/probe"
)

// equals is the pod classes by the key and the value of their tolerations with Equal. All
// keys share one table: of most keys there are few values, and of some, thousands.
//
// The zero equals is empty.
type equals struct {
	table   probe.Table
	entries []equal
	free    []uint32
}

// equal is the classes that tolerate one value of a key. If it is free, it has no owner.
type equal struct {
	owner *keyPostings // of the key
	value string
	byEffect
}

// byEffect is pod classes for each hard effect, by its number.
type byEffect [hardEffects]bits.Blocks[PodClass]

func (v *byEffect) empty() bool { return v[0].Empty() && v[1].Empty() }

// hashOf hashes a value of a key.
func (h *hasher) hashOf(k *keyPostings, value string) uint32 {
	return uint32(h.mix(k.hash, uint64(h.text(value)))) & hashMask
}

// none is the position of no entry, or the number of no node.
const none = ^uint32(0)

// find returns the position of the entry of a value of a key, or none.
func (q *equals) find(hash uint32, k *keyPostings, value string) uint32 {
	for position := range q.table.Candidates(hash) {
		if q.entries[position].is(k, value) {
			return position
		}
	}
	return none
}

func (e *equal) is(k *keyPostings, value string) bool { return e.owner == k && e.value == value }

// guess returns the position of some entry with a hash, or none.
func (q *equals) guess(hash uint32) uint32 {
	for position := range q.table.Candidates(hash) {
		return position
	}
	return none
}

// insert adds an entry for a value of a key, which must have none, and returns its position.
func (q *equals) insert(hash uint32, k *keyPostings, value string) (position uint32) {
	if n := len(q.free); n > 0 {
		position, q.free = q.free[n-1], q.free[:n-1]
	} else {
		position = uint32(len(q.entries))
		q.entries = append(q.entries, equal{})
	}
	q.table.Insert(hash, position)
	q.entries[position] = equal{owner: k, value: value}
	k.values++
	return position
}

// remove takes an entry out.
func (q *equals) remove(hash, position uint32) {
	q.table.Remove(hash, position)
	q.entries[position].owner.values--
	q.entries[position] = equal{}
	q.free = append(q.free, position)
}

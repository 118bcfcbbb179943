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
	probe.Entries[equal]
}

// equal is the classes that tolerate one value of a key.
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
	return uint32(h.mix(uint64(k.hash), uint64(h.text(value)))) & hashMask
}

// none is the position of no entry, or the number of no node.
const none = probe.None

// find returns the position of the entry of a value of a key, or none.
func (q *equals) find(hash uint32, k *keyPostings, value string) uint32 {
	for position := range q.Candidates(hash) {
		if e := q.At(position); e.owner == k && e.value == value {
			return position
		}
	}
	return none
}

// of returns the classes for a value of a key, as an entry that is made if need be.
func (q *equals) of(hash uint32, k *keyPostings, value string) *byEffect {
	position := q.find(hash, k, value)
	if position == none {
		position = q.Insert(hash, equal{owner: k, value: value})
		k.values++
	}
	return &q.At(position).byEffect
}

// remove takes an entry out.
func (q *equals) remove(hash, position uint32) {
	q.At(position).owner.values--
	q.Remove(hash, position)
}

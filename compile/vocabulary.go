package compile

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/taint"
)

// Vocabulary is the taints of a fleet, interned: a taint that many nodes have is
// stored once, and is known by its [TaintID].
//
// The zero Vocabulary is empty and ready. A Vocabulary must not be copied; use
// [Vocabulary.Fork]. One goroutine at a time may change it; while nobody does, any
// number may read it or ask a [Matcher]. It retains the strings of the
// taints in use, and no slices. Its memory follows the most taints that were in use
// at a time.
type Vocabulary struct {
	seed   maphash.Seed
	secret [2]uint64 // made of the seed
	keys   cow.Vector[key]
	pairs  cow.Vector[pair]
	byKey  probe.Table // of keys
	byPair probe.Table // of pairs
	// The first free position of each, or zero.
	freeKeys, freePairs uint32

	stamp uint64 // no other content of a vocabulary has it in this process
	inUse int    // how many taints are
}

// stamps is the last stamp that was given.
var stamps atomic.Uint64

// changed notes that a taint came into use, or is in use no more.
func (v *Vocabulary) changed() { v.stamp = stamps.Add(1) }

// Append appends the IDs of taints to dst, in their order, and returns the extended
// slice; nil and empty lists add nothing. Times play no part (rule M6). Equal taints have
// equal IDs, in one list too, and taints need not be valid. Each ID counts as a use:
// give it back with [Vocabulary.Release], as often as Append gave it.
//
// Append takes expected constant time for a taint, apart from hashing its strings. It
// retains the strings of new taints, and allocates for these only and to grow dst.
func (v *Vocabulary) Append(dst []TaintID, taints []taint.Taint) []TaintID {
	for i := range taints {
		dst = append(dst, v.add(&taints[i]))
	}
	return dst
}

// Release takes back one use of each ID. Taints that are in use no more are
// forgotten, and their IDs are given to others. To release an ID more often than it
// was given is a mistake, which takes the use of another; an ID that is not in use is
// ignored, but built with the tag tolero_invariants, Release panics. It takes expected
// constant time for an ID.
func (v *Vocabulary) Release(ids []TaintID) {
	for _, id := range ids {
		v.release(id)
	}
	v.check()
}

// ID returns the ID of a taint that is in use, whatever its time, and whether there is
// one. It counts nothing.
func (v *Vocabulary) ID(t *taint.Taint) (id TaintID, ok bool) {
	if id = v.find(t); v.Uses(id) == 0 {
		return 0, false
	}
	return id, true
}

// Taint returns the taint that an ID stands for, without a time, and whether it is in
// use. It retains nothing.
func (v *Vocabulary) Taint(id TaintID) (t taint.Taint, ok bool) {
	if v.Uses(id) == 0 {
		return taint.Taint{}, false
	}
	p := v.pairs.At(id.pair())
	t = taint.Taint{Key: v.keys.At(id.key()).text, Value: p.value, Effect: p.unknown}
	if !id.unknown() {
		t.Effect = effectNames[id.bit()]
	}
	return t, true
}

// AppendTaints appends the taints that IDs stand for to dst, without times, and
// returns the extended slice. For an ID that is not in use, that is the zero Taint.
func (v *Vocabulary) AppendTaints(dst []taint.Taint, ids []TaintID) []taint.Taint {
	for _, id := range ids {
		t, _ := v.Taint(id)
		dst = append(dst, t)
	}
	return dst
}

// Uses returns how often an ID was given and not released, which is zero for an ID
// that is not in use.
func (v *Vocabulary) Uses(id TaintID) int {
	if uint(id.pair()) >= uint(v.pairs.Len()) {
		return 0
	}
	// The first pair has no uses.
	if p := v.pairs.At(id.pair()); p.key == id.key() && id&(effectMask&(id-1)) == 0 && id.Effects() != 0 {
		return int(p.uses[id.bit()])
	}
	return 0
}

// Len returns the number of taints in use, each counted once.
func (v *Vocabulary) Len() int { return v.inUse }

// Indexes returns a number that is greater than [TaintID.Index] of every taint in use.
// It never decreases.
func (v *Vocabulary) Indexes() int { return v.pairs.Len() * 4 }

// AppendIDs appends the IDs of the taints in use that have one of the given effects to
// dst, each once and in no particular order, and returns the extended slice. It counts
// no use.
func (v *Vocabulary) AppendIDs(dst []TaintID, effects taint.EffectSet) []TaintID {
	for position := range uint32(v.pairs.Len()) {
		dst = v.pairs.At(position).append(dst, position, effects)
	}
	return dst
}

// append appends the taints in use that have a pair and one of the effects.
func (p *pair) append(dst []TaintID, position uint32, effects taint.EffectSet) []TaintID {
	for e, uses := range p.uses {
		if effect := effects & (1 << e); effect != 0 && uses > 0 {
			dst = append(dst, idOf(p.key, position, effect))
		}
	}
	return dst
}

// Fork returns a copy with the same IDs, which may be changed apart from v: what
// either adds or releases later, the other does not notice. It takes constant time and
// does not allocate, except that a table which is nearly full grows before, so that not
// every fork has to; the changes of both copy what they write to, some kilobytes. To
// fork is to change v, except if v is a fork and was not changed itself.
//
// A fork that nobody changes is a snapshot, which any number of goroutines may read
// while v is changed.
func (v *Vocabulary) Fork() Vocabulary {
	v.byKey.Reserve()
	v.byPair.Reserve()
	fork := *v
	fork.keys, fork.pairs = v.keys.Freeze(), v.pairs.Freeze()
	fork.byKey, fork.byPair = v.byKey.Fork(), v.byPair.Fork()
	return fork
}

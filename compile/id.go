package compile

import (
	"math/bits"

	"github.com/tolero-dev/tolero/taint"
)

// TaintID stands for an interned taint: its key, value and effect, without its time.
// Equal taints have equal IDs, and different ones different IDs.
//
// A [Vocabulary] gives IDs, and an ID is valid in it, and in its forks, until it is
// released as often as it was given. It is used again after that, so that one which
// is kept too long may stand for another taint. The zero TaintID stands for no taint.
// A TaintID is a plain value that may be compared with ==, and retains nothing.
type TaintID uint64

// From the lowest bits on, an ID holds the effect as a bit of an EffectSet, the position
// of the pair of key and value, and that of the key, so that a Matcher need not look up
// anything, and so that a toleration is tested by masking.
const (
	effectBits = 4
	pairBits   = 32
	effectMask = TaintID(1<<effectBits - 1)
	pairMask   = TaintID(1<<pairBits-1) << effectBits
	keyMask    = ^(effectMask | pairMask)
)

// The bits of effects in an EffectSet.
const (
	noSchedule = iota
	preferNoSchedule
	noExecute
	unknownEffect
	knownEffects = unknownEffect // how many there are
)

var effectNames = [knownEffects]taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}

func idOf(key, pair uint32, effect taint.EffectSet) TaintID {
	return TaintID(key)<<(effectBits+pairBits) | TaintID(pair)<<effectBits | TaintID(effect)
}

func (id TaintID) key() uint32  { return uint32(id >> (effectBits + pairBits)) }
func (id TaintID) pair() uint32 { return uint32(id >> effectBits) }

// unknown reports whether the effect is unknown.
func (id TaintID) unknown() bool { return id&TaintID(taint.OtherEffects) != 0 }

// bit returns the bit of the effect.
func (id TaintID) bit() int { return bitOf(id.Effects()) }

// bitOf returns the bit of the first effect of a set that is not empty.
func bitOf(effects taint.EffectSet) int { return bits.TrailingZeros8(uint8(effects)) }

// Effects returns the set that the effect of the taint makes: [taint.OtherEffects]
// for an unknown one, and the empty set for the zero TaintID.
func (id TaintID) Effects() taint.EffectSet { return taint.EffectSet(id & effectMask) }

// Index returns a small number that no other taint of the vocabulary has: an index
// into a table by taint. It is less than [Vocabulary.Indexes], and belongs to another
// taint once this one is gone.
func (id TaintID) Index() int { return int(id.pair())*4 + id.bit()%4 }

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
// anything, and so that a toleration is tested by masking. With an unknown effect there
// is no key, and the pair is the position of the odd taint.
const (
	effectBits = 4
	pairBits   = 32
	effectMask = TaintID(1<<effectBits - 1)
	pairMask   = TaintID(1<<pairBits-1) << effectBits
	keyMask    = ^(effectMask | pairMask)
)

// Effects are numbered by their bits in an EffectSet.
const (
	noSchedule = iota
	preferNoSchedule
	noExecute
	knownEffects // how many there are; the number of unknown ones
)

var effectNames = [knownEffects]taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}

func idOf(key, pair uint32, effect taint.EffectSet) TaintID {
	return TaintID(key)<<(effectBits+pairBits) | TaintID(pair)<<effectBits | TaintID(effect)
}

func (id TaintID) key() uint32  { return uint32(id >> (effectBits + pairBits)) }
func (id TaintID) pair() uint32 { return uint32(id >> effectBits) }

// odd reports whether the effect is unknown.
func (id TaintID) odd() bool { return id&TaintID(taint.OtherEffects) != 0 }

// effect returns the number of the effect.
func (id TaintID) effect() int { return numberOf(id.Effects()) }

// numberOf returns the number of the first effect of a set that is not empty.
func numberOf(effects taint.EffectSet) int { return bits.TrailingZeros8(uint8(effects)) }

// Effects returns the set that the effect of the taint makes: [taint.OtherEffects]
// for an unknown one, and the empty set for the zero TaintID.
func (id TaintID) Effects() taint.EffectSet { return taint.EffectSet(id & effectMask) }

// Index returns a small number that no other taint of the vocabulary has: an index
// into a table by taint. It is less than [Vocabulary.Indexes], and belongs to another
// taint once this one is gone.
func (id TaintID) Index() int { return int(id.pair())*4 + id.effect()%4 }

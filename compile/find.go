package compile

import (
	"hash/maphash"
	"math/bits"

	"github.com/tolero-dev/tolero/taint"
)

// hash is a variable so that tests can make everything collide.
var hash = func(seed maphash.Seed, text string) uint32 { return uint32(maphash.String(seed, text)) }

// pairHash mixes the position of the key into the hash of a value. Whoever chooses the
// taints can guess positions, but not the secret. Positions follow each other, and their
// products with a number that ends in many zeros differ in high bits only: the second
// multiplication brings these down.
func (v *Vocabulary) pairHash(key uint32, value string) uint32 {
	high, low := bits.Mul64(uint64(hash(v.seed, value))^v.secret[0], uint64(key)^v.secret[1])
	mixed := high ^ low
	mixed = (mixed ^ mixed>>32) * 0x9e3779b97f4a7c15
	return uint32(mixed >> 32)
}

// findKey returns the position of a key, or zero if it is not there.
func (v *Vocabulary) findKey(text string) uint32 {
	if v.byKey.Len() == 0 { // and there may be no seed yet
		return 0
	}
	for position := range v.byKey.Candidates(hash(v.seed, text)) {
		if v.keys.At(position).text == text {
			return position
		}
	}
	return 0
}

// findPair returns the position of a pair, or zero if it is not there.
func (v *Vocabulary) findPair(key uint32, value string) uint32 {
	for position := range v.byPair.Candidates(v.pairHash(key, value)) {
		if p := v.pairs.At(position); p.key == key && p.value == value {
			return position
		}
	}
	return 0
}

// find returns the ID that a taint has or would have, or one that is in use for no taint.
func (v *Vocabulary) find(t *taint.Taint) TaintID {
	effect := t.Effect.Set()
	if effect == taint.OtherEffects {
		return idOf(0, v.findOdd(t), effect)
	}
	key := v.findKey(t.Key)
	if key == 0 {
		return 0
	}
	return idOf(key, v.findPair(key, t.Value), effect)
}

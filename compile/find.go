package compile

import (
	"hash/maphash"
	"math/bits"

	"github.com/tolero-dev/tolero/taint"
)

// hash is a variable so that tests can make everything collide.
var hash = func(seed maphash.Seed, text string) uint32 { return uint32(maphash.String(seed, text)) }

// pairHash hashes a pair: its key, its value, and its unknown effect if it has one.
func (v *Vocabulary) pairHash(key uint32, value string, unknown taint.Effect) uint32 {
	if unknown != "" {
		key = v.mix(key, string(unknown))
	}
	return v.mix(key, value)
}

// mix mixes the position of a key into the hash of a text. Whoever chooses the
// taints can guess positions, but not the secret. Positions follow each other, and their
// products with a number that ends in many zeros differ in high bits only: the second
// multiplication brings these down.
func (v *Vocabulary) mix(key uint32, text string) uint32 {
	high, low := bits.Mul64(uint64(hash(v.seed, text))^v.secret[0], uint64(key)^v.secret[1])
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
func (v *Vocabulary) findPair(key uint32, value string, unknown taint.Effect) uint32 {
	for position := range v.byPair.Candidates(v.pairHash(key, value, unknown)) {
		if p := v.pairs.At(position); p.key == key && p.value == value && p.unknown == unknown {
			return position
		}
	}
	return 0
}

// find returns the ID that a taint has or would have, or one that is in use for no taint.
func (v *Vocabulary) find(t *taint.Taint) TaintID {
	key := v.findKey(t.Key)
	if key == 0 {
		return 0
	}
	return idOf(key, v.findPair(key, t.Value, unknownOf(t.Effect)), t.Effect.Set())
}

// unknownOf returns an effect if it is unknown, and none if it is known.
func unknownOf(effect taint.Effect) taint.Effect {
	if effect.Set() == taint.OtherEffects {
		return effect
	}
	return ""
}

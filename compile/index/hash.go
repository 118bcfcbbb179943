package index

import (
	"hash/maphash"
	"math/bits"
)

// hasher hashes what users write. Whoever does not know the seed cannot make values
// collide. The zero hasher is not ready.
type hasher struct {
	seed maphash.Seed
	salt [2]uint64 // random, for what is no string
}

func newHasher() hasher {
	h := hasher{seed: maphash.MakeSeed()}
	h.salt = [2]uint64{maphash.String(h.seed, "first"), maphash.String(h.seed, "second") | 1}
	return h
}

// hashMask is a variable so that tests can make everything collide.
var hashMask = ^uint32(0)

func (h *hasher) text(text string) uint32 {
	return uint32(maphash.String(h.seed, text)) & hashMask
}

// mix adds a number to a hash. The order of the numbers counts, and all of their bits.
func (h *hasher) mix(hash, number uint64) uint64 {
	high, low := bits.Mul64(hash^number^h.salt[0], h.salt[1]^hash>>32)
	return high ^ low
}

// elements hashes elements in their order.
func (h *hasher) elements(elements []element) uint32 {
	sum := uint64(len(elements))
	for _, e := range elements {
		sum = h.mix(sum, uint64(e))
	}
	return uint32(h.mix(sum, h.salt[1])) & hashMask
}

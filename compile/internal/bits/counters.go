package bits

import (
	"iter"
	"math/bits"
)

// Counters holds a number for each ID. Adding to the numbers of all IDs of a set takes a
// few operations for each 64 of them: bit k of their 64 numbers is stored as one word.
//
// The zero Counters is all zeros. A Counters must not be copied. One goroutine at a time
// may use it. It retains nothing. A number must stay below 2^32; a later call panics if one does
// not.
type Counters[ID Unsigned] struct {
	planes []uint64    // places for each word of a set
	top    int         // each word uses at most this many planes
	ones   []lowPlanes // ones that are not in planes yet, for each word
	added  int         // how many calls are in ones
}

// places is how many bits a number has.
const places = 32

// lowPlanes holds 64 numbers of four bits. Adding one always takes the same steps, which the
// processor predicts; it cannot predict how far a carry goes in a long number.
type lowPlanes [4]uint64

// mostOnes is the largest number of lowPlanes.
const mostOnes = 1<<len(lowPlanes{}) - 1

// Add adds n to the numbers of all IDs of a set.
func (c *Counters[ID]) Add(s *Set[ID], n uint32) {
	if need := len(s.words); need > len(c.ones) {
		c.ones = append(c.ones, make([]lowPlanes, need-len(c.ones))...)
		c.planes = append(c.planes, make([]uint64, places*len(c.ones)-len(c.planes))...)
	}
	if n == 1 {
		c.addOnes(s.words)
		return
	}
	for ; n != 0; n &= n - 1 {
		for i, word := range s.words {
			c.add(i, word, bits.TrailingZeros32(n))
		}
	}
}

// add adds a power of two to the numbers of a word.
func (c *Counters[ID]) add(i int, carry uint64, place int) {
	planes := c.planes[places*i:][:places]
	k := place
	for ; carry != 0; k++ {
		planes[k], carry = planes[k]^carry, planes[k]&carry
	}
	c.top = max(c.top, k)
}

// addOnes adds one to the numbers of all words.
func (c *Counters[ID]) addOnes(words []uint64) {
	if c.added == mostOnes {
		c.carry()
	}
	c.added++
	ones := c.ones[:len(words)]
	for i, carry := range words {
		if carry != 0 {
			p := &ones[i]
			p[0], carry = p[0]^carry, p[0]&carry
			p[1], carry = p[1]^carry, p[1]&carry
			p[2], carry = p[2]^carry, p[2]&carry
			p[3] ^= carry
		}
	}
}

// carry moves the ones to the planes.
func (c *Counters[ID]) carry() {
	for i := range c.ones {
		for place, word := range c.ones[i] {
			c.add(i, word, place)
		}
	}
	clear(c.ones)
	c.added = 0
}

// All iterates over the IDs whose numbers are not zero, in ascending order, each with its
// number.
func (c *Counters[ID]) All() iter.Seq2[ID, uint32] {
	return func(yield func(ID, uint32) bool) {
		c.carry()
		for first := 0; first < len(c.planes); first += places {
			var numbers [wordSize]uint32
			nonzero := uint64(0)
			for k, plane := range c.planes[first:][:c.top] {
				nonzero |= plane
				for ; plane != 0; plane &= plane - 1 {
					numbers[bits.TrailingZeros64(plane)] |= 1 << k
				}
			}
			for ; nonzero != 0; nonzero &= nonzero - 1 {
				i := bits.TrailingZeros64(nonzero)
				if !yield(ID(first/places*wordSize+i), numbers[i]) {
					return
				}
			}
		}
	}
}

// Clear makes all numbers zero.
func (c *Counters[ID]) Clear() {
	clear(c.planes)
	clear(c.ones)
	c.top, c.added = 0, 0
}

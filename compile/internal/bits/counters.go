package bits

import (
	"iter"
	"math/bits"
)

// Counters holds a number for each ID. Adding to the numbers of all IDs of a set takes a
// few operations for each 64 of them: bit k of their 64 numbers is stored as one word.
//
// The zero Counters is all zeros. A Counters must not be copied. One goroutine at a time
// may change it; while nobody does, any number may read. It retains nothing. A number
// must stay below 2^32; Add panics if one does not.
type Counters[ID Unsigned] struct {
	planes []uint64 // places for each word of a set
}

// places is how many bits a number has.
const places = 32

// Add adds n to the numbers of all IDs of a set.
func (c *Counters[ID]) Add(s *Set[ID], n uint32) {
	if need := places * len(s.words); need > len(c.planes) {
		c.planes = append(c.planes, make([]uint64, need-len(c.planes))...)
	}
	for ; n != 0; n &= n - 1 {
		place := bits.TrailingZeros32(n)
		for i, carry := range s.words {
			planes := c.planes[places*i:][:places]
			for k := place; carry != 0; k++ {
				planes[k], carry = planes[k]^carry, planes[k]&carry
			}
		}
	}
}

// All iterates over the IDs whose numbers are not zero, in ascending order, each with its
// number.
func (c *Counters[ID]) All() iter.Seq2[ID, uint32] {
	return func(yield func(ID, uint32) bool) {
		for first := 0; first < len(c.planes); first += places {
			var numbers [wordSize]uint32
			nonzero := uint64(0)
			for k, plane := range c.planes[first:][:places] {
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
func (c *Counters[ID]) Clear() { clear(c.planes) }

package whatif

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
)

// classTally is a ClassChange for pods that keep their list.
type classTally struct {
	class                       index.PodClass
	pods, gained, lost, evicted uint32
}

// tallies is a list of tallies, in ascending order of their classes. There may be as many as pods,
// most of their numbers are small, and allocating memory takes more time than filling it. So a
// tally is a head and five numbers of zero to four bytes, the low byte first. The head has three
// bits for the length of each, so that writing needs no branch that the processor would have to
// predict. The first number is how much greater the class is than the one before.
//
// The zero tallies is empty. One goroutine at a time may add to it; while nobody does, any number
// may read it. It retains nothing.
type tallies struct {
	bytes []byte
	last  index.PodClass
}

// headSize is the bytes of a head, mostSize the most bytes of a tally.
const headSize, mostSize = 2, headSize + 5*4

// add adds a tally of a class, which comes after those that were added before.
func (t *tallies) add(c classTally) {
	first := len(t.bytes)
	t.bytes = slices.Grow(t.bytes, mostSize)[:first+mostSize]
	head, rest := uint16(0), t.bytes[first+headSize:]
	for _, n := range [...]uint32{uint32(c.class - t.last), c.pods, c.gained, c.lost, c.evicted} {
		binary.LittleEndian.PutUint32(rest, n) // the next number overwrites the zeros
		size := (bits.Len32(n) + 7) / 8
		head, rest = head<<3|uint16(size), rest[size:]
	}
	binary.LittleEndian.PutUint16(t.bytes[first:], head)
	t.bytes, t.last = t.bytes[:len(t.bytes)-len(rest)], c.class
}

// reset takes all tallies out.
func (t *tallies) reset() { *t = tallies{bytes: t.bytes[:0]} }

func (t *tallies) clone() tallies { return tallies{slices.Clone(t.bytes), t.last} }

// all iterates over the tallies.
func (t *tallies) all() iter.Seq[classTally] {
	return func(yield func(classTally) bool) {
		var last index.PodClass
		for rest := t.bytes; len(rest) > 0; {
			head := binary.LittleEndian.Uint16(rest)
			rest = rest[headSize:]
			var numbers [5]uint32
			for i := range numbers {
				size := head >> (3 * (4 - i)) & 7
				for k, b := range rest[:size] {
					numbers[i] |= uint32(b) << (8 * k)
				}
				rest = rest[size:]
			}
			last += index.PodClass(numbers[0])
			if !yield(classTally{last, numbers[1], numbers[2], numbers[3], numbers[4]}) {
				return
			}
		}
	}
}

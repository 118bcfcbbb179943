package whatif

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
)

// classTally is a ClassChange for pods that keep their list.
type classTally struct {
	class                       index.PodClass
	pods, gained, lost, evicted uint32
}

// tallies is a list of tallies, in ascending order of their classes. There may be as many as pods,
// most of their numbers are small, and allocating memory takes more time than filling it. So they
// are varints: how much greater the class is than the one before, and then the four counts.
//
// The zero tallies is empty. One goroutine at a time may add to it; while nobody does, any number
// may read it. It retains nothing.
type tallies struct {
	numbers []byte
	last    index.PodClass
}

// add adds a tally of a class, which comes after those that were added before.
func (t *tallies) add(c classTally) {
	t.numbers = binary.AppendUvarint(t.numbers, uint64(c.class-t.last))
	for _, n := range [...]uint32{c.pods, c.gained, c.lost, c.evicted} {
		t.numbers = binary.AppendUvarint(t.numbers, uint64(n))
	}
	t.last = c.class
}

// reset takes all tallies out.
func (t *tallies) reset() { *t = tallies{numbers: t.numbers[:0]} }

func (t *tallies) clone() tallies { return tallies{slices.Clone(t.numbers), t.last} }

// all iterates over the tallies.
func (t *tallies) all() iter.Seq[classTally] {
	return func(yield func(classTally) bool) {
		var c classTally
		numbers := t.numbers
		next := func() uint32 {
			n, size := binary.Uvarint(numbers)
			numbers = numbers[size:]
			return uint32(n)
		}
		for len(numbers) > 0 {
			c.class += index.PodClass(next())
			c.pods, c.gained, c.lost, c.evicted = next(), next(), next(), next()
			if !yield(c) {
				return
			}
		}
	}
}

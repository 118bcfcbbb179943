package index

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// A taint that many sets have is common, and selects nothing. Common taints have
// columns: a bit for each set that has the taint. The sets that a pod does not fit are
// the union of the columns that it does not tolerate, as far as all taints of a set are
// common; those with a rare one are found through it, because it is what they watch.
//
// The columns are cut into blocks of 4096 sets: long enough to be read ahead of need, and
// short enough for the sum of them to stay in the cache. The blocks of all columns for
// the same sets follow each other.

const blockSets = 4096

// block is a bit for each of the sets of a block.
type block [blockSets / 64]uint64

// The first columns are those of the sets whose taints are all common: for each shape
// but the first, those that have one of its effects and no rare taint with any of them.
const candidateColumns = shapes - 1

// Taints are common if one set in commonShare has them, and commonSets at least. Fewer
// than fewSets sets are not worth columns.
const (
	commonShare = 128
	commonSets  = 16
	fewSets     = 256
)

// columns is the common taints.
type columns struct {
	blocks   cow.Vector[block]
	aligned  cow.Vector[aligned] // by position of the set, divided by 64
	elements []element           // of the columns, in their order; never written to
	changes  int                 // how many sets came and went since the columns were chosen
}

func (c *columns) freeze() columns {
	return columns{c.blocks.Freeze(), c.aligned.Freeze(), c.elements, c.changes}
}

// stride is how many columns there are, with those of candidates.
func (c *columns) stride() uint32 { return candidateColumns + uint32(len(c.elements)) }

// blockCount returns how many blocks a column has.
func (c *columns) blockCount() uint32 { return uint32(c.blocks.Len()) / c.stride() }

// line returns a block of a column.
func (c *columns) line(block, column uint32) *block {
	return c.blocks.At(block*c.stride() + column)
}

// flip changes the bit of a set in a column.
func (c *columns) flip(position, column uint32) {
	c.blocks.Edit(position/blockSets*c.stride() + column)[position%blockSets/64] ^= 1 << (position % 64)
}

// addToColumns writes a new set to its columns, and removeFromColumns takes it out.
func (ix *state) addToColumns(position uint32) {
	for len(ix.columns.elements) > 0 && ix.blockCount() <= position/blockSets {
		for range ix.stride() {
			ix.blocks.Append(block{})
		}
		for range blockSets / 64 {
			ix.columns.aligned.Append(aligned{})
		}
	}
	ix.flipColumns(position)
	ix.columns.changes++
}

func (ix *state) removeFromColumns(position uint32) {
	ix.flipColumns(position)
	ix.columns.changes++
}

func (ix *state) flipColumns(position uint32) {
	if len(ix.columns.elements) == 0 {
		return
	}
	s := ix.sets.sets.At(position)
	for _, e := range s.elements {
		taint, _ := ix.hardTaintOf(e)
		if column := ix.taints.At(taint).column; column != 0 {
			ix.flip(position, column)
		}
	}
	for needed := shape(1); needed <= allHard; needed++ {
		if ix.candidate(s, needed) {
			ix.flip(position, uint32(needed)-1)
		}
	}
}

// candidate reports whether a set has taints with the effects of a shape, all of them
// common: it watches one of those only if there is no other.
func (ix *state) candidate(s *set, needed shape) bool {
	for number := range hardEffects {
		if (needed&s.shape)>>number&1 != 0 && ix.taints.At(s.watches[number].taint).column == 0 {
			return false
		}
	}
	return needed&s.shape != 0
}

// chooseColumns chooses the common taints anew when half of the sets are others than
// when they were chosen: that costs each change what it costs to look at a few sets.
func (ix *state) chooseColumns() {
	live := ix.setsByContent.Len()
	if ix.columns.changes <= fewSets+live/2 {
		return
	}
	var common []element
	if live >= fewSets {
		for position := range uint32(ix.taints.Len()) {
			if t := ix.taints.At(position); int(t.uses) >= max(commonSets, live/commonShare) {
				common = append(common, t.element)
			}
		}
	}
	slices.Sort(common)
	ix.setColumns(common)
}

// setColumns makes columns of some elements.
func (ix *state) setColumns(common []element) {
	for _, e := range ix.columns.elements {
		if position, found := ix.hardTaintOf(e); found && ix.taints.At(position).column != 0 {
			ix.taints.Edit(position).column = 0
		}
	}
	for i, e := range common {
		position, _ := ix.hardTaintOf(e)
		ix.taints.Edit(position).column = candidateColumns + uint32(i)
	}
	ix.columns.elements, ix.blocks, ix.columns.aligned = common, cow.Vector[block]{}, cow.Vector[aligned]{}
	for position := cleanSet + 1; int(position) < ix.sets.sets.Len(); position++ {
		if ix.sets.sets.At(position).shape != 0 {
			ix.rewatch(position)
			if len(common) > 0 {
				ix.addToColumns(position)
			}
		}
	}
	ix.alignAll()
	ix.columns.changes = 0
}

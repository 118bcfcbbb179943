package index

import (
	"math/bits"

	"github.com/tolero-dev/tolero/compile"
)

// A set is found by a taint that it has, of which it watches the one that the fewest sets
// have: a pod that does not tolerate that does not fit. Who tolerates all of that taint's
// effect needs to tolerate only the others, so a set with both effects also watches the
// rarest with the other one.

// watches is the sets of a base by the taints that they watch.
type watches struct {
	hard   []compile.TaintID // the hard taints of the sets
	rarest watchers
	other  watchers // by the rarest with the other effect
}

// watchers is places by the hard index of a taint.
type watchers struct {
	start  []uint32 // one more at the end
	places []uint32
}

// of returns the places of the sets that watch a taint.
func (w *watchers) of(id compile.TaintID) []uint32 {
	if i := hardIndex(id); i+1 < len(w.start) {
		return w.places[w.start[i]:w.start[i+1]]
	}
	return nil
}

// newWatches finds what each set watches, by how many sets have each of the hard taints.
func newWatches(b *base, uses []uint32, hard []compile.TaintID) (w watches) {
	w.hard = hard
	places := len(b.split)
	watched := make([]uint32, 2*places) // the hard indexes, or none
	rarest, other := watched[:places], watched[places:]
	for place := range places {
		x := rarestOf(b.taints[b.start[place]:b.split[place]], uses)
		y := rarestOf(b.taints[b.split[place]:b.start[place+1]], uses)
		if x == none || y != none && uses[y] < uses[x] {
			x, y = y, x
		}
		rarest[place], other[place] = x, y
	}
	w.rarest, w.other = newWatchers(rarest), newWatchers(other)
	return w
}

// rarestOf returns the hard index of the taint that the fewest sets have.
func rarestOf(taints []compile.TaintID, uses []uint32) (rarest uint32) {
	rarest = none
	for _, id := range taints {
		if i := uint32(hardIndex(id)); rarest == none || uses[i] < uses[rarest] {
			rarest = i
		}
	}
	return rarest
}

// newWatchers sorts places by what they watch.
func newWatchers(watched []uint32) (w watchers) {
	indexes := uint32(0)
	for _, i := range watched {
		indexes = max(indexes, i+1) // zero for none
	}
	w.start = make([]uint32, indexes+1)
	for _, i := range watched {
		if i != none {
			w.start[i]++
		}
	}
	sum := uint32(0)
	for i, n := range w.start {
		sum += n
		w.start[i] = sum // where the next one ends
	}
	w.places = make([]uint32, sum)
	for place := len(watched) - 1; place >= 0; place-- {
		if i := watched[place]; i != none {
			w.start[i]--
			w.places[w.start[i]] = uint32(place)
		}
	}
	return w
}

// columns is a bit for each place of a base for each common taint: a taint that many sets
// have leads to too many of them, but if a pod does not tolerate it, rules them out.
type columns struct {
	common   []compile.TaintID
	bits     [][]uint64           // by common taint: the sets that have it
	decisive [wholesales][]uint64 // the sets all of whose taints are common, of those that are not tolerated wholesale
}

// A taint is common if it is in one of commonShare sets, and there are so many of these
// that columns pay.
const commonShare, fewSets = 128, 256

func newColumns(b *base, uses []uint32) (c columns) {
	places := len(b.split)
	if places < fewSets {
		return c
	}
	words := (places + 63) / 64
	for _, id := range b.hard {
		if int(uses[hardIndex(id)]) >= max(16, places/commonShare) {
			c.common, c.bits = append(c.common, id), append(c.bits, make([]uint64, words))
		}
	}
	if len(c.common) == 0 {
		return c
	}
	columnOf := make([]uint32, len(uses)) // by hard index, plus one
	for at, id := range c.common {
		columnOf[hardIndex(id)] = uint32(at + 1)
	}
	for place := range uint32(places) {
		for _, id := range b.of(place, 0) {
			if at := columnOf[hardIndex(id)]; at != 0 {
				c.bits[at-1][place/64] |= 1 << (place % 64)
			}
		}
	}
	for whole := range c.decisive {
		c.decisive[whole] = make([]uint64, words)
		for place := range uint32(places) {
			common := true
			for _, id := range b.of(place, wholesale(whole)) {
				common = common && columnOf[hardIndex(id)] != 0
			}
			if common {
				c.decisive[whole][place/64] |= 1 << (place % 64)
			}
		}
	}
	return c
}

// countBits returns the number of bits in words.
func countBits(words []uint64) (n int) {
	for _, word := range words {
		n += bits.OnesCount64(word)
	}
	return n
}

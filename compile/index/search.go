package index

import (
	"math/bits"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
)

// There are two ways to the sets that fit, beside those that do wholesale. One follows the
// watches of the taints that the pod tolerates, and tests the rest of each set. The other
// rules out the sets in the columns of common taints that it does not tolerate, and tests
// those that are left. Each pod takes the one that looks at less.

// search finds the sets that fit, of those that do not wholesale.
func (f *Fit) search() {
	if f.to-f.from <= 64 {
		f.testPlaces()
		return
	}
	watchers, known := f.reach()
	words := int(f.to-f.from) / 64
	if known && watchers <= words/16+len(f.base.common)/4 {
		f.follow()
		return
	}
	refused := f.refused()
	if known && 16*watchers <= words*(1+refused) {
		f.follow()
		return
	}
	if f.ruleOut(); known && f.left() > watchers {
		f.places = f.places[:0]
		f.follow()
		return
	}
	f.testLeft()
}

// needed returns the effects that are not tolerated wholesale.
func (f *Fit) needed() taint.EffectSet {
	effects := taint.Hard
	if f.whole&wholeSchedule != 0 {
		effects &^= taint.NoSchedule.Set()
	}
	if f.whole&wholeExecute != 0 {
		effects &^= taint.NoExecute.Set()
	}
	return effects
}

// testPlaces tests every set.
func (f *Fit) testPlaces() {
	for place := f.from; place < f.to; place++ {
		if f.fits(f.base.of(place, f.whole)) {
			f.add(place)
		}
	}
}

// add takes in a set that fits.
func (f *Fit) add(place uint32) {
	f.sets = append(f.sets, place)
	f.nodes += int(f.base.first[place+1] - f.base.first[place])
}

// reach finds the taints that are tolerated and watched, and returns by how many sets. It
// gives up if there is more to look at than sets.
func (f *Fit) reach() (watchers int, known bool) {
	needed, b := f.needed(), f.base
	f.reached = f.reached[:0]
	if len(b.hard) <= 4*len(f.matcher.Tolerations()) {
		f.step(len(b.hard))
		for _, id := range b.hard {
			if id.Effects()&needed != 0 && f.matcher.Tolerates(id) {
				f.reached = append(f.reached, id)
			}
		}
	} else if f.reached, known = f.matcher.AppendToleratedWithin(f.reached, needed, len(b.split)/8+4*len(f.matcher.Tolerations())+64); !known {
		f.step(len(b.split) / 8)
		return 0, false
	}
	watched := f.reached[:0]
	for _, id := range f.reached {
		n := len(b.rarest.of(id))
		if f.whole != 0 {
			n += len(b.other.of(id))
		}
		if n > 0 {
			watched = append(watched, id)
			watchers += n
		}
	}
	f.step(len(f.reached))
	f.reached = watched
	return watchers, true
}

// follow tests the sets that watch what is reached.
func (f *Fit) follow() {
	for _, id := range f.reached {
		f.visit(id, f.base.rarest.of(id))
		if f.whole != 0 {
			f.visit(id, f.base.other.of(id))
		}
	}
}

// visit tests sets that have a taint which is tolerated.
func (f *Fit) visit(tolerated compile.TaintID, places []uint32) {
	f.step(len(places))
	for _, place := range places {
		if taints := f.base.of(place, f.whole); len(taints) == 1 || f.fits(taints) {
			f.add(place)
		}
	}
}

// refused returns how many common taints are not tolerated, and puts their columns where
// ruleOut finds them.
func (f *Fit) refused() int {
	f.columns = f.columns[:0]
	needed := f.needed()
	f.step(len(f.base.common))
	for i, id := range f.base.common {
		if id.Effects()&needed != 0 && !f.matcher.Tolerates(id) {
			f.columns = append(f.columns, f.base.bits[i])
		}
	}
	return len(f.columns)
}

// ruleOut makes places the sets that no column rules out.
func (f *Fit) ruleOut() {
	n := (len(f.base.split) + 63) / 64
	f.places = append(f.places, make([]uint64, n)...)
	fill(f.places, f.from, f.to)
	left := f.places
	columns := f.columns
	for ; len(columns) >= 4; columns = columns[4:] {
		a, b, c, d := columns[0][:n], columns[1][:n], columns[2][:n], columns[3][:n]
		for i := range left {
			left[i] &^= a[i] | b[i] | c[i] | d[i]
		}
	}
	for _, a := range columns {
		for i, word := range a[:n] {
			left[i] &^= word
		}
	}
	f.step(n * (1 + len(f.columns)))
}

// left returns how many sets are to be tested, because not all of their taints are common.
func (f *Fit) left() (n int) {
	if len(f.base.common) == 0 {
		return countBits(f.places)
	}
	decisive := f.base.decisive[f.whole]
	for i, word := range f.places {
		n += bits.OnesCount64(word &^ decisive[i])
	}
	return n
}

// testLeft tests the sets in places, but for those all of whose taints are common.
func (f *Fit) testLeft() {
	b := f.base
	for i, word := range f.places {
		test := word
		if len(b.common) > 0 {
			test &^= b.decisive[f.whole][i]
		}
		for ; test != 0; test &= test - 1 {
			bit := test & -test
			place := uint32(i*64 + bits.TrailingZeros64(test))
			if !f.fits(b.of(place, f.whole)) {
				word &^= bit
			}
		}
		f.places[i] = word
		f.nodes += b.nodesOf(i, word)
	}
}

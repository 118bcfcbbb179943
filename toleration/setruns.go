package toleration

import (
	"math"
	"slices"
)

// run is a range of integers that is not empty; both ends belong to it.
type run struct{ lo, hi int64 }

// everyInteger is the range of all integers.
var everyInteger = run{math.MinInt64, math.MaxInt64}

func (r run) contains(q run) bool   { return r.lo <= q.lo && q.hi <= r.hi }
func (r run) intersects(q run) bool { return r.lo <= q.hi && q.lo <= r.hi }

// runs is a set of integers: runs in ascending order of which no two overlap or
// touch.
type runs []run

// next returns the first run that ends at n or later.
func (rs runs) next(n int64) (r run, found bool) {
	i, _ := slices.BinarySearchFunc(rs, n, func(r run, n int64) int {
		if r.hi < n {
			return -1
		}
		return 1
	})
	if i == len(rs) {
		return run{}, false
	}
	return rs[i], true
}

// find returns the run that holds n.
func (rs runs) find(n int64) (r run, found bool) {
	r, found = rs.next(n)
	return r, found && r.lo <= n
}

// add adds r, which must not start before the last run.
func (rs runs) add(r run) runs {
	if n := len(rs); n > 0 && rs[n-1].reaches(r) {
		rs[n-1].hi = max(rs[n-1].hi, r.hi)
		return rs
	}
	return append(rs, r)
}

// reaches reports whether q, which does not start before r, overlaps or touches
// it.
func (r run) reaches(q run) bool {
	return q.lo <= r.hi || q.lo-1 == r.hi
}

// layers are the up to four cells of a set that say which values are tolerated
// for a key and an effect: those for any key, for the key, for any effect and
// for the effect.
type layers struct {
	cells [4]*cell
	count int
	steps int // lookups of an integer in a cell, for tests of the growth
}

func (l *layers) push(c *cell) {
	if c != nil {
		l.cells[l.count] = c
		l.count++
	}
}

// every reports whether every value is tolerated.
func (l *layers) every() bool {
	for _, c := range l.cells[:l.count] {
		if c.every {
			return true
		}
	}
	return false
}

// word reports whether w, which is no integer, is tolerated as a value. It does
// not look at cells for every value.
func (l *layers) word(w string) bool {
	for _, c := range l.cells[:l.count] {
		if _, found := slices.BinarySearch(c.words, w); found {
			return true
		}
	}
	return false
}

// find returns the run of some cell that holds n.
func (l *layers) find(n int64) (r run, found bool) {
	for _, c := range l.cells[:l.count] {
		l.steps++
		if r, found = c.runs.find(n); found {
			return r, true
		}
	}
	return run{}, false
}

// up returns the last of the integers after n that are tolerated without a gap,
// or n.
func (l *layers) up(n int64) int64 {
	for n < math.MaxInt64 {
		r, found := l.find(n + 1)
		if !found {
			break
		}
		n = r.hi
	}
	return n
}

// down is up in the other direction.
func (l *layers) down(n int64) int64 {
	for n > math.MinInt64 {
		r, found := l.find(n - 1)
		if !found {
			break
		}
		n = r.lo
	}
	return n
}

// firstGap returns the least integer of r that is not tolerated.
func (l *layers) firstGap(r run) (n int64, found bool) {
	if _, found := l.find(r.lo); !found {
		return r.lo, true
	}
	end := l.up(r.lo)
	return end + 1, end < r.hi
}

// lastGap returns the greatest integer of r that is not tolerated, which means nothing
// if there is none.
func (l *layers) lastGap(r run) int64 {
	if _, found := l.find(r.hi); !found {
		return r.hi
	}
	return l.down(r.hi) - 1
}

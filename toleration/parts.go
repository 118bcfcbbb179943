package toleration

import (
	"cmp"
	"math"
	"slices"
)

// firstPart is a part of the integers, from lo up to the next part.
type firstPart struct {
	lo    int64
	first int
}

// newParts cuts the integers at both ends of each of numbers. Each of these is a
// single integer, or reaches exactly one end of the range of integers. rest is the
// first match where none of them matches.
func newParts(numbers []placed, rest int) []firstPart {
	starts := startsOf(numbers)
	parts, up, down := make([]firstPart, len(starts)), fill(len(starts)), fill(len(starts))
	for i, lo := range starts {
		parts[i] = firstPart{lo, rest}
	}
	for i := range numbers {
		r, position := numbers[i].values.run, numbers[i].position
		first := partOf(parts, r.lo)
		switch {
		case r.hi == math.MaxInt64:
			up[first] = min(up[first], position)
		case r.lo == math.MinInt64:
			last := partOf(parts, r.hi)
			down[last] = min(down[last], position)
		default:
			parts[first].first = min(parts[first].first, position)
		}
	}
	spread(parts, up, down)
	return parts
}

// startsOf returns where parts begin, in ascending order.
func startsOf(numbers []placed) []int64 {
	starts := []int64{math.MinInt64}
	for i := range numbers {
		r := numbers[i].values.run
		starts = append(starts, r.lo)
		if r.hi < math.MaxInt64 {
			starts = append(starts, r.hi+1)
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// spread takes into account the tolerations that match a part and all after it, up,
// or all before it, down.
func spread(parts []firstPart, up, down []int) {
	upwards, downwards := none, none
	for i := range parts {
		upwards = min(upwards, up[i])
		parts[i].first = min(parts[i].first, upwards)
	}
	for i := range slices.Backward(parts) {
		downwards = min(downwards, down[i])
		parts[i].first = min(parts[i].first, downwards)
	}
}

// fill returns n times none.
func fill(n int) []int {
	return slices.Repeat([]int{none}, n)
}

// partOf returns the index of the part that n lies in.
func partOf(parts []firstPart, n int64) int {
	i, found := slices.BinarySearchFunc(parts, n, func(p firstPart, n int64) int { return cmp.Compare(p.lo, n) })
	if !found {
		i-- // the first part starts at the least integer
	}
	return i
}

// all returns the parts of all integers; there is at least one.
func (r *row) all() []firstPart {
	if len(r.parts) > 0 {
		return r.parts
	}
	return []firstPart{{math.MinInt64, r.rest}}
}

// runOf returns the integers of the part with index i.
func runOf(parts []firstPart, i int) run {
	if i+1 == len(parts) {
		return run{parts[i].lo, math.MaxInt64}
	}
	return run{parts[i].lo, parts[i+1].lo - 1}
}

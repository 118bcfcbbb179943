package explain

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// nowhere is the index of no toleration. It is after all others.
const nowhere = math.MaxInt

// finder finds the first of some tolerations of a list that tolerates a taint, whatever
// their effects and that of the taint: as match does, but in log n steps.
type finder struct {
	indexes []int            // in the list, in the order that counts; the others have positions in it
	same    map[reading]int  // the first that matches the value, or every value
	above   map[string][]end // by key, those that match the integers from an end on
	below   map[string][]end // and up to one
}

// reading is the key of some tolerations, and the values that each of them matches.
type reading struct {
	key    string
	values toleration.Values
}

// end is the least integer that the toleration at a position matches, or the greatest. Each
// in a list comes before those at its left, and matches less.
type end struct {
	n        int64
	position int
}

// newFinder returns a finder of the tolerations with the given indexes, in the
// order that counts.
func newFinder(list []toleration.Toleration, indexes []int) finder {
	f := finder{indexes, make(map[reading]int), make(map[string][]end), make(map[string][]end)}
	for position, i := range slices.Backward(indexes) {
		key, v := list[i].Key, list[i].Values()
		switch v.Kind {
		case toleration.IntegersAbove:
			f.above[key] = append(while(f.above[key], func(n int64) bool { return n < v.Bound }), end{v.Bound, position})
		case toleration.IntegersBelow:
			f.below[key] = append(while(f.below[key], func(n int64) bool { return n > v.Bound }), end{v.Bound, position})
		case toleration.EveryValue, toleration.OneValue:
			f.same[reading{key, v}] = position
		}
	}
	return f
}

// first returns the index in the list of the first toleration that tolerates a
// taint with the key and value of x, or nowhere.
func (f *finder) first(x *taint.Taint) int {
	first := nowhere
	for _, key := range [...]string{"", x.Key} {
		every := toleration.Values{Kind: toleration.EveryValue}
		one := toleration.Values{Kind: toleration.OneValue, Value: x.Value}
		first = min(first, at(f.same, reading{key, every}), at(f.same, reading{key, one}))
		if n, err := strconv.ParseInt(x.Value, 10, 64); err == nil && strconv.FormatInt(n, 10) == x.Value { // N2
			first = min(first, last(while(f.above[key], func(bound int64) bool { return bound < n })),
				last(while(f.below[key], func(bound int64) bool { return bound > n })))
		}
	}
	if first == nowhere {
		return nowhere
	}
	return f.indexes[first]
}

// while returns the ends that is holds for, which come before the others.
func while(ends []end, is func(n int64) bool) []end {
	return ends[:sort.Search(len(ends), func(i int) bool { return !is(ends[i].n) })]
}

// last returns the position of the last of the ends, or nowhere.
func last(ends []end) int {
	if len(ends) == 0 {
		return nowhere
	}
	return ends[len(ends)-1].position
}

// finders does the same and minds the effects. Tolerations with the same effect
// have a finder of their own.
type finders map[taint.Effect]finder

// newFinders needs ascending indexes.
func newFinders(list []toleration.Toleration, indexes []int) finders {
	byEffect := make(map[taint.Effect][]int)
	for _, i := range indexes {
		byEffect[list[i].Effect] = append(byEffect[list[i].Effect], i)
	}
	fs := make(finders, len(byEffect))
	for effect, indexes := range byEffect {
		fs[effect] = newFinder(list, indexes)
	}
	return fs
}

// first returns the index of the first toleration that tolerates x, or nowhere.
func (fs finders) first(x *taint.Taint) int {
	exact, every := fs[x.Effect], fs[""]
	return min(exact.first(x), every.first(x))
}

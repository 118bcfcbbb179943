package lint

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// place is a key and an effect. Where a toleration looks, an empty one is every one.
type place struct {
	key    string
	effect taint.Effect
}

// around returns the places where a toleration looks that can match a taint there.
func (p place) around() [4]place {
	return [...]place{p, {p.key, ""}, {"", p.effect}, {"", ""}}
}

// sighting is a taint and the groups of nodes that have it.
type sighting struct {
	taint taint.Taint
	spots []spot
}

// spot is where a group of nodes has a taint for the first time.
type spot struct {
	group int // in fleet.nodes
	index int // in its list
}

// occupants are the values of the taints at a place.
type occupants struct {
	values     map[string]bool
	least      int64 // of the integers
	greatest   int64
	hasInteger bool
	first      *sighting
}

func (o *occupants) add(s *sighting) {
	if o.values == nil {
		o.values, o.first = make(map[string]bool), s
	}
	o.values[s.taint.Value] = true
	if n, is := integer(s.taint.Value); is {
		if !o.hasInteger {
			o.least, o.greatest, o.hasInteger = n, n, true
		}
		o.least, o.greatest = min(o.least, n), max(o.greatest, n)
	}
}

// have reports whether one of the values is in the set.
func (o *occupants) have(v toleration.Values) bool {
	switch v.Kind {
	case toleration.EveryValue:
		return len(o.values) > 0
	case toleration.OneValue:
		return o.values[v.Value]
	case toleration.IntegersAbove:
		return o.hasInteger && o.greatest > v.Bound
	case toleration.IntegersBelow:
		return o.hasInteger && o.least < v.Bound
	}
	return false
}

var nonNegative = toleration.Toleration{Operator: toleration.OpGt, Value: "-1"}
var negative = toleration.Toleration{Operator: toleration.OpLt, Value: "0"}

// integer returns the number that Gt and Lt compare, and whether the value is one (rule
// N2).
func integer(value string) (n int64, is bool) {
	if !nonNegative.Values().Contains(value) && !negative.Values().Contains(value) {
		return 0, false
	}
	n, _ = strconv.ParseInt(value, 10, 64)
	return n, true
}

// site is the hard taints with one key and effect, for finding those that a list does not
// tolerate without looking at all that it does.
type site struct {
	place
	integers []numbered // ascending
	others   []*sighting
}

type numbered struct {
	number int64
	*sighting
}

func (s *site) add(x *sighting) {
	if n, is := integer(x.taint.Value); is {
		s.integers = append(s.integers, numbered{n, x})
	} else {
		s.others = append(s.others, x)
	}
}

func (s *site) sort() {
	slices.SortStableFunc(s.integers, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
}

// reach is what a list of tolerations reaches at a place by tolerations that match more
// than one value: all, or the integers above and below the bounds.
type reach struct {
	all          bool
	above, below int64
}

// noReach is the reach of no toleration. It is only copied.
var noReach = reach{above: math.MaxInt64, below: math.MinInt64}

func (r *reach) add(v toleration.Values) {
	switch v.Kind {
	case toleration.EveryValue:
		r.all = true
	case toleration.IntegersAbove:
		r.above = min(r.above, v.Bound)
	case toleration.IntegersBelow:
		r.below = max(r.below, v.Bound)
	}
}

func (r *reach) join(o *reach) {
	r.all = r.all || o.all
	r.above, r.below = min(r.above, o.above), max(r.below, o.below)
}

// beyond iterates over the taints of the site whose integers the reach leaves out, and then
// over those whose values are no integers.
func (s *site) beyond(r *reach) iter.Seq[*sighting] {
	return func(yield func(*sighting) bool) {
		for _, x := range s.integersBeyond(r) {
			if !yield(x.sighting) {
				return
			}
		}
		for _, x := range s.others {
			if !yield(x) {
				return
			}
		}
	}
}

// integersBeyond returns the integers of the site that the reach leaves out. The site has each
// integer once.
func (s *site) integersBeyond(r *reach) []numbered {
	byNumber := func(x numbered, n int64) int { return cmp.Compare(x.number, n) }
	from, _ := slices.BinarySearchFunc(s.integers, r.below, byNumber)
	to, found := slices.BinarySearchFunc(s.integers, r.above, byNumber)
	if found {
		to++
	}
	return s.integers[min(from, to):to]
}

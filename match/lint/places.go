package lint

import (
	"cmp"
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
func (p place) around() []place {
	return []place{p, {p.key, ""}, {"", p.effect}, {"", ""}}
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
	values map[string]bool
	first  *sighting
}

func (o *occupants) add(s *sighting) {
	if o.values == nil {
		o.values, o.first = make(map[string]bool), s
	}
	o.values[s.taint.Value] = true
}

// have reports whether the toleration matches one of the values.
func (o *occupants) have(t *toleration.Toleration) bool {
	if v := t.Values(); v.Kind == toleration.OneValue {
		return o.values[v.Value]
	}
	for value := range o.values {
		if (toleration.Rules{Comparisons: true}).Holds(t.Operator, value, t.Value) {
			return true
		}
	}
	return false
}

// integer returns the number that Gt and Lt compare, and whether the value is one (rule
// N2).
func integer(value string) (n int64, is bool) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != value {
		return 0, false
	}
	return n, true
}

// site is the hard taints with one key and effect: first those with integers, in ascending order.
type site struct {
	place
	taints []*sighting
}

func (s *site) sort() {
	slices.SortStableFunc(s.taints, func(a, b *sighting) int {
		n, first := integer(a.taint.Value)
		m, second := integer(b.taint.Value)
		return cmp.Or(count(second)-count(first), cmp.Compare(n, m))
	})
}

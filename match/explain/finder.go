package explain

import (
	"math"

	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// nowhere is the index of no toleration. It is after all others.
const nowhere = math.MaxInt

// finder finds the first of some tolerations of a list that tolerates a taint. It looks at those
// with the key of the taint and those without a key, of which it leaves out the ones that differ
// from an earlier one in their seconds alone.
type finder struct {
	list    []toleration.Toleration
	indexes []int            // in the list, in the order that counts
	byKey   map[string][]int // positions in indexes, ascending
}

// newFinder returns a finder of the tolerations with the given indexes, in the order that counts.
func newFinder(list []toleration.Toleration, indexes []int) finder {
	f := finder{list, indexes, make(map[string][]int)}
	known := make(map[toleration.Toleration]bool)
	for position, i := range indexes {
		t := list[i]
		t.TolerationSeconds = nil
		if !known[t] {
			known[t] = true
			f.byKey[t.Key] = append(f.byKey[t.Key], position)
		}
	}
	return f
}

// first returns the index in the list of the first toleration that tolerates x, or nowhere.
func (f *finder) first(x *taint.Taint) int {
	first := nowhere
	for _, key := range [...]string{"", x.Key} {
		for _, position := range f.byKey[key] {
			if position < first && f.list[f.indexes[position]].Tolerates(x, comparing) {
				first = position
				break
			}
		}
	}
	if first == nowhere {
		return nowhere
	}
	return f.indexes[first]
}

// indexes returns those of the tolerations that suit.
func (q *Query) indexes(suits func(*toleration.Toleration) bool) []int {
	var indexes []int
	for i := range q.Tolerations {
		if suits(&q.Tolerations[i]) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// counting returns a finder of the tolerations that count.
func (q *Query) counting() finder {
	return newFinder(q.Tolerations, q.indexes(func(t *toleration.Toleration) bool { return counts(q.Rules, t) }))
}

// misses finds for a taint that none tolerates the toleration that nearly does.
type misses struct {
	*Query
	all       finder
	spellings spelling.Keys
}

func newMisses(q *Query) *misses {
	m := &misses{Query: q, all: newFinder(q.Tolerations, q.indexes(func(*toleration.Toleration) bool { return true }))}
	for i := range q.Tolerations {
		m.spellings.Add(q.Tolerations[i].Key)
	}
	return m
}

// nearest returns the index of the toleration that comes nearest to tolerating x, or nowhere; see
// [Reason] for what is near.
func (m *misses) nearest(x *taint.Taint) int {
	key := x.Key
	if key == "" || m.all.byKey[key] == nil {
		key, _ = m.spellings.Nearest(x.Key)
	}
	nearest, least := nowhere, Mismatch(0)
	for _, i := range m.all.byKey[key] {
		d := mismatchOf(m.Rules, &m.Tolerations[i], x) &^ KeyDiffers
		if rank := d.rank(); nearest == nowhere || rank < least {
			nearest, least = i, rank
		}
	}
	return nearest
}

package toleration

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// Grants says how long a list of tolerations lets a pod stay on a node for each
// NoExecute taint: for the seconds of the first toleration that matches the taint
// (rule E2). The order of the list decides these seconds and nothing else. [Set] and
// Grants together are all that the list means; [Equivalent] compares both.
//
// Lists with equal grants give the same eviction delay for every list of taints.
// Zero seconds, negative seconds and no toleration at all are equal here, because
// each evicts at once; and all seconds beyond the longest [time.Duration] are equal
// (rule E3).
//
// The zero Grants is that of an empty list. A Grants does not change; a copy
// shares its memory, and concurrent use is safe. It retains the strings of the
// tolerations that it was made of and nothing else. It takes memory proportional to
// the length of the list.
//
// A method takes n log n steps at most, unless documented otherwise; for two Grants,
// n is the sum. So that this is true of lists that no API server accepts, crossings
// are limited to 65,536: that is the number of values of tolerations with an empty
// key that are not Exists, two for a Gt or Lt, times the number of keys that are
// named. Beyond that, Equal and the signatures compare how the lists are written, so
// that two that mean the same may differ; Covers is true only of equals; and Minus may
// miss a taint.
type Grants struct {
	firsts  firsts
	order   []int   // the index in the list by position
	seconds []int64 // by position, from 0 to maxSeconds or forever
}

const (
	maxDelay   = time.Duration(math.MaxInt64)
	maxSeconds = int64(maxDelay/time.Second) + 1 // more are not told apart
	forever    = math.MaxInt64
)

// NewGrants returns the grants of tolerations under Kubernetes' rule: for each taint
// the first toleration of the list that matches it counts. Gt and Lt count like any
// other operator; for a default cluster pass the list of [Rules.Active]. Duplicates
// and invalid tolerations are allowed. It takes n log n steps.
func NewGrants(tolerations []Toleration) Grants {
	return newGrants(tolerations, indexes(len(tolerations)))
}

// NewLenientGrants returns the grants of tolerations under the most lenient rule:
// for each taint, of the tolerations that match it, the one with the most seconds
// counts, and of several such the first. It takes n log n steps.
func NewLenientGrants(tolerations []Toleration) Grants {
	return newGrants(tolerations, lenientOrder(tolerations))
}

// lenientOrder returns the indexes of tolerations in descending order of their
// seconds; those with as many seconds keep their order.
func lenientOrder(tolerations []Toleration) []int {
	order := indexes(len(tolerations))
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(tolerations[j].level(), tolerations[i].level())
	})
	return order
}

func newGrants(tolerations []Toleration, order []int) Grants {
	g := Grants{newFirsts(tolerations, order, taint.NoExecute), order, make([]int64, len(order))}
	for position, i := range order {
		g.seconds[position] = tolerations[i].level()
	}
	return g
}

// indexes returns the integers from 0 up to n.
func indexes(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// level returns the seconds, equal where Grants makes no difference.
func (t *Toleration) level() int64 {
	if t.TolerationSeconds == nil {
		return forever
	}
	return min(max(0, *t.TolerationSeconds), maxSeconds)
}

// First returns the index, in the list that g was made of, of the toleration that
// counts for x, and whether there is one. There is none if x is not tolerated or
// if its effect is not NoExecute. First takes log n steps and does not allocate.
func (g Grants) First(x *taint.Taint) (index int, found bool) {
	first := g.firsts.first(x.Key, x.Value)
	if x.Effect != taint.NoExecute || first >= len(g.seconds) {
		return 0, false
	}
	return g.order[first], true
}

// Delay returns whether the taints evict a pod with these tolerations, and after
// what time, counted from when the taints are noticed. Its answers are those of
// EvictionDelay in package match (rules E1 to E3). It takes log n steps for each
// taint and does not allocate.
func (g Grants) Delay(taints []taint.Taint) (after time.Duration, evicted bool) {
	least := int64(forever)
	for i := range taints {
		if x := &taints[i]; x.Effect == taint.NoExecute { // E1
			least = min(least, g.level(x.Key, x.Value))
		}
	}
	switch {
	case least == forever:
		return 0, false
	case least == maxSeconds: // E3
		return maxDelay, true
	}
	return time.Duration(least) * time.Second, true
}

// level returns the seconds for NoExecute taints with key and value, zero if they
// are not tolerated.
func (g *Grants) level(key, value string) int64 {
	return g.levelOf(g.firsts.first(key, value))
}

// levelOf returns the seconds of the toleration at position first, zero if there
// is none, as in the zero Grants.
func (g *Grants) levelOf(first int) int64 {
	if first >= len(g.seconds) {
		return 0
	}
	return g.seconds[first]
}

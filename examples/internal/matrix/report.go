package matrix

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/match"
)

// report is the result of a sweep.
type report struct {
	title string
	notes []string
	fleet *fleet

	rows  []row // one for each class of pods, in their order
	total tally // in pairs of a pod and a node

	devices *deviceReport // nil if the input has none
}

// row is the result for the pods with one toleration list.
type row struct {
	*podClass
	tally              // in nodes
	reasons []reason   // why nodes refuse, the most frequent first
	others  others     // the reasons that are not listed
	soft    []quantity // nodes to be avoided, by number of untolerated soft taints
}

// tally counts pairs, or the nodes or pods of one list, by verdict.
type tally struct {
	free, avoid, refused int64      // what the scheduler says; they add up to all
	evictNow             int64      // where a running pod would be evicted at once
	evictAfter           []quantity // and after a time: after is the time in nanoseconds
}

// quantity is how many there are of something that has a number.
type quantity struct {
	of, n int64
}

// reason is how many nodes refuse because of one taint, the first one that is
// not tolerated. Its effect does not count, as in a scheduler's message.
type reason struct {
	key, value string
	nodes      int64
}

// others is a number of reasons taken together.
type others struct {
	taints, nodes int64
}

// count counts n more nodes with an answer, which may be negative.
func (r *row) count(a *answer, n int64) {
	r.tally.add(a.Verdict, n)
	if a.Scheduling == match.Avoid {
		r.soft = addQuantity(r.soft, a.soft, n)
	}
}

// add counts n more with the verdict v.
func (t *tally) add(v match.Verdict, n int64) {
	switch v.Scheduling {
	case match.Schedulable:
		t.free += n
	case match.Avoid:
		t.avoid += n
	default:
		t.refused += n
	}
	switch v.Eviction {
	case match.EvictNow:
		t.evictNow += n
	case match.EvictAfter:
		t.evictAfter = addQuantity(t.evictAfter, int64(v.After), n)
	}
}

// addTimes adds u, n times.
func (t *tally) addTimes(u *tally, n int64) {
	t.free += n * u.free
	t.avoid += n * u.avoid
	t.refused += n * u.refused
	t.evictNow += n * u.evictNow
	for _, q := range u.evictAfter {
		t.evictAfter = addQuantity(t.evictAfter, q.of, n*q.n)
	}
}

// later is the number of those evicted after a time.
func (t *tally) later() int64 {
	var n int64
	for _, q := range t.evictAfter {
		n += q.n
	}
	return n
}

// addQuantity adds n to the quantity of a number, and leaves it out when it comes
// to zero; the list is kept in order.
func addQuantity(list []quantity, of, n int64) []quantity {
	i, found := slices.BinarySearchFunc(list, of, func(q quantity, of int64) int { return cmp.Compare(q.of, of) })
	if !found {
		list = slices.Insert(list, i, quantity{of: of})
	}
	if list[i].n += n; list[i].n == 0 {
		list = slices.Delete(list, i, i+1)
	}
	return list
}

// pairs is the number of pairs of a pod and a node.
func (r *report) pairs() int64 { return r.fleet.podCount * r.fleet.nodeCount }

// listPairs is the number of pairs of lists.
func (r *report) listPairs() int64 { return int64(len(r.fleet.pods)) * int64(len(r.fleet.nodes)) }

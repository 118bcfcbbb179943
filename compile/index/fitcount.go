package index

import (
	"iter"
	"math"

	"github.com/tolero-dev/tolero/compile/internal/bits"
)

// FitCount is how many nodes a class of pods has gained, which fit it now and did not before,
// and how many it has lost (rule F2). The zero FitCount counts none. It is plain data.
type FitCount struct{ Gained, Lost uint32 }

// NodesUpdated counts which classes of pods gain and lose some nodes whose taints change in
// the same way: these nodes keep the taints of the rows in kept, lose those in removed, and
// get those in added. [Tolerators.FitCounts] has the sums. The order of the rows does not
// matter, and a row may be repeated or be in several lists. It retains none of the lists.
// A negative number of nodes counts as zero. All calls since [Tolerators.ClearCounts]
// together count at most 2^32-1 nodes; nodes beyond that are left out.
//
// No class loses a node that gets no hard taint, and none gains a node that loses none.
// To find who loses nodes, NodesUpdated asks the classes one by one if only a few tolerate
// one of the taints that the nodes had, and to find who gains them, if only a few tolerate
// one of the taints that the nodes then have. Otherwise it looks at a word for each 64
// classes and each taint; the first time, also at each toleration with Gt or Lt for the keys
// of these taints.
func (t *Tolerators) NodesUpdated(kept, removed, added []TaintRow, nodes int) {
	n := t.take(nodes)
	t.steps += 1 + len(kept) + len(removed) + len(added)
	if n == 0 {
		return
	}
	if hasHard(added) {
		t.countWho(kept, removed, added, n, false)
	}
	if hasHard(removed) {
		t.countWho(kept, added, removed, n, true)
	}
}

// NodesAdded counts which classes of pods gain some new nodes: those that tolerate the taints
// of all the rows, which the nodes have. If there are none, every class that has pods gains
// them. Everything else is as for [Tolerators.NodesUpdated].
func (t *Tolerators) NodesAdded(taints []TaintRow, nodes int) {
	t.steps += 1 + len(taints)
	if n := t.take(nodes); n > 0 {
		t.countWho(taints, nil, nil, n, true)
	}
}

// take returns how many of some nodes can still be counted, and sets them aside.
func (t *Tolerators) take(nodes int) uint32 {
	n := uint32(min(uint64(max(nodes, 0)), uint64(t.left)))
	t.left -= n
	return n
}

// countWho counts nodes for the classes that tolerate all taints of two lists and, if the
// third has hard taints, not all of the third.
func (t *Tolerators) countWho(kept, others, refused []TaintRow, nodes uint32, gained bool) {
	if rarest := t.rarest(t.rarest(0, kept), others); rarest == 0 {
		t.countDense(kept, others, refused, nodes, gained)
	} else {
		t.countSparse(rarest, kept, others, refused, nodes, gained)
	}
}

// countSparse is countWho for the candidates of one of the rows.
func (t *Tolerators) countSparse(rarest TaintRow, kept, others, refused []TaintRow, nodes uint32, gained bool) {
	everybody := !hasHard(refused)
	for _, c := range t.candidatesOf(&t.rows[rarest]) {
		if !everybody && t.always.Has(c) { // it tolerates the refused taints too; most candidates often do
			continue
		}
		if t.tolerateAll(kept, c, rarest) && t.tolerateAll(others, c, rarest) && (everybody || !t.tolerateAll(refused, c, 0)) {
			if len(t.pending) == lookups {
				t.flush()
			}
			t.pending = append(t.pending, pending{c, nodes, gained})
		}
	}
}

// pending is some nodes that a class gains or loses, which are yet to be added to its counts.
type pending struct {
	class  PodClass
	nodes  uint32
	gained bool
}

// flush adds what is pending to the counts. The loop does little more than read and write, so
// that the processor waits for the memory of several classes at once.
func (t *Tolerators) flush() {
	for _, p := range t.pending {
		t.counts[p.class].add(p.nodes, p.gained)
		t.counted.Add(p.class)
	}
	t.pending = t.pending[:0]
}

func (c *FitCount) add(nodes uint32, gained bool) {
	if gained {
		c.Gained += nodes
	} else {
		c.Lost += nodes
	}
}

func hasHard(rows []TaintRow) bool {
	for _, row := range rows {
		if row != 0 {
			return true
		}
	}
	return false
}

// rarest returns the row with the fewest candidates, if these are few, or else zero. It
// prefers the given one.
func (t *Tolerators) rarest(rarest TaintRow, rows []TaintRow) TaintRow {
	for _, row := range rows {
		if row == 0 {
			continue
		}
		if n := t.estimateOf(&t.rows[row]); n >= 0 && (rarest == 0 || n < t.rows[rarest].estimate) {
			rarest = row
		}
	}
	return rarest
}

// tolerateAll reports whether a class tolerates the taints of all rows. It does not ask
// about the row sure, which the class is known to tolerate.
func (t *Tolerators) tolerateAll(rows []TaintRow, c PodClass, sure TaintRow) bool {
	for _, row := range rows {
		if row != 0 && row != sure && !t.has(&t.rows[row], c) {
			return false
		}
	}
	return true
}

// countDense is countWho for all classes at once.
func (t *Tolerators) countDense(kept, others, refused []TaintRow, nodes uint32, gained bool) {
	fitting := t.tolerating(&t.fitting, kept, others)
	if least := t.rarest(0, refused); hasHard(refused) && (least == 0 || t.rows[least].estimate > 0) { // otherwise no class tolerates them
		if fitting != &t.fitting { // AndNot writes to it, and denseOf may
			t.fitting.CopyFrom(fitting)
			fitting = &t.fitting
		}
		fitting.AndNot(t.tolerating(&t.both, refused))
	}
	counters := &t.losses
	if gained {
		counters = &t.gains
	}
	counters.Add(fitting, nodes)
	t.steps += 4 * t.words()
	t.together = true
}

// tolerating returns the classes that tolerate the taints of all rows of the lists. The result is
// s, or a set that must not be written to and is valid until the next call of this or of denseOf.
// Every class in the postings has pods, so live matters only where no row is hard.
func (t *Tolerators) tolerating(s *bits.Set[PodClass], lists ...[]TaintRow) *bits.Set[PodClass] {
	all := &t.pods.live
	for _, rows := range lists {
		for _, row := range rows {
			switch {
			case row == 0:
			case all == &t.pods.live:
				all = t.denseOf(&t.rows[row])
			default:
				if all != s {
					s.CopyFrom(all)
					all = s
				}
				s.And(t.denseOf(&t.rows[row]))
				t.steps += t.words()
			}
		}
	}
	return all
}

// ClearCounts sets all counts back to zero. The time is that of [Tolerators.FitCounts].
func (t *Tolerators) ClearCounts() {
	t.gather()
	for c := range t.counted.All() {
		t.counts[c] = FitCount{}
	}
	t.counted.Clear()
	t.left = math.MaxUint32
}

// FitCounts iterates over the classes that have gained or lost nodes, in ascending order,
// each with what the calls of [Tolerators.NodesUpdated] and [Tolerators.NodesAdded] have
// counted since [Tolerators.ClearCounts]. It must be over before the next call of one of
// these three. The time is proportional to the number of these classes, and to that of all
// classes if some call looked at all of them; otherwise, a word for each 64 classes is looked
// at.
func (t *Tolerators) FitCounts() iter.Seq2[PodClass, FitCount] {
	return func(yield func(PodClass, FitCount) bool) {
		t.gather()
		for c := range t.counted.All() {
			if !yield(c, t.counts[c]) {
				return
			}
		}
	}
}

// FitCount returns what [Tolerators.FitCounts] has for a class, and the zero FitCount for
// another one. The first call after [Tolerators.NodesUpdated] or [Tolerators.NodesAdded] may take
// the time of FitCounts; others take constant time.
func (t *Tolerators) FitCount(c PodClass) FitCount {
	t.gather()
	if !t.counted.Has(c) { // this is in a nearer cache than the counts
		return FitCount{}
	}
	return t.counts[c]
}

// gather adds what is pending, and what was counted 64 classes at a time, to the counts.
func (t *Tolerators) gather() {
	t.flush()
	if !t.together {
		return
	}
	t.together = false
	t.steps += t.words()
	for c, n := range t.gains.All() {
		t.counts[c].Gained += n
		t.counted.Add(c)
	}
	for c, n := range t.losses.All() {
		t.counts[c].Lost += n
		t.counted.Add(c)
	}
	t.gains.Clear()
	t.losses.Clear()
}

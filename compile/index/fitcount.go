package index

import (
	"math"

	"github.com/tolero-dev/tolero/compile/internal/bits"
)

// FitCount says how many nodes a class of pods has gained, which it fits now and did not
// fit before, and how many it has lost (rule F2). The zero FitCount counts none. It is
// plain data.
type FitCount struct{ Gained, Lost uint32 }

// NodesUpdated counts, by class of pods, who gains and who loses nodes whose taints change
// in the same way: these nodes keep the taints of the rows in kept, lose those in removed,
// and get those in added. The order does not matter, and a row may be repeated, or be in
// several lists. It retains none of the lists. A negative number of nodes counts as zero.
// All calls together count at most 2^32-1 nodes; nodes beyond that are left out.
//
// If few classes can tolerate one of the taints that the nodes had, these classes are
// asked one by one whether they lose the nodes; the same holds for gaining them, and the
// taints that the nodes have then. Otherwise the time is that of looking at a word for
// each 64 classes and each taint, and once at each toleration with Gt or Lt for their keys.
// Nobody loses a node that gets no hard taint, and nobody gains one that loses none.
func (t *Tolerators) NodesUpdated(kept, removed, added []TaintRow, nodes int) {
	n := t.take(nodes)
	t.looks += 1 + len(kept) + len(removed) + len(added)
	if hasHard(added) {
		t.countWho(kept, removed, added, n, false)
	}
	if hasHard(removed) {
		t.countWho(kept, added, removed, n, true)
	}
}

// NodesAdded counts, by class of pods, who gains new nodes that have the taints of some
// rows: all classes that tolerate these. Everything else is as for
// [Tolerators.NodesUpdated].
func (t *Tolerators) NodesAdded(taints []TaintRow, nodes int) {
	t.looks += 1 + len(taints)
	t.countWho(taints, nil, nil, t.take(nodes), true)
}

// take returns how many of some nodes can be counted.
func (t *Tolerators) take(nodes int) uint32 {
	n := uint32(min(uint64(max(nodes, 0)), uint64(t.left)))
	t.left -= n
	return n
}

// countWho counts nodes for the classes that tolerate all taints of two lists, and not all
// of a third, if that has hard taints.
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
		if t.tolerateAll(kept, c, rarest) && t.tolerateAll(others, c, rarest) && (everybody || !t.tolerateAll(refused, c, 0)) {
			t.counts[c].add(nodes, gained)
		}
	}
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
		if few := t.fewOf(&t.rows[row]); few >= 0 && (rarest == 0 || few < t.rows[rarest].few) {
			rarest = row
		}
	}
	return rarest
}

// tolerateAll reports whether a class tolerates the taints of all rows, of which it is
// sure to tolerate one, or zero.
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
	t.fitting.CopyFrom(&t.pods.live)
	t.intersect(&t.fitting, kept)
	t.intersect(&t.fitting, others)
	t.looks += 4 * t.words()
	if least := t.rarest(0, refused); hasHard(refused) && (least == 0 || t.rows[least].few > 0) { // else nobody tolerates them
		t.both.CopyFrom(&t.pods.live)
		t.intersect(&t.both, refused)
		t.fitting.AndNot(&t.both)
	}
	counters := &t.losses
	if gained {
		counters = &t.gains
	}
	counters.Add(&t.fitting, nodes)
}

// intersect removes the classes that do not tolerate the taints of some rows.
func (t *Tolerators) intersect(s *bits.Set[PodClass], rows []TaintRow) {
	for _, row := range rows {
		if row != 0 {
			s.And(t.denseOf(&t.rows[row]))
			t.looks += t.words()
		}
	}
}

// ClearCounts forgets what has been counted, and begins anew.
func (t *Tolerators) ClearCounts() {
	clear(t.FitCounts())
	t.left = math.MaxUint32
}

// FitCounts returns what the calls of [Tolerators.NodesUpdated] and
// [Tolerators.NodesAdded] have counted. Each class
// of the Pods is an index of the result. The result belongs to t and is valid until the
// next call of NodesUpdated. The time is proportional to the number of classes if some
// call looked at all of them, and constant otherwise.
func (t *Tolerators) FitCounts() []FitCount {
	for c, n := range t.gains.All() {
		t.counts[c].Gained += n
	}
	for c, n := range t.losses.All() {
		t.counts[c].Lost += n
	}
	t.gains.Clear()
	t.losses.Clear()
	return t.counts
}

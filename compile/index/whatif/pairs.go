package whatif

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// pair is what may evict pods from the nodes of some groups: their NoExecute taints before and
// after the plan, and the rows of these. The first pair is that of none.
type pair struct {
	before, after         []taint.Taint
	rowsBefore, rowsAfter []index.TaintRow
	next                  uint32 // another pair with the same hash, or the first pair
}

// addRows finds the rows of the taints of a group, and its pair. The plan puts taints first
// and leaves the others in their order, so one pass from the end tells what is kept; in any
// case, what it does not find again is removed and added.
func (e *evaluation) addRows(g *nodeGroup, before, after []taint.Taint, rows []index.TaintRow) {
	r, runs := &e.groupRows, e.runs[:0]
	inResult := g.changed || e.overridesOf(g.chain) != nil
	r.before = append(r.before[:0], rows...)
	r.kept, r.removed, r.added = r.kept[:0], r.removed[:0], r.added[:0]
	r.after = slices.Grow(r.after[:0], len(after))[:len(after)]
	i := len(before) - 1
	for j := range slices.Backward(after) {
		t := &after[j]
		for i >= 0 && !same(&before[i], t) {
			r.removed = append(r.removed, r.before[i])
			i--
		}
		switch {
		case !inResult: // nobody will ask for the taints
		case i < 0 || t.TimeAdded != nil: // the snapshot has no times
			runs = e.outcomes.add(runs, t)
		default:
			runs = extend(runs, i)
		}
		if i < 0 {
			r.after[j] = e.recent.row(e.tolerators, t)
			r.added = append(r.added, r.after[j])
			continue
		}
		r.after[j] = r.before[i]
		r.kept = append(r.kept, r.before[i])
		i--
	}
	r.removed = append(r.removed, r.before[:i+1]...)
	if g.changed {
		g.kept, g.removed, g.added = store(&e.rows, r.kept), store(&e.rows, r.removed), store(&e.rows, r.added)
	}
	g.pair = e.pairFor(before, after)
	e.outcomes.addGroup(g.class, g.chain, runs)
	e.runs = runs
}

// groupRows is the rows of a group that is looked at.
type groupRows struct{ before, after, kept, removed, added []index.TaintRow }

// same reports whether two taints are equal except for their times.
func same(a, b *taint.Taint) bool {
	return a.Key == b.Key && a.Value == b.Value && a.Effect == b.Effect
}

// pairFor returns the position of the pair of a group, whose rows are those at hand.
func (e *evaluation) pairFor(before, after []taint.Taint) uint32 {
	r := &e.groupRows
	r.before, r.after = evicting(r.before, before), evicting(r.after, after)
	if len(r.before)+len(r.after) == 0 {
		return 0
	}
	e.text = binary.NativeEndian.AppendUint32(e.text[:0], uint32(len(r.before)))
	for _, rows := range [...][]index.TaintRow{r.before, r.after} {
		for _, row := range rows {
			e.text = binary.NativeEndian.AppendUint32(e.text, uint32(row))
		}
	}
	hash := maphash.Bytes(e.seed, e.text) & uint64(hashMask)
	last := e.pairOf[hash]
	if e.Policy != match.SinceAdded { // rows have no times
		for at := last; at != 0; at = e.pairs[at].next {
			e.steps++
			if p := &e.pairs[at]; slices.Equal(p.rowsBefore, r.before) && slices.Equal(p.rowsAfter, r.after) {
				return at
			}
		}
	}
	position := uint32(len(e.pairs))
	e.pairs = append(e.pairs, pair{
		e.storeEvicting(before), e.storeEvicting(after), store(&e.rows, r.before), store(&e.rows, r.after), last,
	})
	e.pairOf[hash] = position
	return position
}

// storeEvicting returns a copy of those of some taints with NoExecute, in a buffer.
func (e *evaluation) storeEvicting(taints []taint.Taint) []taint.Taint {
	first := len(e.ofPairs)
	for i := range taints {
		if taints[i].Effect == taint.NoExecute {
			e.ofPairs = append(e.ofPairs, taints[i])
		}
	}
	return slices.Clip(e.ofPairs[first:])
}

// evicting leaves of the rows of taints those with NoExecute.
func evicting(rows []index.TaintRow, taints []taint.Taint) []index.TaintRow {
	kept := rows[:0]
	for i := range taints {
		if taints[i].Effect == taint.NoExecute {
			kept = append(kept, rows[i])
		}
	}
	return kept
}

// recentRows is the rows of the last taints that were asked for: a step puts the same ones on
// many nodes. An unused entry is the zero taint and its row, zero.
type recentRows struct {
	last [4]recentRow
	next int
}

type recentRow struct {
	taint taint.Taint
	row   index.TaintRow
}

// row returns the row of a taint.
func (r *recentRows) row(t *index.Tolerators, x *taint.Taint) index.TaintRow {
	for i := range r.last {
		if same(&r.last[i].taint, x) {
			return r.last[i].row
		}
	}
	row := t.Row(x)
	r.last[r.next] = recentRow{*x, row}
	r.next = (r.next + 1) % len(r.last)
	return row
}

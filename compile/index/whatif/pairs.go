package whatif

import (
	"encoding/binary"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// pair is what may evict pods from the nodes of some groups: their taints before and after
// the plan, of which only those with NoExecute count, and the rows of these. The first pair
// is that of none.
type pair struct {
	before, after         []taint.Taint
	rowsBefore, rowsAfter []index.TaintRow
}

// addRows finds the rows of the taints of a group, and its pair. The plan puts taints first
// and leaves the others in their order, so one pass from the end tells what is kept; in any
// case, what it does not find again is removed and added.
func (e *evaluation) addRows(g *nodeGroup, after []taint.Taint) {
	r, outcome := &e.groupRows, &e.outcomes
	r.before = append(r.before[:0], g.rows...)
	r.kept, r.removed, r.added = r.kept[:0], r.removed[:0], r.added[:0]
	r.after = slices.Grow(r.after[:0], len(after))[:len(after)]
	r.codes = slices.Grow(r.codes[:0], len(after))[:len(after)]
	i := len(g.before) - 1
	for j := range slices.Backward(after) {
		t := &after[j]
		for i >= 0 && !same(&g.before[i], t) {
			r.removed = append(r.removed, r.before[i])
			i--
		}
		if i < 0 {
			r.after[j], r.codes[j] = e.recent.row(e.tolerators, t), outcome.add(t)
			r.added = append(r.added, r.after[j])
			continue
		}
		r.after[j], r.codes[j] = r.before[i], code(i)
		if t.TimeAdded != nil { // the snapshot has no times
			r.codes[j] = outcome.add(t)
		}
		r.kept = append(r.kept, r.before[i])
		i--
	}
	r.removed = append(r.removed, r.before[:i+1]...)
	if g.changed {
		g.kept, g.removed, g.added = store(&e.rows, r.kept), store(&e.rows, r.removed), store(&e.rows, r.added)
	}
	g.pair = e.pairFor(g, after)
	outcome.addGroup(g.class, g.chain, r.codes)
}

// groupRows is the rows of a group that is looked at.
type groupRows struct {
	before, after, kept, removed, added []index.TaintRow
	codes                               []code // of the taints after the plan
}

// same reports whether two taints are equal except for their times.
func same(a, b *taint.Taint) bool {
	return a.Key == b.Key && a.Value == b.Value && a.Effect == b.Effect
}

// pairFor returns the position of the pair of a group, whose rows are those at hand.
func (e *evaluation) pairFor(g *nodeGroup, after []taint.Taint) uint32 {
	r := &e.groupRows
	r.before, r.after = evicting(r.before, g.before), evicting(r.after, after)
	if len(r.before)+len(r.after) == 0 {
		return 0
	}
	e.text = binary.NativeEndian.AppendUint32(e.text[:0], uint32(len(r.before)))
	for _, rows := range [...][]index.TaintRow{r.before, r.after} {
		for _, row := range rows {
			e.text = binary.NativeEndian.AppendUint32(e.text, uint32(row))
		}
	}
	position, known := e.pairOf[string(e.text)]
	if known && e.Policy != match.SinceAdded { // rows have no times
		return position
	}
	position = uint32(len(e.pairs))
	e.pairs = append(e.pairs, pair{g.before, store(&e.afters, after), store(&e.rows, r.before), store(&e.rows, r.after)})
	e.pairOf[string(e.text)] = position
	return position
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
// many nodes. Taints that have none are zero taints with the zero row.
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

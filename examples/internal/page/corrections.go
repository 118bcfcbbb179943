package page

import (
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/parallel"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// maxCorrected is for how many cells the smallest change is found. It depends on all
// taints of a column, so that each cell is a question of its own.
const maxCorrected = 100_000

// corrected is a cell and the corrections for it, by goal.
type corrected struct {
	row, column int
	to          [2]Correction
}

// goals are those of a correction.
var goals = [2]explain.Goal{explain.ToSchedule, explain.ToStay}

// corrections finds the smallest change for the cells in which something is in the way,
// of the most common lists if they are many.
func (b *builder) corrections() {
	cells, all := b.toCorrect()
	if len(cells) < all {
		b.Notes = append(b.Notes, fmt.Sprintf("The change of fewest fields is shown for %d of %d pairs of lists, those of the most pods.", len(cells), all))
	}
	parallel.Do(len(cells), func() func(int) {
		return func(i int) { b.correct(&cells[i]) }
	})
	b.Corrections = []Correction{{Changes: []Correct{}}} // the first one is to change nothing
	known := map[string]uint32{fmt.Sprint(b.Corrections[0]): 0}
	var numbers []uint32
	for i := range cells {
		c := &cells[i]
		var to [2]uint32
		for goal := range to {
			text := fmt.Sprint(c.to[goal])
			n, seen := known[text]
			if !seen {
				n = uint32(len(b.Corrections))
				known[text] = n
				b.Corrections = append(b.Corrections, c.to[goal])
			}
			to[goal] = n
		}
		if to != [2]uint32{} {
			numbers = append(numbers, uint32(c.row), uint32(c.column), to[0], to[1])
		}
	}
	b.Corrected = pack(numbers)
}

// toCorrect returns the cells in which something is in the way, and how many there are.
func (b *builder) toCorrect() (cells []corrected, all int) {
	free := make([]bool, len(b.Verdicts))
	for i := range b.Verdicts {
		kind := b.Verdicts[i].Kind
		free[i] = kind < 3*int(match.Unschedulable) && kind%3 == int(match.Stay)
	}
	for i := range b.rows {
		if len(b.rows[i].tolerations) == 0 {
			continue // there is nothing to change
		}
		for j := range b.columns {
			if free[b.cells[i][j]] {
				continue
			}
			if all++; len(cells) < maxCorrected {
				cells = append(cells, corrected{row: i, column: j})
			}
		}
	}
	return cells, all
}

// correct asks package explain about a cell.
func (b *builder) correct(c *corrected) {
	column := &b.Columns[c.column]
	q := explain.Query{Rules: b.fleet.Rules, Taints: pick(b.taints, column.Taints), Tolerations: b.rows[c.row].tolerations}
	for i, goal := range goals {
		c.to[i] = b.correction(&q, column.Taints, goal)
	}
}

// correction returns the smallest change, in which taints are told by their index in the
// column, so that equal changes of many columns are one.
func (b *builder) correction(q *explain.Query, column []int, goal explain.Goal) Correction {
	to := Correction{Changes: []Correct{}}
	repair := q.Correct(goal)
	if len(repair.Edits) == 0 {
		return to // it is to add what the reasons say
	}
	taintOf := func(t *toleration.Toleration) int {
		return slices.IndexFunc(column, func(i int) bool {
			x := &b.taints[i]
			return t.Key == x.Key && t.Value == x.Value && t.Effect == x.Effect && (x.Effect == taint.NoExecute || x.Effect == taint.NoSchedule) &&
				b.Taints[i].Add == t.String()
		})
	}
	for _, e := range repair.Edits {
		var text any = e.New.String()
		if n := taintOf(&e.New); n >= 0 {
			text = n
		}
		to.Changes = append(to.Changes, Correct{e.Index, text})
	}
	for i := range repair.Additions {
		to.Add = append(to.Add, taintOf(&repair.Additions[i]))
	}
	return to
}

package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
)

// reader puts together what the page shows, as data.js does.
type reader struct {
	*Document
	cells, near, editing, staying []uint32
	corrected                     map[[2]int][2]Correction
}

func read(t *testing.T, d *Document) *reader {
	r := &reader{d, unpack(t, d.Cells), unpack(t, d.Near), unpack(t, d.Editing), unpack(t, d.Staying), make(map[[2]int][2]Correction)}
	for part := range slices.Chunk(unpack(t, d.Corrected), 4) {
		r.corrected[[2]int{int(part[0]), int(part[1])}] = [2]Correction{d.Corrections[part[2]], d.Corrections[part[3]]}
	}
	return r
}

func (r *reader) sentence(row, column int) string {
	var text strings.Builder
	for _, part := range r.Verdicts[r.cells[row*len(r.Columns)+column]].Text {
		if n, is := part.(int); is {
			part = r.Taints[r.Columns[column].Taints[n]].Text
		}
		fmt.Fprint(&text, part)
	}
	return text.String()
}

func (r *reader) why(row, taint int) (reason, index int, detail string) {
	why := r.Reasons[r.near[row*r.NearTaints+taint]]
	return why[0], why[1], r.Details[why[2]]
}

func (r *reader) toleration(row, index int) string {
	return r.Tolerations[r.Rows[row].Tolerations[index]]
}

func (r *reader) reason(row, taint int) string {
	text := r.Taints[taint].Text
	switch reason, index, detail := r.why(row, taint); {
	case reason != untolerated:
		return fmt.Sprintf("%s is tolerated by tolerations[%d], %s", text, index, r.toleration(row, index))
	case index < 0:
		return text + " is not tolerated; no toleration comes near"
	default:
		return fmt.Sprintf("%s is not tolerated; nearest is tolerations[%d], %s: %s", text, index, r.toleration(row, index), detail)
	}
}

func (r *reader) add(row, column int, stay bool) string {
	var lines []string
	for _, t := range r.Columns[column].Taints {
		reason, _, _ := r.why(row, t)
		wanted := hard(r.Taints[t].Effect) && reason == untolerated
		if stay {
			wanted = r.Taints[t].Effect == "NoExecute" && reason != tolerated
		}
		if line := "add " + r.Taints[t].Add; wanted && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return orNothing(lines)
}

func hard(effect string) bool { return effect == "NoSchedule" || effect == "NoExecute" }

func orNothing(lines []string) string {
	if len(lines) == 0 {
		return "change nothing"
	}
	return strings.Join(lines, "\n")
}

func (r *reader) edit(row, column int, stay bool) string {
	editing := r.editing
	if stay {
		editing = r.staying
	}
	var changes []Change
	add := make(map[int]bool)
	for _, group := range r.Columns[column].Groups {
		taints := r.Groups[group]
		edit := r.Edits[editing[row*len(r.Groups)+group]]
		for _, c := range edit.Changes {
			if !slices.Contains(changes, c) {
				changes = append(changes, c)
			}
		}
		for _, i := range edit.Add {
			add[taints[i]] = true
		}
		for _, t := range taints {
			reason, _, _ := r.why(row, t)
			wanted := reason == untolerated
			if stay {
				wanted = r.Taints[t].Effect == "NoExecute" && reason != tolerated
			}
			if len(edit.Changes) == 0 && wanted {
				add[t] = true
			}
		}
	}
	var lines []string
	for _, t := range r.Columns[column].Taints {
		if line := "add " + r.Taints[t].Add; add[t] && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return a.Index - b.Index })
	for _, c := range changes {
		lines = append(lines, fmt.Sprintf("change tolerations[%d], %s, to %s", c.Index, r.toleration(row, c.Index), c.New))
	}
	return orNothing(lines)
}

// correct returns the correction, or what is to be added if there is none.
func (r *reader) correct(row, column, goal int) string {
	c := r.corrected[[2]int{row, column}][goal]
	if len(c.Changes) == 0 {
		return r.add(row, column, goal == 1)
	}
	var lines []string
	taints := r.Columns[column].Taints
	for _, i := range c.Add {
		lines = append(lines, "add "+r.Taints[taints[i]].Add)
	}
	for _, change := range c.Changes {
		text := change.New
		if n, is := text.(int); is {
			text = r.Taints[taints[n]].Add
		}
		lines = append(lines, fmt.Sprintf("change tolerations[%d], %s, to %s", change.Index, r.toleration(row, change.Index), text))
	}
	return strings.Join(lines, "\n")
}

// For every row and column, the page shows what packages match and explain say about the
// two lists.
func TestAgreesWithExplain(t *testing.T) {
	for name, f := range fleets() {
		if name == "corpus" && testing.Short() {
			continue
		}
		b := newBuilder(f)
		r := read(t, New(f))
		for i, row := range b.rows {
			for j, column := range b.columns {
				q := explain.Query{Rules: f.Rules, Taints: withoutTimes(column.taints), Tolerations: row.tolerations}
				v := match.Decide(q.Taints, q.Tolerations, q.Rules)
				if got, want := r.sentence(i, j), v.Sentence(q.Taints); got != want {
					t.Fatalf("%s: %s on %s: got %s, want %s", name, row.key, column.key, got, want)
				}
				checkReasons(t, r, &q, i, j)
				for _, test := range []struct{ what, got, want string }{
					{"add", r.add(i, j, false), q.Add(explain.ToSchedule).String()},
					{"add to stay", r.add(i, j, true), q.Add(explain.ToStay).String()},
					{"edit", r.edit(i, j, false), q.Edit(explain.ToSchedule).String()},
					{"edit to stay", r.edit(i, j, true), q.Edit(explain.ToStay).String()},
					{"correct", r.correct(i, j, 0), q.Correct(explain.ToSchedule).String()},
					{"correct to stay", r.correct(i, j, 1), q.Correct(explain.ToStay).String()},
				} {
					if test.got != test.want {
						t.Fatalf("%s: %s: %s on %s: got %s, want %s", name, test.what, row.key, column.key, test.got, test.want)
					}
				}
			}
		}
	}
}

func withoutTimes(taints []taint.Taint) []taint.Taint {
	plain := slices.Clone(taints)
	for i := range plain {
		plain[i].TimeAdded = nil
	}
	return plain
}

func checkReasons(t *testing.T, r *reader, q *explain.Query, row, column int) {
	t.Helper()
	e := q.Explain()
	for k := range e.Reasons {
		if got, want := r.reason(row, r.Columns[column].Taints[k]), e.Reasons[k].String(); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	order := ""
	if e.Eviction.OrderDecides() {
		order = e.Eviction.String()
	}
	if got := r.Verdicts[r.cells[row*len(r.Columns)+column]].Order; got != order {
		t.Fatalf("order: got %q, want %q", got, order)
	}
}

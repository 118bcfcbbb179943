package picture

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// table returns a table whose cells are so narrow and so low that labels are left out.
func table(rows, columns int) *Grid {
	g := &Grid{Kinds: []Kind{{"yes", "#0a0"}}}
	for i := range rows {
		g.Rows = append(g.Rows, Label{Text: fmt.Sprint("row ", i)})
		g.Cells = append(g.Cells, make([]uint8, columns))
	}
	for j := range columns {
		g.Columns = append(g.Columns, Label{Text: fmt.Sprint("column ", j)})
	}
	return g
}

// Labels are left out as cells shrink, so that each has 14 pixels, and no more of them are.
func TestLabelsThinOut(t *testing.T) {
	for _, c := range []struct{ n, step int }{
		{1, 1}, {50, 1}, {85, 1}, {86, 2}, {171, 2}, {172, 3}, {240, 3}, {300, 4}, {399, 5}, {500, 5},
	} {
		var ofRows, ofColumns []string
		for i := 0; i < c.n; i += c.step {
			ofRows = append(ofRows, fmt.Sprint("row ", i))
			ofColumns = append(ofColumns, fmt.Sprint("column ", i))
		}
		rows, columns := read(t, table(c.n, 1).SVG()), read(t, table(1, c.n).SVG())
		if got := rows.labels(); !slices.Equal(got, append(ofRows, "column 0")) {
			t.Errorf("%d rows: got %s, want one of %d", c.n, got, c.step)
		}
		if got := columns.labels(); !slices.Equal(got, append([]string{"row 0"}, ofColumns...)) {
			t.Errorf("%d columns: got %s, want one of %d", c.n, got, c.step)
		}
		if n := len(ofRows) + 1; len(rows.ticks) != n || len(columns.ticks) != n {
			t.Errorf("%d rows or columns: %d and %d ticks, want %d", c.n, len(rows.ticks), len(columns.ticks), n)
		}
	}
}

// labels returns those of rows and columns.
func (d *drawn) labels() (labels []string) {
	for i := range d.rows {
		labels = append(labels, d.rows[i].label.words)
	}
	for i := range d.texts {
		if d.texts[i].angle != 0 {
			labels = append(labels, d.texts[i].words)
		}
	}
	return slices.DeleteFunc(labels, func(label string) bool { return label == "" })
}

// What is too long is cut, and its last character says so: titles have up to 80, labels 48.
func TestCut(t *testing.T) {
	for _, n := range []int{47, 48, 49, 79, 80, 81, 200} {
		g := small()
		long := strings.Repeat("é", n)
		g.Title, g.Rows[0].Text, g.Columns[0].Text = long, long, long
		upTo := func(most int) string {
			if n > most {
				return strings.Repeat("é", most-1) + "…"
			}
			return long
		}
		d := read(t, g.SVG())
		if labels := d.labels(); d.texts[0].words != upTo(80) || labels[0] != upTo(48) || labels[2] != upTo(48) {
			t.Errorf("%d characters: the title is %s, the labels are %q", n, d.texts[0].words, labels)
		}
	}
}

package picture

import (
	"fmt"
	"strings"
	"testing"
)

// String returns the text as a line: where it begins or ends, what it looks like, and its words.
func (t text) String() string {
	s := fmt.Sprintf("%s%g %.2f,%.2f", t.class, t.size, t.x, t.y)
	if t.end {
		s += " end"
	}
	if t.angle != 0 {
		s += fmt.Sprintf(" %g degrees", t.angle)
	}
	if s += ": " + t.words; t.bold != "" {
		s += fmt.Sprintf(" after %.2f %s", t.gap, t.bold)
	}
	return strings.TrimSpace(s)
}

func (s shape) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %.2f,%.2f %gx%g %s", s.fill, s.x, s.y, s.width, s.height, s.title))
}

func (t tick) String() string { return fmt.Sprintf("%.2f,%.2f +%g,%g", t.x, t.y, t.dx, t.dy) }

// small is a picture whose places can be computed by hand. A character is 0.602 * 11 = 6.622
// wide.
func small() *Grid {
	return &Grid{
		Title: "Small", Notes: []string{"first note", "second"},
		RowsAre: "pods", ColumnsAre: "nodes",
		Rows:      []Label{{"pods a", "1", "of a"}, {"pods b", "20", ""}},
		Columns:   []Label{{"x", "3", "of x"}, {"y", "4", ""}, {"long name", "5", ""}},
		Kinds:     []Kind{{"yes", "#0a0"}, {"unused", "#00a"}, {"no", "#a00"}},
		Cells:     [][]uint8{{0, 2, 2}, {2, 0, 2}},
		CellTitle: func(row, column int) string { return fmt.Sprintf("cell %d,%d", row, column) },
	}
}

// same fails if the things that a picture shows are others than these.
func same[T fmt.Stringer](t *testing.T, what string, got []T, want ...string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("%s %s is missing", what, want[i])
		case i >= len(want):
			t.Errorf("%s %v too many", what, got[i])
		case got[i].String() != want[i]:
			t.Errorf("%s %v, want %s", what, got[i], want[i])
		}
	}
}

// The rows stand right of their labels: 20 + 9 * 6.622 for "pods b 20" + 10 = 89.60. They
// stand below the labels of columns, which lean by 60 degrees: 11 * 6.622 for "5 long name"
// are 63.08 high, above them is the legend, which ends at 98, and 36 more are free.
func TestPlacesOfCells(t *testing.T) {
	d := read(t, small().SVG())
	same(t, "first row:", d.rows[0].cells, "#0a0 89.60,197.08 23x23 cell 0,0", "#a00 113.60,197.08 23x23 cell 0,1", "#a00 137.60,197.08 23x23 cell 0,2")
	same(t, "second row:", d.rows[1].cells, "#a00 89.60,221.08 23x23 cell 1,0", "#0a0 113.60,221.08 23x23 cell 1,1", "#a00 137.60,221.08 23x23 cell 1,2")
	if len(d.rows) != 2 || d.rows[0].title != "of a" {
		t.Errorf("%d rows, the first is %q", len(d.rows), d.rows[0].title)
	}
	if got, want := fmt.Sprintf("%.2fx%.2f", d.width, d.height), "660.00x265.08"; got != want {
		t.Errorf("size %s, want %s: at least 640, below 2 * 24, and 20 on each side", got, want)
	}
}

// Labels of rows end 10 before the cells, 3.85 below the middle, which centres them; those of
// columns begin 8 above the cells, 3 after the middle of the column.
func TestPlacesOfLabels(t *testing.T) {
	d := read(t, small().SVG())
	same(t, "row", []text{d.rows[0].label, d.rows[1].label}, "11 79.60,212.93 end: pods a after 6.62 1", "11 79.60,236.93 end: pods b after 6.62 20")
	columns := d.texts[len(d.texts)-3:]
	same(t, "column", columns, "11 104.60,189.08 -60 degrees: x after 6.62 3", "11 128.60,189.08 -60 degrees: y after 6.62 4", "11 152.60,189.08 -60 degrees: long name after 6.62 5")
	if columns[0].title != "of x" {
		t.Errorf("the tooltip of a column is %q", columns[0].title)
	}
	same(t, "tick", d.ticks, "101.60,190.08 +0,6", "125.60,190.08 +0,6", "149.60,190.08 +0,6", "83.60,209.08 +5,0", "83.60,233.08 +5,0")
}

// Below each other, from the margin of 20: the title, the notes, the legend; then beside the
// table what rows and columns are.
func TestPlacesOfTexts(t *testing.T) {
	d := read(t, small().SVG())
	same(t, "swatch", d.swatches, "#0a0 20.00,86.00 12x12", "#a00 79.87,86.00 12x12") // 20 + 12 + 6 + 3 * 6.622 + 22
	same(t, "text", d.texts[:len(d.texts)-3],
		"title18 20.00,36.00: Small", "note12 20.00,56.00: first note", "note12 20.00,72.00: second",
		"11 38.00,96.00: yes", "11 97.87,96.00: no",
		"note12 79.60,173.08 end: nodes ↗", "note12 79.60,189.08 end: pods ↓")
}

package picture

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The table begins 20 + 10 right of the longest of what stands left of it, which is so many
// characters long.
func TestLeftEdge(t *testing.T) {
	for name, c := range map[string]struct {
		characters float64
		change     func(*Grid)
	}{
		"pods b 20":                  {9, func(*Grid) {}},
		"12345678 ↓":                 {10, func(g *Grid) { g.RowsAre = "12345678" }},
		"ä2345678 ↗":                 {10, func(g *Grid) { g.ColumnsAre = "ä2345678" }},
		"nodes ↗":                    {7, func(g *Grid) { g.Rows[0].Text, g.Rows[1].Text = "a", "b" }},
		"pods ↓":                     {6, func(g *Grid) { g.Rows, g.Cells, g.ColumnsAre = nil, nil, "" }},
		"äöüäöü 3\u202f456\u202f789": {16, func(g *Grid) { g.Rows[0].Text, g.Rows[0].Number = "äöüäöü", "3\u202f456\u202f789" }},
		"48 characters 1":            {50, func(g *Grid) { g.Rows[0].Text = strings.Repeat("é", 60) }},
	} {
		g := small()
		c.change(g)
		d := read(t, g.SVG())
		if got, want := fmt.Sprintf("%.2f", d.ticks[0].x-12), fmt.Sprintf("%.2f", 20+c.characters*6.622+10); got != want {
			t.Errorf("%s: the table begins at %s, want %s", name, got, want)
		}
	}
}

// The picture ends 20 right of what ends last: the table with the labels that lean over it, the
// title, a note, or an item of the legend. It is 660 wide at least.
func TestWidth(t *testing.T) {
	for name, c := range map[string]struct {
		width  float64
		change func(*Grid)
	}{
		"little":             {660, func(*Grid) {}},
		"no columns":         {660, func(g *Grid) { *g = Grid{} }},
		"a title at most":    {660, func(g *Grid) { g.Title = strings.Repeat("ü", 56) }},
		"a title":            {20 + 57*11 + 20, func(g *Grid) { g.Title = strings.Repeat("ü", 57) }},
		"a long title":       {20 + 80*11 + 20, func(g *Grid) { g.Title = strings.Repeat("n", 200) }},
		"a note at most":     {660, func(g *Grid) { g.Notes[1] = strings.Repeat("ü", 93) }},
		"a note":             {20 + 100*6.6 + 20, func(g *Grid) { g.Notes[1] = strings.Repeat("ü", 100) }},
		"no exponents":       {20 + 200_000*6.6 + 20, func(g *Grid) { g.Notes[1] = strings.Repeat("n", 200_000) }},
		"a kind":             {20 + 12 + 6 + 100*6.622 + 20, func(g *Grid) { g.Kinds[2].Name = strings.Repeat("ü", 100) }},
		"a kind, not in use": {660, func(g *Grid) { g.Kinds[1].Name = strings.Repeat("ü", 100) }},
		// "pods b 20" and "nodes ↗" on the left, "5 long name" leaning by a half
		"a table": {20 + 9*6.622 + 10 + 50*24 + 11*6.622/2 + 20, func(g *Grid) { g.widen(50) }},
	} {
		g := small()
		c.change(g)
		if got, want := fmt.Sprintf("%.2f", read(t, g.SVG()).width), fmt.Sprintf("%.2f", c.width); got != want {
			t.Errorf("%s: %s wide, want %s", name, got, want)
		}
	}
}

// widen repeats the last column until there are so many.
func (g *Grid) widen(columns int) {
	for len(g.Columns) < columns {
		g.Columns = append(g.Columns, g.Columns[len(g.Columns)-1])
	}
	for i := range g.Cells {
		last := g.Cells[i][len(g.Cells[i])-1:]
		g.Cells[i] = append(g.Cells[i], slices.Repeat(last, columns-len(g.Cells[i]))...)
	}
}

// Above the table are a line of 16 for each note, lines of 20 for the legend, and the labels
// of columns.
func TestTop(t *testing.T) {
	name := func(characters int) string { return strings.Repeat("n", characters) }
	for what, c := range map[string]struct {
		top    float64
		change func(*Grid)
	}{
		"two notes":      {20 + 34 + 2*16 + 12 + 36 + 11*6.622*0.8660254, func(*Grid) {}},
		"no notes":       {20 + 34 + 12 + 36 + 11*6.622*0.8660254, func(g *Grid) { g.Notes = nil }},
		"numbers only":   {86 + 12 + 36 + 2*6.622*0.8660254, func(g *Grid) { g.Columns = []Label{{Number: "1"}, {Number: "2"}, {}} }},
		"long labels":    {86 + 12 + 36 + 50*6.622*0.8660254, func(g *Grid) { g.Columns[1].Text = name(60) }},
		"one line, full": {86 + 12 + 36 + 11*6.622*0.8660254, func(g *Grid) { g.Kinds[0].Name, g.Kinds[2].Name = name(42), name(42) }},
		"two lines":      {86 + 20 + 12 + 36 + 11*6.622*0.8660254, func(g *Grid) { g.Kinds[0].Name, g.Kinds[2].Name = name(42), name(43) }},
	} {
		g := small()
		c.change(g)
		d := read(t, g.SVG())
		if got, want := fmt.Sprintf("%.2f", d.rows[0].cells[0].y), fmt.Sprintf("%.2f", c.top); got != want {
			t.Errorf("%s: the table begins at %s, want %s", what, got, want)
		}
	}
}

// An item of the legend that goes beyond the right edge begins the next line; the widest of
// all sets that edge, and is alone in the first line.
func TestLinesOfLegend(t *testing.T) {
	g := small()
	g.Kinds = []Kind{{Name: strings.Repeat("n", 40)}, {Name: strings.Repeat("n", 45)}, {Name: "n"}}
	g.Cells = [][]uint8{{0, 1, 2}, {0, 1, 2}}
	// 20 + 12 + 6 + 40 * 6.622 + 22 = 324.88; 45 take 316, and end at 640.87
	same(t, "swatch", read(t, g.SVG()).swatches, "20.00,86.00 12x12", "20.00,106.00 12x12", "357.99,106.00 12x12")
	g.Kinds[0].Name = strings.Repeat("n", 100)
	same(t, "swatch", read(t, g.SVG()).swatches, "20.00,86.00 12x12", "20.00,106.00 12x12", "357.99,106.00 12x12")
}

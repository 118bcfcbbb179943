package picture

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Cells take 24 pixels, and less where a row or a column of them would be longer than 1200, but
// at least 3. From 6 on a pixel is free; smaller cells touch.
func TestSizeOfCells(t *testing.T) {
	for _, c := range []struct {
		n           int
		space, size float64
	}{
		{3, 24, 23}, {50, 24, 23}, {51, 23, 22}, {200, 6, 5}, {201, 5, 5}, {400, 3, 3}, {500, 3, 3},
	} {
		g := small()
		g.widen(c.n)
		cells := read(t, g.SVG()).rows[1].cells
		if space := math.Round(cells[1].x - cells[0].x); len(cells) != c.n || space != c.space || cells[2].width != c.size || cells[2].height != 23 {
			t.Errorf("%d columns: %v, %v", c.n, cells[0], cells[1])
		}
		g = small()
		g.Rows, g.Cells = slices.Repeat(g.Rows[:1], c.n), slices.Repeat(g.Cells[:1], c.n)
		rows := read(t, g.SVG()).rows
		a, b := rows[0].cells[2], rows[1].cells[2]
		if space := math.Round(b.y - a.y); len(rows) != c.n || space != c.space || b.height != c.size || b.width != 23 {
			t.Errorf("%d rows: %v, %v", c.n, a, b)
		}
	}
}

// A cell is covered by a shape of its colour. In a table of up to 10,000 cells each has one of
// its own, with a tooltip; in others neighbours of a kind share one.
func TestShapesAreCells(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		rows, columns int
		space         float64 // of a cell
		single        bool
	}{
		{1, 1, 24, true}, {3, 7, 24, true}, {20, 240, 5, true}, {100, 100, 12, true},
		{73, 137, 8, false},
	} {
		g := anyGrid(random, c.rows, c.columns)
		g.CellTitle = func(row, column int) string { return fmt.Sprintf("<%d, %d>", row, column) }
		d := read(t, g.SVG())
		for i := range d.rows {
			covers, shared := cover(d.rows[i].cells, c.space)
			if len(covers) != c.columns || c.single && shared {
				t.Fatalf("%d by %d: %d cells, shared %t", c.rows, c.columns, len(covers), shared)
			}
			for j, kind := range g.Cells[i] {
				title := ""
				if c.single {
					title = g.CellTitle(i, j)
				}
				if got := covers[j]; got.fill != g.Kinds[kind].Colour || got.title != title {
					t.Fatalf("%d by %d: cell %d, %d is %v, want %s %q", c.rows, c.columns, i, j, got, g.Kinds[kind].Colour, title)
				}
			}
			for j := range d.rows[i].cells[1:] {
				if a, b := d.rows[i].cells[j], d.rows[i].cells[j+1]; !c.single && a.fill == b.fill {
					t.Fatalf("%d by %d: %v and %v are two shapes", c.rows, c.columns, a, b)
				}
			}
		}
	}
}

// cover returns the shape that covers each cell, up to the first that none covers, and whether
// some cover several.
func cover(shapes []shape, space float64) (covers []shape, shared bool) {
	left := shapes[0].x
	for _, s := range shapes {
		first, end := math.Round((s.x-left)/space), math.Ceil((s.x+s.width-left)/space-0.01)
		if int(first) != len(covers) {
			break
		}
		shared = shared || end > first+1
		covers = append(covers, slices.Repeat([]shape{s}, int(end-first))...)
	}
	return covers, shared
}

// Nobody asks for tooltips of cells that have none.
func TestNoTooltips(t *testing.T) {
	g := small()
	g.CellTitle = nil
	if d := read(t, g.SVG()); d.rows[0].cells[0].title != "" {
		t.Errorf("a tooltip %q", d.rows[0].cells[0].title)
	}
}

package picture

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// anyGrid returns a picture with labels, notes and kinds of all lengths, some of them empty.
func anyGrid(random *rand.Rand, rows, columns int) *Grid {
	word := func(most int) string { return strings.Repeat("é", max(0, random.IntN(most+10)-9)) }
	g := &Grid{Title: word(120), RowsAre: word(30), ColumnsAre: word(30)}
	for range random.IntN(4) {
		g.Notes = append(g.Notes, word(150))
	}
	for i := range 1 + random.IntN(12) {
		g.Kinds = append(g.Kinds, Kind{word(100), fmt.Sprintf("#%03d", i)})
	}
	for range rows {
		g.Rows = append(g.Rows, Label{Text: word(70), Number: word(10)})
		cells := make([]uint8, columns)
		for j := range cells {
			cells[j] = uint8(random.IntN(len(g.Kinds)))
		}
		g.Cells = append(g.Cells, cells)
	}
	for range columns {
		g.Columns = append(g.Columns, Label{Text: word(70), Number: word(10)})
	}
	return g
}

// Everything is within the picture, at least 9 from its edges, and nothing covers anything else.
func TestNothingOverlaps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		d := read(t, anyGrid(random, random.IntN(8), random.IntN(8)).SVG())
		all := d.areas()
		for i := range all {
			a := &all[i]
			for _, p := range a.corners {
				if p.x < 9 || p.y < 9 || p.x > d.width-9 || p.y > d.height-9 {
					t.Fatalf("%s is not within %g by %g: %v", a.what, d.width, d.height, a.corners)
				}
			}
			for j := range i {
				if a.overlaps(&all[j]) {
					t.Fatalf("%s is over %s", a.what, all[j].what)
				}
			}
		}
	}
}

package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// grid returns a table with every kind of cell, and text that needs escaping.
func grid(rows, columns int) *Grid {
	g := &Grid{
		Title: "a <b> & \"c\" \x00",
		Notes: []string{"<note>", "another"},
		Kinds: []Kind{{"zero", "#000"}, {"one & only", "#111"}, {"two", "#222"}, {"unused", "#333"}},
		CellTitle: func(row, column int) string {
			return fmt.Sprintf("<%d>, %d", row, column)
		},
		RowsAre: "rows", ColumnsAre: "columns",
	}
	for i := range rows {
		g.Rows = append(g.Rows, Label{Text: fmt.Sprintf("row <%d> with a name that is longer than there is room for", i), Number: "1", Title: "&"})
		cells := make([]uint8, columns)
		for j := range cells {
			cells[j] = uint8((i + j) % 3)
		}
		g.Cells = append(g.Cells, cells)
	}
	for j := range columns {
		g.Columns = append(g.Columns, Label{Text: fmt.Sprintf("column %d", j), Number: "2"})
	}
	return g
}

// drawn is what a picture holds.
type drawn struct {
	width, height        float64
	cells, texts, titles int
	words                string
}

// parse reads a picture as XML, and fails if it is none.
func parse(t *testing.T, svg []byte) drawn {
	t.Helper()
	var d drawn
	for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return d
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			d.words += string(token)
		case xml.StartElement:
			d.start(t, token)
		}
	}
}

func (d *drawn) start(t *testing.T, element xml.StartElement) {
	attribute := make(map[string]string)
	for _, a := range element.Attr {
		attribute[a.Name.Local] = a.Value
	}
	switch element.Name.Local {
	case "svg":
		d.width, d.height = length(t, attribute["width"]), length(t, attribute["height"])
	case "text":
		d.texts++
	case "title":
		d.titles++
	case "rect":
		if _, placed := attribute["y"]; !placed && attribute["width"] != "100%" {
			d.cells++
			if length(t, attribute["x"])+length(t, attribute["width"]) > d.width {
				t.Errorf("a cell at %s is outside", attribute["x"])
			}
		}
	}
}

func length(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSVG(t *testing.T) {
	for _, test := range []struct {
		rows, columns int
		cells         int // shapes: neighbours of a kind can be one
		labels        int // of rows and columns

		maxWidth, maxHeight   float64
		cellWidth, cellHeight float64
	}{
		{0, 0, 0, 0, 700, 400, 24, 24},
		{1, 1, 1, 2, 700, 400, 24, 24},
		{20, 20, 400, 40, 1100, 900, 24, 24},
		{300, 100, 30_000, 75 + 50, 1800, 1600, 12, 4},
		{100, 300, 30_000, 50 + 75, 1900, 1600, 4, 12},
		{500, 600, 300_000, 100 + 120, 2400, 2000, 3, 3},
	} {
		t.Run(fmt.Sprintf("%dx%d", test.rows, test.columns), func(t *testing.T) {
			g := grid(test.rows, test.columns)
			l := g.layout()
			if l.cellWidth != test.cellWidth || l.cellHeight != test.cellHeight {
				t.Errorf("cells of %g by %g, want %g by %g", l.cellWidth, l.cellHeight, test.cellWidth, test.cellHeight)
			}
			d := parse(t, g.SVG())
			if d.cells != test.cells {
				t.Errorf("%d cells, want %d", d.cells, test.cells)
			}
			others := 1 + 2 + len(l.legend) + 2 // title, notes, legend, axes
			if d.texts != test.labels+others {
				t.Errorf("%d texts, want %d labels and %d others", d.texts, test.labels, others)
			}
			if d.width > test.maxWidth || d.height > test.maxHeight {
				t.Errorf("%g by %g, want at most %g by %g", d.width, d.height, test.maxWidth, test.maxHeight)
			}
		})
	}
}

func TestLegend(t *testing.T) {
	d := parse(t, grid(2, 2).SVG())
	for _, want := range []string{"zero", "one & only", "two", `a <b> & "c"`, "<note>", "row <0> with", "<1>, 0"} {
		if !strings.Contains(d.words, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(d.words, "unused") {
		t.Error("the legend has a kind that no cell is of")
	}
	g := grid(2, 2)
	for i := range 40 {
		g.Kinds = append(g.Kinds, Kind{Name: fmt.Sprintf("kind number %d", i)})
		g.Cells[0] = append(g.Cells[0], uint8(len(g.Kinds)-1))
	}
	if l := g.layout(); l.legend[40].y <= l.legend[0].y || l.legend[40].x > l.width {
		t.Errorf("the last item of a long legend is at %+v, the width %g", l.legend[40], l.width)
	}
}

// TestRuns counts shapes where neighbours are of one kind.
func TestRuns(t *testing.T) {
	g := grid(101, 100)
	for i := range g.Cells {
		g.Cells[i] = slices.Repeat([]uint8{uint8(i % 2)}, 100)
		g.Cells[i][99] = 2
	}
	if d := parse(t, g.SVG()); d.cells != 2*101 {
		t.Errorf("%d shapes, want %d", d.cells, 2*101)
	}
}

func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		rows := make([][]uint8, random.IntN(30))
		for i := range rows {
			rows[i] = make([]uint8, 6)
			for j := range rows[i] {
				rows[i][j] = uint8(random.IntN(2))
			}
		}
		order := Order(rows)
		sorted := slices.Sorted(slices.Values(order))
		for i, index := range sorted {
			if i != index {
				t.Fatalf("not a permutation: %v", order)
			}
		}
		if len(order) != len(rows) || len(order) > 0 && order[0] != 0 {
			t.Fatalf("got %v for %d rows", order, len(rows))
		}
		seen := make(map[string]bool)
		last := ""
		for _, index := range order {
			row := string(rows[index])
			if row != last && seen[row] {
				t.Fatalf("equal rows are apart in %v of %v", order, rows)
			}
			seen[row], last = true, row
		}
	}
}

// Each row is put where it adds least to the differences between neighbours, and of such
// places beside the row that it differs least from.
func TestPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		rows := make([][]uint8, 2+random.IntN(8))
		for i := range rows {
			rows[i] = make([]uint8, 6)
			for j := range rows[i] {
				rows[i][j] = uint8(random.IntN(3))
			}
		}
		last := len(rows) - 1
		// cost returns the differences between neighbours, and the least one of the last row.
		cost := func(order []int) [2]int {
			all, least := 0, 6
			for i := range order[1:] {
				d := distance(rows[order[i]], rows[order[i+1]])
				all += d
				if order[i] == last || order[i+1] == last {
					least = min(least, d)
				}
			}
			return [2]int{all, least}
		}
		before, after := Order(rows[:last]), Order(rows)
		if rest := slices.DeleteFunc(slices.Clone(after), func(i int) bool { return i == last }); !slices.Equal(rest, before) {
			t.Fatalf("%v, without the last row %v", after, before)
		}
		for at := 1; at <= last; at++ {
			other := slices.Insert(slices.Clone(before), at, last)
			got, want := cost(after), cost(other)
			if slices.Compare(got[:], want[:]) > 0 {
				t.Fatalf("%v costs %v, and %v costs %v, of %v", after, got, other, want, rows)
			}
		}
	}
}

func TestOrderBlocks(t *testing.T) {
	rows := [][]uint8{{0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, 1, 1}}
	if got, want := Order(rows), []int{0, 2, 4, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: neighbours differ in 2, 1, 2 and 1 cells", got, want)
	}
}

func TestTransposed(t *testing.T) {
	got := Transposed([][]uint8{{1, 2, 3}, {4, 5, 6}})
	want := [][]uint8{{1, 4}, {2, 5}, {3, 6}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Transposed([][]uint8{{1, 2}}); !slices.EqualFunc(got, [][]uint8{{1}, {2}}, slices.Equal) {
		t.Errorf("one row gives %v", got)
	}
	if Transposed(nil) != nil {
		t.Error("something made of nothing")
	}
}

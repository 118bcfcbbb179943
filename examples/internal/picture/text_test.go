package picture

import (
	"bytes"
	"strings"
	"testing"
)

// Whatever texts contain, they are texts in the picture, and what XML cannot hold is replaced.
func TestEscapes(t *testing.T) {
	hostile := "</title></text>]]><rect/> & \"'\x00"
	g := small()
	g.Title, g.Notes[0], g.RowsAre, g.ColumnsAre, g.Kinds[0].Name = hostile, hostile, hostile, hostile, hostile
	g.Rows[0], g.Columns[0] = Label{hostile, hostile, hostile}, Label{hostile, hostile, hostile}
	g.CellTitle = func(int, int) string { return hostile }
	d := read(t, g.SVG())
	want := strings.ReplaceAll(hostile, "\x00", "\ufffd")
	var got []string
	for _, text := range append(d.texts, d.rows[0].label) {
		got = append(got, text.words, text.bold, text.title)
	}
	got = append(got, d.rows[0].title, d.rows[1].cells[2].title)
	count := 0
	for _, text := range got {
		if strings.TrimRight(text, " ↗↓") == want {
			count++
		}
	}
	if count != 5+3+3+1 { // of the picture, a row, a column and a cell
		t.Errorf("%d of %q are %q", count, got, want)
	}
}

// Each class that elements have is one of the style, kinds that are used or not have their
// colours, texts have a colour, cells have sharp edges, and the ground below is white.
func TestStyle(t *testing.T) {
	d := read(t, small().SVG())
	if d.background != "#fff" {
		t.Errorf("the ground is %q", d.background)
	}
	for class := range d.classes {
		if d.style["."+class] == "" && class != "row" {
			t.Errorf("class %s has no style", class)
		}
	}
	for _, want := range [][3]string{
		{".k0", "fill", "#0a0"}, {".k1", "fill", "#00a"}, {".k2", "fill", "#a00"},
		{"text", "fill", "#222"}, {".note", "fill", "#555"}, {".n", "font-weight", "700"},
		{".tick", "stroke", "#bbb"}, {".cells", "shape-rendering", "crispEdges"}, {".cells rect:hover", "stroke", "#000"},
	} {
		if got := d.declared(want[0], want[1]); got != want[2] {
			t.Errorf("%s{%s:%s}, want %s", want[0], want[1], got, want[2])
		}
	}
}

// Each text is in a line of its own, as are the rules of the style and the cells of a row, so
// that pictures can be compared line by line.
func TestLines(t *testing.T) {
	for line := range bytes.Lines(small().SVG()) {
		texts, cells := bytes.Count(line, []byte("</text>")), bytes.Count(line, []byte("</rect>"))
		tags := bytes.Count(line, []byte("<svg")) + bytes.Count(line, []byte("svg>")) + bytes.Count(line, []byte("style>")) + bytes.Count(line, []byte("%"))/2
		if texts > 1 || cells > 1 || tags > 1 || tags == 1 && texts+cells > 0 {
			t.Errorf("a line has several parts: %s", line)
		}
	}
}

// The zero Grid is an empty table.
func TestZeroGrid(t *testing.T) {
	d := read(t, (&Grid{}).SVG())
	if d.rows != nil || d.ticks != nil || d.swatches != nil {
		t.Errorf("got %+v", d)
	}
}

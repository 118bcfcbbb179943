// Package picture draws SVG: a [Grid] is a table of coloured cells, which row means
// what to which column, for many rows and columns at once; a [Chart] is quantities
// over time.
//
// A picture is complete in itself: it has a title, a legend, labels and tooltips, and
// needs no script. Cells shrink and labels thin out as the table grows, so that
// 20 by 20 can be read cell by cell, and 300 by 100 still shows the blocks.
package picture

import (
	"fmt"
	"math"
)

// Grid is a table of cells, each of one of a few kinds.
//
// The zero Grid is an empty table. A Grid is plain data that [Grid.SVG] only
// reads; copies share the slices.
type Grid struct {
	Title string
	Notes []string // lines below the title

	RowsAre, ColumnsAre string // what is at the left, and on top
	Rows, Columns       []Label
	Kinds               []Kind // those in use make the legend, in this order

	// Cells has an index into Kinds for each row and column.
	Cells [][]uint8
	// CellTitle returns the tooltip of a cell. It is asked only while the table
	// is small enough for tooltips of single cells; nil is none.
	CellTitle func(row, column int) string
}

// Label is the name of a row or a column. It is plain data.
type Label struct {
	Text   string // cut off where it is too long
	Number string // set off from the text, between it and the cells
	Title  string // the tooltip
}

// Kind is what a cell can be. It is plain data.
type Kind struct {
	Name   string
	Colour string // as CSS has it
}

// Sizes, in pixels.
const (
	margin    = 20.0
	fontSize  = 11.0
	charWidth = fontSize * 0.602 // of the fixed-width fonts that the style names
	noteWidth = 6.6              // of a character of a note, on average
	lineGap   = 14.0             // what a label needs in height
	maxCell   = 24.0
	minCell   = 3.0
	gridSpace = 1200.0 // the cells shrink so that the table keeps within it
	maxLabel  = 48     // characters
	maxTitle  = 80     // characters
	swatch    = 12.0

	// Rows are cut at this many cells into runs of the same kind, without
	// tooltips of their own: a picture of 10 MB is of no use.
	maxSingle = 10_000
)

// layout is where everything goes.
type layout struct {
	cellWidth, cellHeight float64
	rowLabels             float64 // width of the labels at the left
	columnLabels          float64 // length of the labels on top, along the text
	left, top             float64 // of the first cell
	width, height         float64 // of the picture
	legendTop             float64
	legend                []legendItem
}

type legendItem struct {
	kind int
	x, y float64
}

// slope is how column labels lean: 60 degrees.
const slopeSin, slopeCos = 0.8660254, 0.5

func (g *Grid) layout() *layout {
	l := &layout{
		cellWidth:    cellSize(len(g.Columns)),
		cellHeight:   cellSize(len(g.Rows)),
		rowLabels:    longest(g.Rows) * charWidth,
		columnLabels: longest(g.Columns) * charWidth,
	}
	l.left = margin + max(l.rowLabels, float64(len([]rune(g.RowsAre))+2)*charWidth) + 10
	gridWidth := l.cellWidth * float64(len(g.Columns))
	l.width = max(l.left+gridWidth+l.columnLabels*slopeCos, margin+float64(len([]rune(cut(g.Title, maxTitle))))*11, 640) + margin
	for _, note := range g.Notes {
		l.width = max(l.width, float64(len([]rune(note)))*noteWidth+2*margin)
	}
	l.legendTop = margin + 26 + float64(len(g.Notes))*16 + 8
	bottom := l.placeLegend(g)
	l.top = bottom + 24 + l.columnLabels*slopeSin + 12
	l.height = l.top + l.cellHeight*float64(len(g.Rows)) + margin
	return l
}

// cellSize returns the size of n cells beside each other, in whole pixels, which
// keeps edges sharp and leaves no lines between cells that touch.
func cellSize(n int) float64 {
	return math.Floor(min(maxCell, max(minCell, gridSpace/float64(max(n, 1)))))
}

// longest returns the length of the longest label, in characters.
func longest(labels []Label) float64 {
	n := 0
	for _, label := range labels {
		n = max(n, len([]rune(cut(label.Text, maxLabel)))+len(label.Number)+1)
	}
	return float64(n)
}

// cut returns text with at most so many characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// placeLegend places an item for each kind that is in use, in as many lines as
// they take, and returns where they end.
func (l *layout) placeLegend(g *Grid) float64 {
	used := make([]bool, len(g.Kinds))
	for _, row := range g.Cells {
		for _, kind := range row {
			used[kind] = true
		}
	}
	x, y := margin, l.legendTop
	for kind := range g.Kinds {
		if !used[kind] {
			continue
		}
		width := swatch + 6 + float64(len([]rune(g.Kinds[kind].Name)))*charWidth + 22
		if x > margin && x+width > l.width {
			x, y = margin, y+20
		}
		l.legend = append(l.legend, legendItem{kind, x, y})
		x += width
	}
	return y + swatch
}

// every returns how many cells of a size share a label.
func every(size, needed float64) int {
	n := 1
	for float64(n)*size < needed {
		n++
	}
	return n
}

// px formats a length with at most two decimals.
func px(v float64) string {
	return trimZeros(fmt.Sprintf("%.2f", v))
}

func trimZeros(s string) string {
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

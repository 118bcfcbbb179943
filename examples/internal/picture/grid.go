// Package picture draws SVG: a [Grid] is a table of coloured cells, which row means
// what to which column, for many rows and columns at once.
//
// A picture is complete in itself: it has a title, a legend, labels and tooltips, and
// needs no script. Cells shrink and labels thin out as the table grows, so that
// 20 by 20 can be read cell by cell, and 300 by 100 still shows the blocks.
package picture

import (
	"math"
	"strconv"
	"unicode/utf8"
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
	margin     = 20.0
	fontSize   = 11.0
	charWidth  = fontSize * 0.602 // of the fixed-width fonts that the style names
	noteWidth  = 6.6              // of a character of a note, on average
	titleWidth = 11.0             // and of the title
	lineGap    = 14.0             // what a label needs in height
	maxCell    = 24.0
	minCell    = 3.0
	gridSpace  = 1200.0 // the cells shrink so that the table keeps within it
	minTable   = 640.0  // the least place of the right edge
	maxLabel   = 48     // characters
	maxTitle   = 80     // characters
	swatch     = 12.0
	swatchGap  = 6.0 // between a swatch and its name

	// Rows are cut at this many cells into runs of the same kind, without
	// tooltips of their own: a picture of 10 MB is of no use.
	maxSingle = 10_000
)

// slope is how column labels lean: 60 degrees.
const slopeSin, slopeCos = 0.8660254, 0.5

// layout is where everything goes.
type layout struct {
	cellWidth, cellHeight float64
	left, top             float64 // of the first cell
	width, height         float64 // of the picture
	legend                []legendItem
}

type legendItem struct {
	kind int
	x, y float64
}

func (g *Grid) layout() *layout {
	l := &layout{cellWidth: cellSize(len(g.Columns)), cellHeight: cellSize(len(g.Rows))}
	// A blank and an arrow follow the names of the axes.
	l.left = margin + max(longest(g.Rows), length(g.RowsAre)+2, length(g.ColumnsAre)+2)*charWidth + 10
	leaning := longest(g.Columns) * charWidth
	right := max(minTable, l.left+l.cellWidth*float64(len(g.Columns))+leaning*slopeCos)
	right = max(right, margin+length(cut(g.Title, maxTitle))*titleWidth)
	for _, note := range g.Notes {
		right = max(right, margin+length(note)*noteWidth)
	}
	kinds := g.used()
	for _, kind := range kinds {
		right = max(right, margin+g.Kinds[kind].width())
	}
	bottom := l.placeLegend(g, kinds, right)
	l.top = bottom + 36 + leaning*slopeSin
	l.width = right + margin
	l.height = l.top + l.cellHeight*float64(len(g.Rows)) + margin
	return l
}

// cellSize returns the size of n cells beside each other, in whole pixels, which
// keeps edges sharp and leaves no lines between cells that touch.
func cellSize(n int) float64 {
	return math.Floor(min(maxCell, max(minCell, gridSpace/float64(n))))
}

// longest returns the length of the longest label, with a blank before its number.
func longest(labels []Label) (most float64) {
	for _, label := range labels {
		most = max(most, length(cut(label.Text, maxLabel))+1+length(label.Number))
	}
	return most
}

// length returns the number of characters.
func length(text string) float64 { return float64(utf8.RuneCountInString(text)) }

// cut returns text with at most so many characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// used returns the kinds that cells are of, in order.
func (g *Grid) used() (kinds []int) {
	used := make([]bool, len(g.Kinds))
	for _, row := range g.Cells {
		for _, kind := range row {
			used[kind] = true
		}
	}
	for kind := range used {
		if used[kind] {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// width returns that of an item of the legend.
func (k *Kind) width() float64 { return swatch + swatchGap + length(k.Name)*charWidth }

// placeLegend places an item for each kind, in as many lines as they take up to the
// right edge, and returns where they end.
func (l *layout) placeLegend(g *Grid, kinds []int, right float64) (bottom float64) {
	x, y := margin, margin+34+float64(len(g.Notes))*16
	for _, kind := range kinds {
		width := g.Kinds[kind].width()
		if x+width > right {
			x, y = margin, y+20
		}
		l.legend = append(l.legend, legendItem{kind, x, y})
		x += width + 22
	}
	return y + swatch
}

// every returns how many cells of a size share a label.
func every(size, needed float64) int { return int(math.Ceil(needed / size)) }

// px formats a length with at most two decimals.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

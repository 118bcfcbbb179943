package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// SVG returns the picture.
func (g *Grid) SVG() []byte {
	l := g.layout()
	p := &page{}
	p.open(g, l)
	for _, item := range l.legend {
		p.printf(`<rect class="k%d" x="%s" y="%s" width="%s" height="%[4]s"/>`, item.kind, px(item.x), px(item.y), px(swatch))
		p.text(item.x+swatch+swatchGap, item.y+swatch-2, "", g.Kinds[item.kind].Name)
	}
	p.columns(g, l)
	p.rows(g, l)
	p.printf("</svg>\n")
	return p.out.Bytes()
}

// page is the SVG text that grows.
type page struct {
	out bytes.Buffer
}

// printf writes markup; values from outside go through escape.
func (p *page) printf(format string, args ...any) {
	fmt.Fprintf(&p.out, format, args...)
}

// escape returns text as XML can hold it.
func escape(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text)) // a buffer does not fail
	return b.String()
}

func (p *page) text(x, y float64, attributes, text string) {
	p.printf(`<text x="%s" y="%s" %s>%s</text>`+"\n", px(x), px(y), attributes, escape(text))
}

// open writes the beginning of the picture: its size, the style, the title and the notes.
func (p *page) open(g *Grid, l *layout) {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s">`+"\n", px(l.width), px(l.height))
	p.printf("<style>\n")
	p.printf("text{font:%spx ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#222}\n", px(fontSize))
	p.printf(".title{font:600 18px system-ui,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif}\n")
	p.printf(".note{font:12px system-ui,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#555}\n")
	p.printf(".n{font-weight:700}.row text{text-anchor:end}.tick{stroke:#bbb;stroke-width:1}\n")
	p.printf(".cells{shape-rendering:crispEdges}.cells rect:hover{stroke:#000;stroke-width:2}\n")
	for i, kind := range g.Kinds {
		p.printf(".k%d{fill:%s}", i, kind.Colour)
	}
	p.printf("\n</style>\n")
	p.printf(`<rect width="100%%" height="100%%" fill="#fff"/>` + "\n")
	p.text(margin, margin+16, `class="title"`, cut(g.Title, maxTitle))
	for i, note := range g.Notes {
		p.text(margin, margin+36+float64(i)*16, `class="note"`, note)
	}
}

// columns writes the labels on top, leaning to the right, and ticks that lead
// to their columns where not every column has one.
func (p *page) columns(g *Grid, l *layout) {
	step := every(l.cellWidth, lineGap)
	base := l.top - 8
	p.text(l.left-10, base-16, `class="note" text-anchor="end"`, g.ColumnsAre+" \u2197")
	p.text(l.left-10, base, `class="note" text-anchor="end"`, g.RowsAre+" \u2193")
	for i := 0; i < len(g.Columns); i += step {
		x := l.left + (float64(i)+0.5)*l.cellWidth
		p.printf(`<path class="tick" d="M%s %sv6"/>`, px(x), px(l.top-7))
		label := &g.Columns[i]
		p.printf(`<text transform="translate(%s %s) rotate(-60)"><title>%s</title><tspan class="n">%s</tspan><tspan dx="%s">%s</tspan></text>`+"\n",
			px(x+3), px(base), escape(label.Title), escape(label.Number), px(charWidth), escape(cut(label.Text, maxLabel)))
	}
}

// rows writes the rows, each with its label and its cells.
func (p *page) rows(g *Grid, l *layout) {
	step := every(l.cellHeight, lineGap)
	single := len(g.Rows)*len(g.Columns) <= maxSingle
	for i := range g.Rows {
		y := l.top + float64(i)*l.cellHeight
		p.printf(`<g class="row" transform="translate(%s %s)"><title>%s</title>`, px(l.left), px(y), escape(g.Rows[i].Title))
		if i%step == 0 {
			p.printf(`<path class="tick" d="M-6 %sh5"/>`, px(l.cellHeight/2))
			p.printf(`<text x="-10" y="%s">%s<tspan class="n" dx="%s">%s</tspan></text>`, px(l.cellHeight/2+fontSize*0.35),
				escape(cut(g.Rows[i].Text, maxLabel)), px(charWidth), escape(g.Rows[i].Number))
		}
		p.printf(`<g class="cells">`)
		if single {
			p.cells(g, l, i)
		} else {
			p.runs(g.Cells[i], l)
		}
		p.printf("</g></g>\n")
	}
}

// cells writes the cells of a row one by one, with tooltips.
func (p *page) cells(g *Grid, l *layout, row int) {
	width, height := l.cellWidth-gap(l.cellWidth), l.cellHeight-gap(l.cellHeight)
	for j, kind := range g.Cells[row] {
		p.printf(`<rect class="k%d" x="%s" width="%s" height="%s">`, kind, px(float64(j)*l.cellWidth), px(width), px(height))
		if g.CellTitle != nil {
			p.printf(`<title>%s</title>`, escape(g.CellTitle(row, j)))
		}
		p.printf("</rect>\n")
	}
}

// runs writes the cells of a row with one shape for neighbours of a kind.
func (p *page) runs(kinds []uint8, l *layout) {
	for start := 0; start < len(kinds); {
		end := start
		for end < len(kinds) && kinds[end] == kinds[start] {
			end++
		}
		p.printf(`<rect class="k%d" x="%s" width="%s" height="%s"/>`, kinds[start],
			px(float64(start)*l.cellWidth), px(float64(end-start)*l.cellWidth), px(l.cellHeight))
		start = end
	}
}

// gap is the space between cells: small cells have none.
func gap(size float64) float64 {
	if size < 6 {
		return 0
	}
	return 1
}

package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
)

// The picture, and the part of it that the lines are drawn in.
const (
	width, height = 920, 572
	left, right   = 88, 668
	top, bottom   = 96, 456
)

// style has the colours twice: for a light and a dark surrounding. They are told
// apart by people who do not see colours too, by their brightness and by the
// shape of their marks.
const style = `<style>
text{font:13px system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#57606a}
.title{font-size:20px;font-weight:600;fill:#1f2328}
.label{font-size:15px;font-weight:600}
.ratio{font-size:18px;font-weight:600;fill:#1f2328}
.page{fill:#ffffff;stroke:#d0d7de}
.grid{stroke:#d8dee4;stroke-width:1}
.axis{stroke:#8c959f;stroke-width:1;fill:none}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
.line.peer{stroke:#c2410c}.line.match{stroke:#6d5bd0}.line.index{stroke:#0b7a75}
.mark.peer,text.peer{fill:#c2410c}.mark.match,text.match{fill:#6d5bd0}.mark.index,text.index{fill:#0b7a75}
@media (prefers-color-scheme:dark){
text{fill:#9198a1}
.title,.ratio{fill:#f0f6fc}
.page{fill:#0d1117;stroke:#3d444d}
.grid{stroke:#262c36}
.axis{stroke:#656c76}
.line.peer{stroke:#ff9b5e}.line.match{stroke:#a99bff}.line.index{stroke:#3fd0c0}
.mark.peer,text.peer{fill:#ff9b5e}.mark.match,text.match{fill:#a99bff}.mark.index,text.index{fill:#3fd0c0}
}
</style>
`

// svg returns the picture.
func (c *chart) svg() []byte {
	p := &page{}
	p.markup(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="title description">`+"\n", width, height)
	p.markup(`<title id="title">%s</title>`+"\n", escape(title))
	p.markup(`<desc id="description">%s</desc>`+"\n", escape(c.description()))
	p.markup(style)
	p.markup(`<rect class="page" x="0.5" y="0.5" width="%d" height="%d" rx="10"/>`+"\n", width-1, height-1)
	p.text(28, 40, ` class="title"`, title)
	p.text(28, 64, "", subtitle)
	p.text(28, height-40, "", note)
	p.text(28, height-20, "", c.measured())
	x, y := c.scales()
	p.grid(x, y)
	for i := range c.series {
		p.series(&c.series[i], x, y)
	}
	p.gap(c, y)
	p.markup("</svg>\n")
	return p.out.Bytes()
}

// scales returns those of the nodes and of the times.
func (c *chart) scales() (x, y scale) {
	points := c.series[0].points
	least, greatest := points[0].nanoseconds, points[0].nanoseconds
	for _, s := range c.series {
		for _, p := range s.points {
			least, greatest = min(least, p.nanoseconds), max(greatest, p.nanoseconds)
		}
	}
	return newScale(points[0].nodes, points[len(points)-1].nodes, left, right), newScale(least, greatest, bottom, top)
}

// page is the SVG text that grows.
type page struct {
	out bytes.Buffer
}

// markup writes a tag; text from outside goes through escape.
func (p *page) markup(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

func (p *page) text(x, y float64, attributes, text string) {
	p.markup(`<text x="%s" y="%s"%s>%s</text>`+"\n", px(x), px(y), attributes, escape(text))
}

// escape returns text as XML can hold it.
func escape(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text)) // a buffer does not fail
	return b.String()
}

// px writes a position to a tenth of a pixel.
func px(x float64) string {
	return strconv.FormatFloat(float64(int(x*10+0.5))/10, 'f', -1, 64)
}

// grid writes the axes with their labels.
func (p *page) grid(x, y scale) {
	for _, v := range y.ticks() {
		p.markup(`<path class="grid" d="M%d %sH%d"/>`, left, px(y.at(v)), right)
		p.text(left-12, y.at(v)+4.5, ` text-anchor="end"`, duration(v))
	}
	p.markup(`<path class="axis" d="M%d %dH%d"/>`+"\n", left, bottom, right)
	for _, v := range x.ticks() {
		p.markup(`<path class="axis" d="M%s %dv5"/>`, px(x.at(v)), bottom)
		p.text(x.at(v), bottom+22, ` text-anchor="middle"`, digits(v))
	}
	p.text((left+right)/2, bottom+46, ` text-anchor="middle"`, "nodes in the fleet")
}

// series writes a line, its marks with their values to point at, and its name.
func (p *page) series(s *series, x, y scale) {
	p.markup(`<path class="line %s" d="`, s.class)
	for i, point := range s.points {
		p.markup("%c%s %s", "ML"[min(i, 1)], px(x.at(point.nodes)), px(y.at(point.nanoseconds)))
	}
	p.markup(`"/>` + "\n")
	for _, point := range s.points {
		p.markup(`<path class="mark %s" d="M%s %s%s"><title>%s</title></path>`+"\n", s.class,
			px(x.at(point.nodes)), px(y.at(point.nanoseconds)), shapes[s.class],
			escape(fmt.Sprintf("%s, %s nodes: %s", s.label, digits(point.nodes), duration(point.nanoseconds))))
	}
	last := s.points[len(s.points)-1]
	at := y.at(last.nanoseconds)
	p.text(right+16, at-1, fmt.Sprintf(` class="label %s"`, s.class), s.label)
	p.text(right+16, at+16, "", duration(last.nanoseconds)+" a pod")
}

// shapes are the marks, about the point where the path stands: a disc, a square
// and a rhombus.
var shapes = map[string]string{
	"peer":  "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
	"match": "m-4.5 -4.5h9v9h-9z",
	"index": "m0 -6l6 6l-6 6l-6 -6z",
}

// gap writes how far the first line is from the last at the largest fleet.
func (p *page) gap(c *chart, y scale) {
	const x = width - 28
	high, low := c.last(0), c.last(len(c.series)-1)
	p.markup(`<path class="axis" d="M%d %sh6V%sh-6"/>`+"\n", x-6, px(y.at(high)), px(y.at(low)))
	middle := (y.at(high) + y.at(low)) / 2
	p.text(x-10, middle+6, ` class="ratio" text-anchor="end"`, digits(rounded(high/low))+" ×")
	p.text(x-10, middle+24, ` text-anchor="end"`, "at "+digits(c.series[0].points[len(c.series[0].points)-1].nodes)+" nodes")
}

// last returns the time of a series at the largest fleet.
func (c *chart) last(i int) float64 {
	points := c.series[i].points
	return points[len(points)-1].nanoseconds
}

const (
	title    = "What one pod costs against a fleet"
	subtitle = "Processor time to decide for one pod on every node of the fleet; both axes are logarithmic"
	note     = "Kubernetes’ helper: FindMatchingUntoleratedTaint for every node. match: the same loop. Both on a sample of the pods."
)

// measured says how the points came about.
func (c *chart) measured() string {
	text := fmt.Sprintf("Medians of %d runs", c.runs)
	if c.cpu != "" {
		text += " on one core of " + c.cpu
	}
	return text + "."
}

// description says in words what the lines show.
func (c *chart) description() string {
	first, last := c.series[0].points[0].nodes, c.series[0].points[len(c.series[0].points)-1].nodes
	text := fmt.Sprintf("A chart of lines from %s to %s nodes.", digits(first), digits(last))
	for _, s := range c.series {
		text += fmt.Sprintf(" %s: from %s to %s.", s.label, duration(s.points[0].nanoseconds), duration(s.points[len(s.points)-1].nanoseconds))
	}
	return text
}

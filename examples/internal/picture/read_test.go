package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// drawn is what a picture shows, at the places where a viewer shows it.
type drawn struct {
	width, height float64
	style         map[string]string // declarations by selector
	classes       map[string]bool   // those of elements
	background    string            // its fill
	swatches      []shape
	rows          []row
	texts         []text // without those of rows
	ticks         []tick
}

// row is a row of cells. Its label has no words if it is left out.
type row struct {
	title string
	cells []shape
	label text
}

// shape is a coloured rectangle.
type shape struct {
	x, y, width, height float64
	fill, title         string
}

// text is words that lean by an angle, are placed by their beginning or end, and may have a
// part that is bold.
type text struct {
	x, y         float64
	angle, size  float64
	end          bool // x is that of the end
	words, bold  string
	class, title string
	gap          float64 // before the second part
}

// tick is a line from the table to a label, or back.
type tick struct{ x, y, dx, dy float64 }

// element is one of XML.
type element struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Elements   []element  `xml:",any"`
	Text       string     `xml:",chardata"`
}

func (e *element) attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// child returns the first element of the name, or an empty one.
func (e *element) child(name string) *element {
	for i := range e.Elements {
		if e.Elements[i].XMLName.Local == name {
			return &e.Elements[i]
		}
	}
	return &element{}
}

// reader reads elements, and notes what it does not understand.
type reader struct {
	t testing.TB
	drawn
}

// read reads a picture, and fails if it is not well-formed or has elements of other kinds.
func read(t testing.TB, svg []byte) *drawn {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	var root element
	if err := decoder.Decode(&root); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(svg, []byte("</svg>\n")) || int(decoder.InputOffset()) != len(svg)-1 {
		t.Fatal("the picture has no end, or something follows it")
	}
	r := &reader{t: t, drawn: drawn{style: make(map[string]string), classes: make(map[string]bool)}}
	r.width, r.height = r.number(&root, "width"), r.number(&root, "height")
	if want := fmt.Sprintf("0 0 %s %s", root.attribute("width"), root.attribute("height")); root.attribute("viewBox") != want || root.XMLName.Space != "http://www.w3.org/2000/svg" {
		t.Errorf("view box %q, want %q; %s", root.attribute("viewBox"), want, root.XMLName.Space)
	}
	r.styles(root.child("style").Text)
	for i := range root.Elements {
		r.top(&root.Elements[i])
	}
	return &r.drawn
}

// number returns the value of an attribute, which has at most two decimals.
func (r *reader) number(e *element, name string) float64 {
	r.t.Helper()
	return r.parse(e.attribute(name))
}

var decimal = regexp.MustCompile(`^-?\d+(\.\d?[1-9])?$`)

func (r *reader) parse(value string) float64 {
	r.t.Helper()
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !decimal.MatchString(value) {
		r.t.Fatalf("%q is no length", value)
	}
	return v
}

var rule = regexp.MustCompile(`\s*([^{}]+)\{([^{}]*)\}`)

func (r *reader) styles(css string) {
	if rest := strings.TrimSpace(rule.ReplaceAllString(css, "")); rest != "" {
		r.t.Errorf("%q in the style", rest)
	}
	for _, match := range rule.FindAllStringSubmatch(css, -1) {
		r.style[match[1]] = match[2]
	}
}

// declared returns the value of a property, of those that a selector declares.
func (d *drawn) declared(selector, property string) string {
	for declaration := range strings.SplitSeq(d.style[selector], ";") {
		if name, value, _ := strings.Cut(declaration, ":"); name == property {
			return value
		}
	}
	return ""
}

// class returns the class of an element.
func (r *reader) class(e *element) string {
	class := e.attribute("class")
	if class != "" {
		r.classes[class] = true
	}
	return class
}

func (r *reader) top(e *element) {
	switch e.XMLName.Local {
	case "style":
	case "text":
		r.texts = append(r.texts, r.text(e, 0, 0, ""))
	case "path":
		r.ticks = append(r.ticks, r.tick(e, 0, 0))
	case "g":
		r.rows = append(r.rows, r.row(e))
	case "rect":
		if e.attribute("width") == "100%" && e.attribute("height") == "100%" && r.texts == nil {
			r.background = e.attribute("fill")
		} else {
			r.swatches = append(r.swatches, r.shape(e, r.number(e, "x"), r.number(e, "y")))
		}
	default:
		r.t.Fatalf("element %q", e.XMLName.Local)
	}
}

func (r *reader) shape(e *element, x, y float64) shape {
	fill := r.declared("."+r.class(e), "fill")
	return shape{x, y, r.number(e, "width"), r.number(e, "height"), fill, e.child("title").Text}
}

var translated = regexp.MustCompile(`^translate\((\S+) (\S+)\)(?: rotate\((-\d+)\))?$`)

// translate returns where an element is put, and how it leans.
func (r *reader) translate(e *element) (x, y, angle float64) {
	m := translated.FindStringSubmatch(e.attribute("transform"))
	if m == nil {
		r.t.Fatalf("transform %q", e.attribute("transform"))
	}
	if m[3] != "" {
		angle = r.parse(m[3])
	}
	return r.parse(m[1]), r.parse(m[2]), angle
}

func (r *reader) row(e *element) row {
	left, top, _ := r.translate(e)
	row := row{title: e.child("title").Text}
	if label := e.child("text"); label.XMLName.Local != "" {
		row.label = r.text(label, left, top, "."+r.class(e)+" text")
		r.ticks = append(r.ticks, r.tick(e.child("path"), left, top))
	}
	cells := e.child("g")
	r.class(cells)
	for i := range cells.Elements {
		cell := &cells.Elements[i]
		row.cells = append(row.cells, r.shape(cell, left+r.number(cell, "x"), top))
	}
	return row
}

var font = regexp.MustCompile(`^(?:600 )?(\d+)px .*(monospace|sans-serif)$`)

// text reads a text within something that is placed at x and y. The selector is that of its
// style besides those of its class.
func (r *reader) text(e *element, x, y float64, selector string) text {
	t := text{x: x, y: y, words: e.Text, class: r.class(e), title: e.child("title").Text}
	if e.attribute("transform") != "" {
		t.x, t.y, t.angle = r.translate(e)
	} else {
		t.x, t.y = x+r.number(e, "x"), y+r.number(e, "y")
	}
	t.end = e.attribute("text-anchor") == "end" || r.declared(selector, "text-anchor") == "end"
	style := "text"
	if t.class != "" {
		style = "." + t.class
	}
	m := font.FindStringSubmatch(r.declared(style, "font"))
	if m == nil {
		r.t.Fatalf("%q has the font %q", e.Text, r.declared(style, "font"))
	}
	t.size = r.parse(m[1])
	for i := range e.Elements {
		r.part(&t, &e.Elements[i])
	}
	return t
}

// part adds a part to a text.
func (r *reader) part(t *text, e *element) {
	if e.XMLName.Local != "tspan" {
		return
	}
	if r.class(e) == "n" {
		t.bold = e.Text
	} else {
		t.words += e.Text
	}
	if e.attribute("dx") != "" {
		t.gap += r.number(e, "dx")
	}
}

var along = regexp.MustCompile(`^M(\S+) ([^hv]+)([hv])(\d+)$`)

func (r *reader) tick(e *element, x, y float64) tick {
	m := along.FindStringSubmatch(e.attribute("d"))
	if m == nil || r.class(e) != "tick" {
		r.t.Fatalf("tick %+v", e)
	}
	t := tick{x: x + r.parse(m[1]), y: y + r.parse(m[2])}
	if m[3] == "h" {
		t.dx = r.parse(m[4])
	} else {
		t.dy = r.parse(m[4])
	}
	return t
}

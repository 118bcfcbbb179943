package picture

import (
	"fmt"
	"math"
	"strconv"
)

// Chart is quantities over time, in panels above each other that share the time.
//
// The zero Chart is empty. A Chart is plain data that [Chart.SVG] only reads;
// copies share the slices.
type Chart struct {
	Title  string
	Notes  []string // lines below the title
	Start  float64
	End    float64 // what is later is not drawn
	Panels []Panel
	Marks  []Mark
	Ticks  []float64 // times that have a label
	// Time returns a time as a label. It may be nil if there are no ticks.
	Time func(t float64) string
}

// Panel is lines with one scale. It is plain data.
type Panel struct {
	Title string
	Lines []Line
}

// Line is a quantity that keeps its value from one point to the next. It is plain
// data.
type Line struct {
	Name   string
	Colour string // as CSS has it
	Points []Point
}

// Point is a value from a time on. The points of a line come in the order of time.
type Point struct {
	Time, Value float64
}

// Mark is a moment that has a name, and a line through all panels. It is plain
// data.
type Mark struct {
	Time float64
	Text string
}

// Sizes, in pixels.
const (
	chartWidth  = 900.0
	panelHeight = 190.0
	panelGap    = 54.0
	axisWidth   = 80.0 // for the numbers at the left
	maxMark     = 70   // characters
)

// SVG returns the picture.
func (c *Chart) SVG() []byte {
	top := margin + 36 + float64(len(c.Notes))*16 + float64(len(c.Marks))*lineGap + 20
	bottom := top + float64(len(c.Panels))*(panelHeight+panelGap)
	p := &page{}
	p.open(axisWidth+chartWidth+2*margin, bottom+margin, c.Title, c.Notes, func() {
		p.printf(".line{fill:none;stroke-width:2}.axis{stroke:#ddd;stroke-width:1}.mark{stroke:#999;stroke-width:1;stroke-dasharray:3 3}\n")
	})
	p.marks(c, top, bottom-panelGap/2)
	for i := range c.Panels {
		p.panel(c, &c.Panels[i], top+panelGap/2+float64(i)*(panelHeight+panelGap))
	}
	p.printf("</svg>\n")
	return p.out.Bytes()
}

// x returns where a time is.
func (c *Chart) x(t float64) float64 {
	return margin + axisWidth + chartWidth*(t-c.Start)/max(c.End-c.Start, math.SmallestNonzeroFloat64)
}

// marks writes the marks, each label one line lower than the one before, so that
// they do not overlap.
func (p *page) marks(c *Chart, top, bottom float64) {
	for i, mark := range c.Marks {
		x, y := c.x(mark.Time), top-float64(len(c.Marks)-i)*lineGap
		p.printf(`<path class="mark" d="M%s %sV%s"/>`, px(x), px(y), px(bottom))
		if x < margin+axisWidth+chartWidth/2 {
			p.text(x+4, y+4, "", cut(mark.Text, maxMark))
		} else {
			p.text(x-4, y+4, `text-anchor="end"`, cut(mark.Text, maxMark))
		}
	}
}

// panel writes a panel, the scale of which begins with zero.
func (p *page) panel(c *Chart, panel *Panel, top float64) {
	most := 0.0
	for _, line := range panel.Lines {
		for _, point := range line.Points {
			most = max(most, point.Value)
		}
	}
	step := tick(most)
	high := step * max(1, math.Ceil(most/step))
	left, base := margin+axisWidth, top+panelHeight
	y := func(value float64) float64 { return base - panelHeight*value/high }
	for value := 0.0; value <= high; value += step {
		p.printf(`<path class="axis" d="M%s %sh%s"/>`, px(left), px(y(value)), px(chartWidth))
		p.text(left-8, y(value)+4, `text-anchor="end"`, strconv.FormatFloat(value, 'f', -1, 64))
	}
	for _, t := range c.Ticks {
		p.printf(`<path class="tick" d="M%s %sv5"/>`, px(c.x(t)), px(base))
		p.text(c.x(t), base+17, `text-anchor="middle"`, c.Time(t))
	}
	p.text(left, top-10, `class="n"`, panel.Title)
	x := left + float64(len([]rune(panel.Title))+3)*charWidth
	for i := range panel.Lines {
		line := &panel.Lines[i]
		p.printf(`<path d="M%s %sh14" stroke="%s" stroke-width="3"/>`, px(x), px(top-14), escape(line.Colour))
		p.text(x+18, top-10, "", line.Name)
		p.printf(`<path class="line" stroke="%s" d="%s"><title>%s</title></path>`+"\n", escape(line.Colour), c.path(line, y), escape(line.Name))
		x += 18 + float64(len([]rune(line.Name))+3)*charWidth
	}
}

// path returns the steps of a line. Of points that fall on one pixel only the last
// one is drawn: a picture of a million points looks the same.
func (c *Chart) path(line *Line, y func(float64) float64) string {
	var path []byte
	value := 0.0
	for i, point := range line.Points {
		if point.Time > c.End {
			break
		}
		x := math.Round(c.x(point.Time))
		if i+1 < len(line.Points) && line.Points[i+1].Time <= c.End && math.Round(c.x(line.Points[i+1].Time)) == x {
			continue
		}
		if path == nil {
			path = fmt.Appendf(path, "M%s %s", px(x), px(y(point.Value)))
		} else if point.Value != value {
			path = fmt.Appendf(path, "H%sV%s", px(x), px(y(point.Value)))
		}
		value = point.Value
	}
	if path == nil {
		return ""
	}
	return string(fmt.Appendf(path, "H%s", px(c.x(c.End))))
}

// tick returns a round number, four of which reach to most or a little less.
func tick(most float64) float64 {
	if most <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(most/4)))
	for _, n := range []float64{1, 2, 5} {
		if n*unit >= most/4 {
			return max(1, n*unit)
		}
	}
	return max(1, 10*unit)
}

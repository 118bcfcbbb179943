package picture

import (
	"math"
	"testing"
	"unicode/utf8"
)

// point is a place in a picture.
type point struct{ x, y float64 }

// area is what a shape or a text covers: a rectangle, which may lean.
type area struct {
	what    string
	corners [4]point
}

func (s shape) area() area {
	right, bottom := s.x+s.width, s.y+s.height
	return area{s.String(), [4]point{{s.x, s.y}, {right, s.y}, {right, bottom}, {s.x, bottom}}}
}

// area returns about what a text covers. Letters of a fixed-width font are 0.602 of its size
// wide, others up to 0.62; all stand up to 0.8 above the line and 0.2 below.
func (t text) area() area {
	width := map[string]float64{"": 0.602, "note": 0.55, "title": 0.61}[t.class]
	if width == 0 {
		panic("a text of class " + t.class)
	}
	length := float64(utf8.RuneCountInString(t.words+t.bold))*width*t.size + t.gap
	from := 0.0
	if t.end {
		from = -length
	}
	sin, cos := math.Sincos(t.angle * math.Pi / 180)
	at := func(along, down float64) point {
		return point{t.x + along*cos - down*sin, t.y + along*sin + down*cos}
	}
	up, down := -0.8*t.size, 0.2*t.size
	return area{t.String(), [4]point{at(from, up), at(from+length, up), at(from+length, down), at(from, down)}}
}

// overlaps reports whether two areas share more than an edge: no side of either separates them.
func (a *area) overlaps(b *area) bool {
	for _, of := range []*area{a, b} {
		for i := range 2 {
			p, q := of.corners[i], of.corners[i+1]
			side := point{q.x - p.x, q.y - p.y}
			aLow, aHigh := a.along(side)
			bLow, bHigh := b.along(side)
			if nearly := 0.02 * math.Hypot(side.x, side.y); aHigh <= bLow+nearly || bHigh <= aLow+nearly {
				return false
			}
		}
	}
	return true
}

// along returns the extent of the area in a direction.
func (a *area) along(d point) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range a.corners {
		v := p.x*d.x + p.y*d.y
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// areas returns those of everything in the picture but ticks.
func (d *drawn) areas() (areas []area) {
	add := func(texts []text, shapes []shape) {
		for _, t := range texts {
			areas = append(areas, t.area())
		}
		for _, s := range shapes {
			areas = append(areas, s.area())
		}
	}
	add(d.texts, d.swatches)
	for i := range d.rows {
		add([]text{d.rows[i].label}[:min(1, len(d.rows[i].label.words+d.rows[i].label.bold))], d.rows[i].cells)
	}
	return areas
}

// Areas that only touch do not overlap, nor do those that a leaning line separates.
func TestOverlaps(t *testing.T) {
	leaning := text{x: 10, y: 10, angle: -60, size: 10, words: "1234567890"}
	for what, c := range map[string]struct {
		a, b area
		want bool
	}{
		"the same":           {shape{0, 0, 2, 2, "", ""}.area(), shape{0, 0, 2, 2, "", ""}.area(), true},
		"one in the other":   {shape{0, 0, 9, 9, "", ""}.area(), shape{1, 1, 2, 2, "", ""}.area(), true},
		"beside":             {shape{0, 0, 2, 2, "", ""}.area(), shape{2, 0, 2, 2, "", ""}.area(), false},
		"below":              {shape{0, 0, 2, 2, "", ""}.area(), shape{0, 2, 2, 2, "", ""}.area(), false},
		"on the slope":       {leaning.area(), shape{24, -25, 5, 5, "", ""}.area(), true},
		"beside the slope":   {leaning.area(), shape{30, 0, 9, 9, "", ""}.area(), false},
		"parallel, too near": {leaning.area(), text{x: 20, y: 10, angle: -60, size: 10, words: "12"}.area(), true},
		"parallel":           {leaning.area(), text{x: 22, y: 10, angle: -60, size: 10, words: "12"}.area(), false},
	} {
		if c.a.overlaps(&c.b) != c.want || c.b.overlaps(&c.a) != c.want {
			t.Errorf("%s: want %t of %v and %v", what, c.want, c.a, c.b)
		}
	}
}

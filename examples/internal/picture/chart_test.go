package picture

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// chart returns a chart with text that needs escaping.
func chart() *Chart {
	return &Chart{
		Title: "a <b> & c", Notes: []string{"<note>"}, End: 100,
		Panels: []Panel{
			{Title: "<panel>", Lines: []Line{
				{Name: "<first>", Colour: "#000", Points: []Point{{0, 0}, {50, 100}, {150, 7}}},
				{Name: "none", Colour: "#111"},
			}},
			{Title: "empty"},
		},
		Marks: []Mark{{Time: 10, Text: "<left>"}, {Time: 90, Text: strings.Repeat("x", 100)}},
		Ticks: []float64{0, 50, 100},
		Time:  func(t float64) string { return fmt.Sprint(t, "<s>") },
	}
}

func TestChart(t *testing.T) {
	d := parse(t, chart().SVG())
	for _, word := range []string{"a <b> & c", "<note>", "<panel>", "<first>", "none", "empty", "<left>", "50<s>", strings.Repeat("x", maxMark-1) + "…"} {
		if !strings.Contains(d.words, word) {
			t.Errorf("%q is missing in %q", word, d.words)
		}
	}
	parse(t, (&Chart{}).SVG())
}

// A line keeps its value up to the next point, and what is later than the end is
// not drawn.
func TestPath(t *testing.T) {
	c := chart()
	up := func(value float64) float64 { return 1000 - value }
	left, middle, right := px(c.x(0)), px(c.x(50)), px(c.x(100))
	if got, want := c.path(&c.Panels[0].Lines[0], up), fmt.Sprintf("M%s 1000H%sV900H%s", left, middle, right); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := c.path(&Line{Points: []Point{{101, 1}}}, up); got != "" {
		t.Errorf("late: got %s", got)
	}
	var many Line
	for i := range 100_000 {
		many.Points = append(many.Points, Point{float64(i) / 1000, float64(i)})
	}
	got := c.path(&many, up)
	if n := strings.Count(got, "V"); n > chartWidth+1 || n < chartWidth-1 {
		t.Errorf("%d steps for %v pixels", n, chartWidth)
	}
	if !strings.HasSuffix(got, "V"+px(up(99_999))+"H"+right) {
		t.Errorf("the last value is missing: %s", got[len(got)-40:])
	}
}

func TestTick(t *testing.T) {
	for most, want := range map[float64]float64{0: 1, 1: 1, 3: 1, 4: 1, 5: 2, 8: 2, 9: 5, 20: 5, 21: 10, 100: 50, 300: 100, 820: 500, 1e9: 5e8} {
		if got := tick(most); got != want {
			t.Errorf("up to %v: got %v, want %v", most, got, want)
		}
	}
	for most := 1.0; most < 1e12; most *= 1.7 {
		if n := math.Ceil(most / tick(most)); n > 4 {
			t.Errorf("up to %v: %v steps of %v", most, n, tick(most))
		}
	}
}

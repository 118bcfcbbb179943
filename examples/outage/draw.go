package main

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/picture"
)

// named is how many events have their words in the picture: the first ones.
const named = 12

// draw returns a picture of the counts over time. The colours are those of Okabe
// and Ito, which colour-blind people can tell apart.
func (s *simulation) draw() []byte {
	c := &picture.Chart{
		Title: s.title(), Notes: s.notes(), End: s.o.end.Seconds(),
		Time: func(t float64) string { return short(time.Duration(t * float64(time.Second))) },
		Panels: []picture.Panel{
			{Title: "nodes", Lines: []picture.Line{
				{Name: "lost", Colour: "#0072b2", Points: s.points(func(c *counts) int { return c.lost })},
				{Name: "tainted NoExecute", Colour: "#d55e00", Points: s.points(func(c *counts) int { return c.tainted })},
			}},
			{Title: "pods", Lines: []picture.Line{
				{Name: "scheduled", Colour: "#e69f00", Points: s.points(func(c *counts) int { return c.scheduled })},
				{Name: "evicted", Colour: "#d55e00", Points: s.points(func(c *counts) int { return c.evicted })},
				{Name: "evictions cancelled", Colour: "#009e73", Points: s.points(func(c *counts) int { return c.cancelled })},
			}},
		},
	}
	for i := range s.timeline.events {
		if e := &s.timeline.events[i]; i < named {
			c.Marks = append(c.Marks, picture.Mark{Time: e.at.Seconds(), Text: short(e.at) + " " + e.String()})
		}
	}
	if more := len(s.timeline.events) - named; more > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("The first %d of %d events are named.", named, named+more))
	}
	for step, t := tick(s.o.end), time.Duration(0); t <= s.o.end; t += step {
		c.Ticks = append(c.Ticks, t.Seconds())
	}
	return c.SVG()
}

// points returns one of the counts over time.
func (s *simulation) points(of func(*counts) int) []picture.Point {
	points := make([]picture.Point, len(s.timeline.samples))
	for i := range points {
		sample := &s.timeline.samples[i]
		points[i] = picture.Point{Time: sample.at.Seconds(), Value: float64(of(&sample.counts))}
	}
	return points
}

// tick returns a round interval, of which a time has no more than ten.
func tick(end time.Duration) time.Duration {
	step := time.Second
	for _, factor := range [...]time.Duration{5, 2, 3, 2, 5, 2, 3, 2, 2, 3, 2, 2} { // 5s, 10s, 30s, 1m, 5m, ... 2 days
		if end <= 10*step {
			return step
		}
		step *= factor
	}
	for end > 10*step {
		step *= 2
	}
	return step
}

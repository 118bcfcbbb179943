package timeline

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// Sizes, in pixels, and limits of what is drawn.
const (
	margin    = 16.0
	left      = margin + 130 // where time begins, after names and numbers
	plotWidth = 860.0
	width     = left + plotWidth + margin
	panelHigh = 180.0
	gap       = 54.0
	rowHeight = 18.0
	lineGap   = 15.0
	charWidth = 6.7

	named    = 12 // moments that have words, the first ones
	drawn    = 16 // zones that have a strip, those with most silent nodes
	maxName  = 24 // characters of the name of a zone
	maxWords = 90 // characters of other text
)

// line is a count over time. The colours are those of Okabe and Ito, which colour-blind
// people can tell apart; dashes tell them apart without colour.
type line struct {
	name, colour, dash string
	of                 func(*Sample) int
}

var nodeLines = []line{
	{"lost", "#0072b2", "", func(s *Sample) int { return s.Lost }},
	{"tainted NoExecute", "#d55e00", "7 3", func(s *Sample) int { return s.Tainted }},
}

var podLines = []line{
	{"scheduled", "#e69f00", "7 3", func(s *Sample) int { return s.Scheduled }},
	{"evicted", "#d55e00", "", func(s *Sample) int { return s.Evicted }},
	{"evictions cancelled", "#009e73", "2 3", func(s *Sample) int { return s.Cancelled }},
}

// phase is how a zone is drawn; the heights tell phases apart without colour.
type phase struct {
	name, colour string
	height       float64
}

var phases = [...]phase{
	{"normal", "#bbbbbb", 3},
	{"partial disruption", "#e69f00", 7},
	{"full disruption", "#d55e00", 11},
	{"all zones lost: nothing is tainted", "#0072b2", 15},
}

const allLost = len(phases) - 1

// SVG returns a picture: nodes and pods over time, the states of up to 16 zones, and the
// first moments in words. Its size is bounded, whatever the timeline: points closer than a
// pixel are one. Names are escaped, and long ones cut.
func (t *Timeline) SVG() []byte {
	p := &page{t: t, end: max(t.End, time.Second)}
	moments := t.moments()
	notes := t.notes(len(moments))
	moments = moments[:min(len(moments), named)]
	strips := t.strips()
	top := margin + 36 + float64(len(notes))*16 + float64(len(moments))*lineGap + 10
	zones := top + 2*(panelHigh+gap) + gap/2
	height := zones + float64(len(strips))*rowHeight + 30 + margin
	p.open(height, t.title(), notes)
	p.moments(moments, top, zones-gap)
	p.panel("nodes", nodeLines, top+gap/2)
	p.panel("pods", podLines, top+gap/2+panelHigh+gap)
	p.strips(strips, zones)
	p.printf("</svg>\n")
	return p.out.Bytes()
}

func (t *Timeline) title() string {
	silent := 0
	for i := range t.Nodes {
		silent += count(t.Nodes[i].Silent != Never)
	}
	return fmt.Sprintf("%s of %s nodes fall silent: %s of %s pods are evicted", thousands(silent), thousands(len(t.Nodes)),
		thousands(len(t.Evicted)), thousands(len(t.Pods)))
}

func (t *Timeline) notes(moments int) []string {
	c := &t.cluster.Config
	notes := []string{
		"Times are counted from the start. " + fmt.Sprintf("A node is lost after %s without heartbeat.", short(c.GracePeriod)),
		fmt.Sprintf("In a zone %v nodes a second are tainted. Evictions: %v.", c.Rate, t.cluster.Policy),
	}
	if moments > named {
		notes = append(notes, fmt.Sprintf("The first %d of %s moments are named.", named, thousands(moments)))
	}
	return notes
}

// strip is a zone over time: its phase from each time on.
type strip struct {
	group  *Group
	points []point
}

type point struct {
	at    time.Duration
	phase int
}

// strips returns the zones that are drawn: those with most silent nodes, by name.
func (t *Timeline) strips() []strip {
	groups := t.Groups(nil)
	order := make([]strip, len(groups))
	for i := range groups {
		order[i].group = &groups[i]
	}
	slices.SortStableFunc(order, func(a, b strip) int { return cmp.Compare(b.group.Silent, a.group.Silent) })
	order = order[:min(len(order), drawn)]
	slices.SortFunc(order, func(a, b strip) int { return cmp.Compare(a.group.Name, b.group.Name) })
	index := map[string]int{}
	for i := range order {
		index[order[i].group.Name] = i
		order[i].points = []point{{0, phaseOf(t.zones[order[i].group.Name])}}
	}
	stopped := false
	for i := range t.Events {
		switch e := &t.Events[i]; e.Kind {
		case Stopped, Resumed:
			stopped = e.Kind == Stopped
			for j := range order {
				order[j].enter(e.At, stopped)
			}
		case ZoneChanged:
			if j, found := index[e.Zone]; found && !stopped {
				order[j].points = append(order[j].points, point{e.At, phaseOf(e.State)})
			}
		}
	}
	return order
}

// enter notes that all zones are lost, or no longer; what state the zone comes to is
// another event.
func (s *strip) enter(at time.Duration, stopped bool) {
	to := phaseOf(lifecycle.FullDisruption)
	if stopped {
		to = allLost
	}
	s.points = append(s.points, point{at, to})
}

func phaseOf(state lifecycle.State) int {
	switch state {
	case lifecycle.PartialDisruption:
		return 1
	case lifecycle.FullDisruption:
		return 2
	}
	return 0
}

// page is the SVG text that grows.
type page struct {
	t   *Timeline
	end time.Duration
	out bytes.Buffer
}

// printf writes markup; text from outside goes through escape.
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
	p.printf(`<text x="%s" y="%s" %s>%s</text>`+"\n", px(x), px(y), attributes, escape(cut(text, maxWords)))
}

// px returns a number of pixels, to the hundredth.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// cut shortens text to so many characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// x returns where a time is.
func (p *page) x(at time.Duration) float64 {
	return left + plotWidth*float64(min(max(0, at), p.end))/float64(p.end)
}

// open writes the beginning of the picture.
func (p *page) open(height float64, title string, notes []string) {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s">`+"\n", px(width), px(height))
	p.printf("<title>%s</title>\n<style>\n", escape(title))
	p.printf("text{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#222}\n")
	p.printf(".title{font:600 18px system-ui,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif}\n")
	p.printf(".note{font:12px system-ui,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#555}\n")
	p.printf(".n{font-weight:700}.line{fill:none;stroke-width:2}.axis{stroke:#ddd}.tick{stroke:#999}.mark{stroke:#999;stroke-dasharray:3 3}\n")
	p.printf("</style>\n" + `<rect width="100%%" height="100%%" fill="#fff"/>` + "\n")
	p.text(margin, margin+16, `class="title"`, title)
	for i, note := range notes {
		p.text(margin, margin+36+float64(i)*16, `class="note"`, note)
	}
}

// moments writes a line through all panels for each, and its words, each one line lower
// than the one before, so that they do not overlap.
func (p *page) moments(list []moment, top, bottom float64) {
	for i := range list {
		x, y := p.x(list[i].at), top-float64(len(list)-i)*lineGap
		p.printf(`<path class="mark" d="M%s %sV%s"/>`, px(x), px(y), px(bottom))
		text := short(list[i].at) + " " + list[i].String()
		if x < left+plotWidth/2 {
			p.text(x+4, y+4, "", text)
		} else {
			p.text(x-4, y+4, `text-anchor="end"`, text)
		}
	}
}

// panel writes counts with one scale, which begins with zero, and their legend.
func (p *page) panel(title string, lines []line, top float64) {
	most := 0
	for i := range p.t.Samples {
		for _, l := range lines {
			most = max(most, l.of(&p.t.Samples[i]))
		}
	}
	step := roundStep(most)
	high := step * max(1, (most+step-1)/step)
	base := top + panelHigh
	y := func(value int) float64 { return base - panelHigh*float64(value)/float64(high) }
	for value := 0; value <= high; value += step {
		p.printf(`<path class="axis" d="M%s %sh%s"/>`, px(left), px(y(value)), px(plotWidth))
		p.text(left-8, y(value)+4, `text-anchor="end"`, thousands(value))
	}
	p.ticks(base)
	p.text(left, top-10, `class="n"`, title)
	x := left + float64(len(title)+3)*charWidth
	for i := range lines {
		l := &lines[i]
		style := fmt.Sprintf(`stroke="%s" stroke-dasharray="%s"`, l.colour, cmp.Or(l.dash, "none"))
		p.printf(`<path %s stroke-width="3" d="M%s %sh28"/>`, style, px(x), px(top-14))
		p.text(x+34, top-10, "", l.name)
		p.printf(`<path class="line" %s d="%s"><title>%s</title></path>`+"\n", style, p.path(l, y), escape(l.name))
		x += 34 + float64(len(l.name)+3)*charWidth
	}
}

// ticks writes the times below a panel: with units, counted from the start.
func (p *page) ticks(base float64) {
	step := tick(p.end)
	for at := time.Duration(0); at <= p.end; at += step {
		p.printf(`<path class="tick" d="M%s %sv5"/>`, px(p.x(at)), px(base))
		p.text(p.x(at), base+17, `text-anchor="middle"`, short(at))
	}
}

// path returns the steps of a line. Of samples that fall on one pixel only the last one is
// drawn.
func (p *page) path(l *line, y func(int) float64) string {
	path, value := fmt.Appendf(nil, "M%s %s", px(left), px(y(0))), 0
	samples := p.t.Samples
	for i := range samples {
		x := math.Round(p.x(samples[i].At))
		if i+1 < len(samples) && math.Round(p.x(samples[i+1].At)) == x {
			continue
		}
		if v := l.of(&samples[i]); v != value {
			path, value = fmt.Appendf(path, "H%sV%s", px(x), px(y(v))), v
		}
	}
	return string(fmt.Appendf(path, "H%s", px(p.x(p.end))))
}

// roundStep returns a round number, four of which reach to most or a little less.
func roundStep(most int) int {
	unit := 1
	for unit*10 <= most/4 {
		unit *= 10
	}
	for _, n := range [...]int{1, 2, 5} {
		if n*unit*4 >= most {
			return n * unit
		}
	}
	return 10 * unit
}

// strips writes the zones and the legend of their phases.
func (p *page) strips(strips []strip, top float64) {
	p.text(left, top-10, `class="n"`, "zones")
	x := left + 8*charWidth
	for _, phase := range phases {
		p.printf(`<rect x="%s" y="%s" width="28" height="%s" fill="%s"/>`, px(x), px(top-14-phase.height/2), px(phase.height), phase.colour)
		p.text(x+34, top-10, "", phase.name)
		x += 34 + float64(len(phase.name)+3)*charWidth
	}
	for i := range strips {
		p.strip(&strips[i], top+(float64(i)+0.5)*rowHeight)
	}
	p.ticks(top + float64(len(strips))*rowHeight + 2)
}

// strip writes one zone, with how many pods are evicted at its end.
func (p *page) strip(s *strip, y float64) {
	g := s.group
	evicted := fmt.Sprintf("%s of %s pods are evicted", thousands(g.Outcomes[Evicted]), thousands(g.Pods))
	p.printf(`<g><title>%s</title>`, escape(cut(name(g.Name), maxWords)+": "+evicted))
	p.text(left-8, y+4, `text-anchor="end"`, shortName(g.Name, maxName-6))
	for i := range s.points {
		until := p.end
		if i+1 < len(s.points) {
			until = s.points[i+1].at
		}
		from, to := p.x(s.points[i].at), p.x(until)
		phase := &phases[s.points[i].phase]
		if math.Round(to*2) > math.Round(from*2) {
			p.printf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, px(from), px(y-phase.height/2), px(to-from), px(phase.height), phase.colour)
		}
	}
	p.printf("</g>\n")
}

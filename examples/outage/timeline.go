package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
)

// timeline is what happened: events, which have words, and counts, each from its
// time on.
type timeline struct {
	events  []event
	samples []sample
}

// event is words, or that zones are in a new state.
type event struct {
	at    time.Duration
	text  string
	zones []string
}

type sample struct {
	at time.Duration
	counts
}

// event adds an event. They may come in any order.
func (l *timeline) event(at time.Duration, text string) {
	l.events = append(l.events, event{at: at, text: text})
}

// change adds the event that a zone is in a new state. Zones that are so at the
// same time share one.
func (l *timeline) change(at time.Duration, zone, state string) {
	for i := len(l.events) - 1; i >= 0 && l.events[i].at == at; i-- {
		if e := &l.events[i]; e.zones != nil && e.text == state {
			e.zones = append(e.zones, zone)
			return
		}
	}
	l.events = append(l.events, event{at, state, []string{zone}})
}

// String returns the event in words.
func (e *event) String() string {
	if e.zones == nil {
		return e.text
	}
	return zonesText(e.zones) + ": " + e.text
}

// listed is how many zones are named one by one.
const listed = 6

// zonesText names zones: "zone a", "zones a and b", "zones a to d". If one between is
// missing they are named one by one, or counted.
func zonesText(zones []string) string {
	switch n := len(zones); {
	case n == 1:
		return "zone " + zones[0]
	case n > 2 && zones[n-1] == zoneName(zoneNumber(zones[0])+n-1):
		return "zones " + zones[0] + " to " + zones[n-1]
	case n > listed:
		return thousands(n) + " zones"
	default:
		return "zones " + strings.Join(zones[:n-1], ", ") + " and " + zones[n-1]
	}
}

// sample notes the counts if they have changed. Samples come in the order of time.
func (l *timeline) sample(at time.Duration, c counts) {
	n := len(l.samples)
	switch {
	case n > 0 && l.samples[n-1].counts == c:
	case n > 0 && l.samples[n-1].at == at:
		l.samples[n-1].counts = c
	default:
		l.samples = append(l.samples, sample{at, c})
	}
}

// script adds the events that the options ask for, and puts all in the order of
// time, those of the script first.
func (l *timeline) script(o *options) {
	var planned []event
	plan := func(at time.Duration, text string) {
		if at > 0 && at <= o.end {
			planned = append(planned, event{at: at, text: text})
		}
	}
	outageOf := func(g *outage, where string) {
		if g.lost > 0 {
			plan(g.lost, "heartbeats stop in "+where)
			plan(g.back, "heartbeats come back in "+where)
		}
	}
	outageOf(&o.first, "zone a")
	if o.zones > 1 {
		var names []string
		for zone := 1; zone < o.zones; zone++ {
			names = append(names, zoneName(zone))
		}
		outageOf(&o.others, zonesText(names))
	}
	l.events = append(planned, l.events...)
	slices.SortStableFunc(l.events, func(a, b event) int { return int(min(1, max(-1, a.at-b.at))) })
}

// write prints a line for each event, one at the end of each interval in which the
// counts have changed, and a last one.
func (l *timeline) write(out *bytes.Buffer, o *options) {
	fmt.Fprintf(out, "%20s %18s\n", "NODES", "PODS")
	fmt.Fprintf(out, "%11s %8s %8s %9s %9s %9s\n", "TIME", "LOST", "TAINTED", "SCHEDULED", "EVICTED", "CANCELLED")
	events, samples := l.events, l.samples
	var now, printed counts
	line := func(at time.Duration, text string) {
		for len(samples) > 0 && samples[0].at <= at {
			now, samples = samples[0].counts, samples[1:]
		}
		if text == "" && now == printed {
			return
		}
		printed = now
		row := fmt.Sprintf("%11s %8s %8s %9s %9s %9s  %s", short(at), thousands(now.lost), thousands(now.tainted),
			thousands(now.scheduled), thousands(now.evicted), thousands(now.cancelled), text)
		out.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	for len(events) > 0 || len(samples) > 0 {
		next := o.end
		if len(samples) > 0 { // the end of the interval that it is in
			next = min(next, (samples[0].at+o.every-1)/o.every*o.every)
		}
		for len(events) > 0 && events[0].at <= next {
			line(events[0].at, events[0].String())
			events = events[1:]
		}
		line(next, "")
	}
	line(o.end, "end")
}

package timeline

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Never is the time of what does not happen.
const Never = time.Duration(math.MaxInt64)

// horizon is a time so late that nothing is played after it: a day before that at
// which the clocks of the controllers end, 292 years after they start.
const horizon = math.MaxInt64/2 - 24*time.Hour

// beat is a moment at which the heartbeats of a node begin to come, or end: the last
// one comes then. A heartbeat by itself is one that ends.
type beat struct {
	at   time.Duration
	node int32
	on   bool
}

// compareBeats puts the nodes in the order in which they are given, so that a timeline
// is the same each time. A node has one beat at a time.
func compareBeats(a, b beat) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.node, b.node))
}

// span is a time, its end excluded.
type span struct{ from, until time.Duration }

// silencesOf returns the silences of each node, in order and without overlaps.
func (c *Cluster) silencesOf(index map[string]int32) [][]span {
	silences := make([][]span, len(c.Nodes))
	for i := range c.Outages {
		s := &c.Outages[i]
		x := span{-Never, Never}
		if !s.From.IsZero() {
			x.from = s.From.Sub(c.Start)
		}
		if !s.Until.IsZero() {
			x.until = s.Until.Sub(c.Start)
		}
		node := index[s.Node]
		silences[node] = append(silences[node], x)
	}
	for i := range silences {
		silences[i] = merged(silences[i])
	}
	return silences
}

// merged returns the spans in order, those that overlap or touch as one.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.from <= out[n-1].until {
			out[n-1].until = max(out[n-1].until, s.until)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// appendBeats appends when the heartbeats of a node come from the start on: last is the
// last one that it had, which is not after the start. The silences are in order.
func appendBeats(dst []beat, node int32, last, interval time.Duration, silences []span) []beat {
	from := max(0, last+1)
	run := func(until time.Duration) {
		first := last + (from-last+interval-1)/interval*interval
		if until >= horizon {
			dst = append(dst, beat{first, node, true})
		} else if end := last + (until-1-last)/interval*interval; end > first {
			dst = append(dst, beat{first, node, true}, beat{end, node, false})
		} else if end == first {
			dst = append(dst, beat{first, node, false})
		}
	}
	for _, s := range silences {
		run(s.from)
		from = max(from, s.until)
		if from >= horizon {
			return dst
		}
	}
	run(Never)
	return dst
}

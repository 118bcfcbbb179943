package timeline

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// told is how many moments have lines in a table.
const told = 100

// AppendText appends a table to dst and returns the extended slice. It has a line for each of
// the first 100 moments at which something happens to zones, a line for the end of each
// interval in which the counts have changed, and at its end a line for each zone. every is
// the interval; if it is zero or negative, a round one is chosen, of which there are at most
// ten. Only lines about zones can be wider than 100 columns. Do not parse the text.
func (t *Timeline) AppendText(dst []byte, every time.Duration) []byte {
	out := bytes.NewBuffer(dst)
	t.writeSteps(out, every)
	t.writeZones(out)
	return out.Bytes()
}

func (t *Timeline) writeSteps(out *bytes.Buffer, every time.Duration) {
	if every <= 0 {
		every = tick(t.End)
	}
	every = min(every, horizon) // more would overflow, and End is no later
	fmt.Fprintf(out, "%20s %18s\n", "NODES", "PODS")
	fmt.Fprintf(out, "%11s %8s %8s %9s %9s %9s\n", "TIME", "LOST", "TAINTED", "SCHEDULED", "EVICTED", "CANCELLED")
	moments, samples := t.moments(), t.Samples
	more := len(moments) - told
	moments = moments[:min(len(moments), told)]
	var now, printed Sample
	line := func(at time.Duration, text string) {
		for len(samples) > 0 && samples[0].At <= at {
			now, samples = samples[0], samples[1:]
		}
		now.At = 0
		if text == "" && now == printed {
			return
		}
		printed = now
		row := fmt.Sprintf("%11s %8s %8s %9s %9s %9s  %s", short(at), thousands(now.Lost), thousands(now.Tainted),
			thousands(now.Scheduled), thousands(now.Evicted), thousands(now.Cancelled), text)
		out.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	for len(moments) > 0 || len(samples) > 0 {
		next := t.End
		if len(samples) > 0 { // the end of the interval that it is in
			next = min(next, (samples[0].At+every-1)/every*every)
		}
		for len(moments) > 0 && moments[0].at <= next {
			line(moments[0].at, moments[0].String())
			moments = moments[1:]
		}
		line(next, "")
	}
	line(t.End, "end")
	if more > 0 {
		fmt.Fprintf(out, "%s more moments have no words.\n", thousands(more))
	}
}

// writeZones prints a line for each zone.
func (t *Timeline) writeZones(out *bytes.Buffer) {
	groups := t.Groups(nil)
	width := len("ZONE")
	for i := range groups {
		width = max(width, len(cut(name(groups[i].Name), maxName)))
	}
	fmt.Fprintf(out, "\n%-*s %7s %7s %7s %7s %9s %9s %9s %9s  %s\n", width, "ZONE", "NODES", "SILENT", "LOST", "TAINTED", "PODS", "EVICTED", "CANCELLED", "WAITING", "EVICTIONS")
	for i := range groups {
		g := &groups[i]
		from := "none"
		if g.First != Never {
			from = short(g.First) + " to " + short(g.Last)
		}
		fmt.Fprintf(out, "%-*s %7s %7s %7s %7s %9s %9s %9s %9s  %s\n", width, cut(name(g.Name), maxName), thousands(g.Nodes), thousands(g.Silent), thousands(g.Lost),
			thousands(g.Tainted), thousands(g.Pods), thousands(g.Outcomes[Evicted]), thousands(g.Outcomes[Cancelled]), thousands(g.Outcomes[Waiting]), from)
	}
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
	for end/10 > step {
		step *= 2
	}
	return step
}

// change is that the heartbeats of nodes of a zone stop or come back.
type change struct {
	at    time.Duration
	zone  string
	back  bool
	nodes int
}

func (s *change) text() string {
	nodes := "1 node"
	if s.nodes != 1 {
		nodes = thousands(s.nodes) + " nodes"
	}
	if s.back {
		return nodes + " back"
	}
	return nodes + " silent"
}

// silences returns when nodes fall silent and are back, those of a time and zone as one.
func (t *Timeline) silences() []change {
	var list []change
	index := make(map[string]int32, len(t.cluster.Nodes))
	for i := range t.cluster.Nodes {
		index[t.cluster.Nodes[i].Name] = int32(i)
	}
	for node, spans := range t.cluster.silencesOf(index) {
		zone := t.zoneOf(int32(node))
		for _, s := range spans {
			if s.until > 0 && s.from <= t.End {
				list = append(list, change{max(0, s.from), zone, false, 1})
			}
			if s.until > 0 && s.until <= t.End {
				list = append(list, change{s.until, zone, true, 1})
			}
		}
	}
	slices.SortFunc(list, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), compareBools(a.back, b.back), cmp.Compare(a.zone, b.zone))
	})
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && out[n-1].at == s.at && out[n-1].back == s.back && out[n-1].zone == s.zone {
			out[n-1].nodes++
		} else {
			out = append(out, s)
		}
	}
	return out
}

// compareBools puts false first.
func compareBools(a, b bool) int { return count(a) - count(b) }

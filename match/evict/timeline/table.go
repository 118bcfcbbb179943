package timeline

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// told is how many moments have lines in a table.
const told = 100

// AppendText appends a table to dst and returns the extended slice. It has a line for each of
// the first 100 moments at which something happens to zones, a line for the end of each
// interval in which the counts have changed, and at its end a line for each zone. every is
// the interval; if it is zero or negative, a round one is chosen, of which there are at most
// ten. Lines end at 100 columns: what is said about zones continues in further lines, and
// long names of zones are shortened in the middle. Do not parse the text.
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
		row := fmt.Sprintf("%11s %8s %8s %9s %9s %9s  ", short(at), thousands(now.Lost), thousands(now.Tainted),
			thousands(now.Scheduled), thousands(now.Evicted), thousands(now.Cancelled))
		out.WriteString(strings.TrimRight(row+wrap(text, len(row)), " ") + "\n")
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

// columns is how wide lines are.
const columns = 100

// wrap breaks a text that begins at a column into lines that begin there.
func wrap(text string, at int) string {
	var out strings.Builder
	end := at
	for i, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case end+1+n > columns:
			fmt.Fprintf(&out, "\n%*s", at, "")
			end = at
		default:
			out.WriteByte(' ')
			end++
		}
		out.WriteString(word)
		end += n
	}
	return out.String()
}

// writeZones prints a line for each zone, or two if its name is long.
func (t *Timeline) writeZones(out *bytes.Buffer) {
	rows := [][]string{{"ZONE", "NODES", "SILENT", "LOST", "TAINTED", "PODS", "EVICTED", "CANCELLED", "WAITING", "EVICTIONS"}}
	groups := t.Groups(nil)
	for i := range groups {
		g, from := &groups[i], "none"
		if g.First != Never {
			from = brief(max(0, g.First)) // what was due before leaves at the start
			if last := brief(max(0, g.Last)); last != from {
				from += " to " + last
			}
		}
		rows = append(rows, []string{
			shortName(g.Name, maxName), thousands(g.Nodes), thousands(g.Silent), thousands(g.Lost), thousands(g.Tainted),
			thousands(g.Pods), thousands(g.Outcomes[Evicted]), thousands(g.Outcomes[Cancelled]), thousands(g.Outcomes[Waiting]), from,
		})
	}
	out.WriteByte('\n')
	writeRows(out, rows, []int{0, 7, 7, 7, 0, 9, 9, 0, 9, 0})
}

// writeRows writes rows in columns of at least so many characters, or if the names do not
// fit then, of no more than is needed. A name that does not fit has a line of its own.
func writeRows(out *bytes.Buffer, rows [][]string, least []int) {
	names, lines, widest := align(rows, least)
	if names+widest > columns {
		names, lines, widest = align(rows, make([]int, len(least)))
	}
	room := min(names, max(0, columns-widest))
	for i, line := range lines {
		if utf8.RuneCountInString(rows[i][0]) > room {
			fmt.Fprintf(out, "%s\n%*s%s\n", rows[i][0], room, "", line)
		} else {
			fmt.Fprintf(out, "%-*s%s\n", room, rows[i][0], line)
		}
	}
}

// align returns the rows without their names, with columns of at least so many characters, and
// how many the names and the widest of the lines have. The names are text, and the last
// column too; the others are numbers.
func align(rows [][]string, least []int) (names int, lines []string, widest int) {
	widths := slices.Clone(least)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	last := len(least) - 1
	for _, row := range rows {
		line := ""
		for i := 1; i < last; i++ {
			line += fmt.Sprintf(" %*s", widths[i], row[i])
		}
		line += "  " + row[last]
		lines, widest = append(lines, line), max(widest, len(line))
	}
	return widths[0], lines, widest
}

// brief returns a duration in words, without parts of a second beside hours.
func brief(d time.Duration) string {
	if d >= time.Hour {
		d = d.Round(time.Second)
	}
	return short(d)
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
	for node, spans := range t.silent {
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
		return cmp.Or(cmp.Compare(a.at, b.at), count(a.back)-count(b.back), cmp.Compare(a.zone, b.zone))
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

package timeline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// The time between two lines is round, and ten of it or fewer reach the end.
func TestTick(t *testing.T) {
	const day = 24 * time.Hour
	for end, want := range map[time.Duration]time.Duration{
		0: time.Second, 10 * time.Second: time.Second, 10*time.Second + 1: 5 * time.Second, 50 * time.Second: 5 * time.Second, 50*time.Second + 1: 10 * time.Second,
		100*time.Second + 1: 30 * time.Second, 300*time.Second + 1: time.Minute, 10*time.Minute + 1: 5 * time.Minute, 50*time.Minute + 1: 10 * time.Minute,
		100*time.Minute + 1: 30 * time.Minute, 5*time.Hour + 1: time.Hour, 10*time.Hour + 1: 2 * time.Hour, 20*time.Hour + 1: 6 * time.Hour,
		60*time.Hour + 1: 12 * time.Hour, 5*day + 1: day, 10 * day: day, 10*day + 9: day, 10*day + 10: 2 * day, 20 * day: 2 * day, 20*day + 10: 4 * day, 40 * day: 4 * day, 41 * day: 8 * day,
		Never: 1 << 14 * day,
	} {
		if got := tick(end); got != want {
			t.Errorf("%v: %v, want %v", end, got, want)
		}
	}
}

// Four steps of a scale, or a few more, reach the greatest number.
func TestRoundStep(t *testing.T) {
	for most, want := range map[int]int{
		0: 1, 1: 1, 4: 1, 5: 2, 8: 2, 9: 5, 20: 5, 21: 10, 39: 10, 40: 10, 41: 20, 80: 20, 81: 50, 200: 50, 201: 100, 399: 100, 400: 100, 401: 200, 2001: 1000, 1_000_000: 500_000,
	} {
		if got := roundStep(most); got != want {
			t.Errorf("%d: %d, want %d", most, got, want)
		}
	}
}

func TestWordsOfNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 999999: "999,999", 1000000: "1,000,000"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0s", time.Minute: "1m", time.Hour: "1h", 10 * time.Minute: "10m", 90 * time.Minute: "1h30m", 10 * time.Hour: "10h", time.Hour + time.Second: "1h0m1s",
		1499 * time.Microsecond: "1ms", 1500 * time.Microsecond: "2ms", 20 * time.Second: "20s",
	} {
		if got := short(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{Never: "never", -time.Second: "1s before the start", 0: "after 0s", 5 * time.Minute: "after 5m"} {
		if got := after(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
	for n, want := range []string{"", "zone a", "zones a and a", "zones a, a and a", "", "", "zones a, a, a, a, a and a", "7 zones"} {
		if zones := strings.Split(strings.Repeat(",a", n), ",")[1:]; want != "" && zonesText(zones) != want {
			t.Errorf("%d: %s", n, zonesText(zones))
		}
	}
	if got := new(Fate).cause(); got != "" {
		t.Errorf("the cause of no eviction is %q", got)
	}
	for text, want := range map[string]string{"": "", "äbc": "äbc", "äbcd": "äb…", "abcdef": "ab…"} {
		if got := cut(text, 3); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A table has the first hundred moments in words, and says how many more there are.
func TestMoreMoments(t *testing.T) {
	tl := &Timeline{End: 102 * time.Second, Samples: []Sample{{}}, cluster: &Cluster{}}
	for _, c := range []struct {
		events int
		want   string
	}{{100, ""}, {101, "1 more moments have no words.\n"}} {
		tl.Events = nil
		for i := range c.events {
			tl.Events = append(tl.Events, Event{At: time.Duration(i+1) * time.Second, Kind: Resumed, Node: -1})
		}
		text := string(tl.AppendText(nil, time.Second))
		if n := strings.Count(text, "some zone is back"); n != 100 || strings.Contains(text, "more moments") != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%d moments in\n%s", n, text)
		}
		if !strings.Contains(text, fmt.Sprintf("%11s %8d", "1m40s", 0)) {
			t.Errorf("the last moment is missing in\n%s", text)
		}
	}
}

// A line is at the end of the interval in which the counts have changed, which may be the
// moment of the change itself.
func TestIntervals(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		every time.Duration
		at    []time.Duration // when the number of lost nodes changes
		want  string
	}{
		{60 * s, []time.Duration{60 * s}, "1m=1 5m=1"},
		{60 * s, []time.Duration{60*s - 1}, "1m=1 5m=1"},
		{60 * s, []time.Duration{60*s + 1}, "2m=1 5m=1"},
		{60 * s, []time.Duration{1, 60 * s, 61 * s, 70 * s, 180 * s}, "1m=2 2m=4 3m=5 5m=5"},
		{200 * s, []time.Duration{1, 250 * s}, "3m20s=1 5m=2 5m=2"},
		{1, []time.Duration{1, 250 * s}, "0s=1 4m10s=2 5m=2"},
		{0, []time.Duration{1, 250 * s}, "30s=1 4m30s=2 5m=2"},
		{-1, []time.Duration{1, 250 * s}, "30s=1 4m30s=2 5m=2"},
	} {
		tl := &Timeline{End: 300 * s, Samples: []Sample{{}}, cluster: &Cluster{}}
		for i, at := range c.at {
			tl.Samples = append(tl.Samples, Sample{At: at, Lost: i + 1})
		}
		text, _, _ := strings.Cut(string(tl.AppendText(nil, c.every)), "\n\n")
		var got []string
		for line := range strings.Lines(text) {
			if words := strings.Fields(line); len(words) > 5 && words[1] != "LOST" {
				got = append(got, words[0]+"="+words[1])
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("every %v, %v: %s, want %s", c.every, c.at, got, c.want)
		}
	}
	// Counts that change and change back have no line.
	tl := &Timeline{End: 300 * s, Samples: []Sample{{}, {At: s, Lost: 1}, {At: 2 * s}, {At: 100 * s, Lost: 1}}, cluster: &Cluster{}}
	if text := string(tl.AppendText(nil, 30*s)); strings.Contains(text, "30s") || !strings.Contains(text, "2m ") {
		t.Errorf("got\n%s", text)
	}
}

// Outages are told from the start to the end, those of one moment and zone together.
func TestSilencesAreTold(t *testing.T) {
	const s = time.Second
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := &Cluster{Start: start}
	for i, x := range []struct {
		zone        string
		from, until time.Duration
	}{
		{"a", -60 * s, -30 * s}, {"a", -60 * s, 0}, {"a", -60 * s, 1}, {"a", 10 * s, 60 * s}, {"a", 60 * s, 300 * s}, {"a", 60 * s, 301 * s},
		{"b", 300 * s, 400 * s}, {"b", 300*s + 1, 400 * s}, {"b", 60 * s, 300*s + 1}, {"b", 10 * s, 60 * s}, {"b", 20 * s, 60 * s},
	} {
		n := Node{Name: fmt.Sprint(i)}
		n.State.Zone = x.zone
		c.Nodes = append(c.Nodes, n)
		c.Outages = append(c.Outages, Outage{n.Name, start.Add(x.from), start.Add(x.until)})
	}
	index := make(map[string]int32)
	for i := range c.Nodes {
		index[c.Nodes[i].Name] = int32(i)
	}
	tl := &Timeline{End: 300 * s, Nodes: make([]NodeTimes, len(c.Nodes)), cluster: c, silent: c.silencesOf(index)}
	var got []string
	for _, x := range tl.silences() {
		got = append(got, fmt.Sprint(short(x.at), " ", x.zone, ": ", x.text()))
	}
	want := []string{"0s a: 1 node silent", "0s a: 1 node back", "10s a: 1 node silent", "10s b: 1 node silent", "20s b: 1 node silent", "1m a: 2 nodes silent", "1m b: 1 node silent",
		"1m a: 1 node back", "1m b: 2 nodes back", "5m b: 1 node silent", "5m a: 1 node back"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	tl.cluster, tl.Nodes = &Cluster{Start: start, Nodes: c.Nodes[:2], Outages: []Outage{
		{"0", start, start.Add(60 * s)}, {"1", start.Add(60 * s), start.Add(90 * s)}}}, tl.Nodes[:2]
	tl.silent = tl.cluster.silencesOf(index)
	if n := len(tl.silences()); n != 4 { // one is back when the other falls silent
		t.Errorf("%d changes", n)
	}
}

// The last thing is a change of the counts, or an event that changes none.
func TestLast(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		samples []Sample
		events  []Event
		want    time.Duration
	}{
		{[]Sample{{}}, nil, 0}, {[]Sample{{}, {At: 5 * s}}, nil, 5 * s}, {[]Sample{{}}, []Event{{At: 3 * s}}, 3 * s},
		{[]Sample{{}, {At: 5 * s}}, []Event{{At: 3 * s}}, 5 * s}, {[]Sample{{}, {At: 5 * s}}, []Event{{At: 3 * s}, {At: 7 * s}}, 7 * s},
	} {
		if got := (&Timeline{Samples: c.samples, Events: c.events}).last(); got != c.want {
			t.Errorf("%v, %v: %v", c.samples, c.events, got)
		}
	}
}

// Text that begins at a column fills its lines to the last column.
func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "a b c": "a b c", "four five": "four five", "four fives": "four\nxfives", "ééééé ééé é": "ééééé ééé\nxé", "ab cd ef gh": "ab cd ef\nxgh", "much-too-long-for-it": "much-too-long-for-it",
		"a much-too-long-for-it b": "a\nxmuch-too-long-for-it\nxb",
	} {
		want = strings.ReplaceAll(want, "x", strings.Repeat(" ", columns-9))
		if text == "much-too-long-for-it" || want == "" {
			want = text
		}
		if got := wrap(text, columns-9); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second + 2*time.Millisecond: "1.002s", time.Hour - time.Millisecond: "59m59.999s", time.Hour + time.Millisecond: "1h", time.Hour + 1499*time.Millisecond: "1h0m1s",
	} {
		if got := brief(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// Names of zones keep both ends, which differ.
func TestShortName(t *testing.T) {
	for most, want := range map[int]string{12: "region/zone1", 11: "regio…zone1", 10: "regi…zone1", 5: "re…e1"} {
		if got := shortName("region:\x00:zone1", most); got != want {
			t.Errorf("%d: %s, want %s", most, got, want)
		}
	}
}

// If the widest name does not fit, numbers take the room that they need. Names that do not
// fit then have lines of their own.
func TestNamesOfRows(t *testing.T) {
	wide := strings.Repeat("w", columns-15)
	for name, want := range map[string]string{
		"123456":                     "123456 12   3  " + wide + "\nb       7   8  end\n",
		"1234567":                    "1234567 12 3  " + wide + "\nb        7 8  end\n",
		"éééééééé":                   "éééééééé 12 3  " + wide + "\nb         7 8  end\n",
		strings.Repeat("n", columns): strings.Repeat("n", columns) + "\n         12 3  " + wide + "\nb         7 8  end\n",
		"123456789":                  "123456789\n         12 3  " + wide + "\nb         7 8  end\n",
	} {
		var out bytes.Buffer
		writeRows(&out, [][]string{{name, "12", "3", wide}, {"b", "7", "8", "end"}}, []int{0, 2, 3, 0})
		if got := out.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// Not even a line that is too wide moves.
func TestRowsWithoutRoom(t *testing.T) {
	wide := strings.Repeat("w", columns)
	var out bytes.Buffer
	writeRows(&out, [][]string{{"name", "1", wide}}, []int{0, 0, 0})
	if got, want := out.String(), "name\n 1  "+wide+"\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

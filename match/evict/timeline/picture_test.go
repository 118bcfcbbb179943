package timeline_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// words returns the text of a picture, and fails if it is not well-formed or has an element
// or attribute that came from a name.
func words(t rapid.TB, svg []byte) string {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	var text strings.Builder
	for {
		token, err := d.Token()
		if err == io.EOF {
			return text.String()
		} else if err != nil {
			t.Fatalf("%v in %.300s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if !strings.Contains(" svg style title text path rect g ", " "+x.Name.Local+" ") {
				t.Fatalf("element %s", x.Name.Local)
			}
		case xml.CharData:
			text.Write(x)
		}
	}
}

// Names that try to end the text are text, or quoted, in the picture and in the table.
func TestHostileNames(t *testing.T) {
	for _, hostile := range []string{"<script>alert(1)</script>", `"/><rect/>`, "]]>", "a\x00b", "\xff\xfe", "\u202e", "region:\x00:zone", strings.Repeat("x", 5000), "", "a\nb"} {
		c := fleet(shape{zones: 3, silent: 1, only: true}, 30)
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if n.State.Zone == "zone-00000" {
				n.State.Zone = hostile
			}
		}
		c.Pods[0].Name = hostile
		got := played(t, c)
		text := words(t, got.SVG())
		if hostile == "<script>alert(1)</script>" && !strings.Contains(text, `"<script>alert`) {
			t.Errorf("the name is missing in %s", text)
		}
		table := string(got.AppendText(nil, time.Minute))
		if strings.ContainsAny(table, "\x00\u202e") || !utf8.ValidString(table) {
			t.Errorf("%q", table)
		}
		for line := range strings.Lines(table) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		if s := got.Sentence(0); strings.ContainsAny(s, "\n\x00") || !utf8.ValidString(s) {
			t.Errorf("%q", s)
		}
	}
}

// A region and a zone are separated as in a path.
func TestZoneKey(t *testing.T) {
	c := fleet(shape{zones: 1, silent: 1}, 3)
	for i := range c.Nodes {
		c.Nodes[i].State.Zone = lifecycle.ZoneKey(map[string]string{"topology.kubernetes.io/zone": "eu-1a", "topology.kubernetes.io/region": "eu"})
	}
	got := played(t, c)
	if text := words(t, got.SVG()); !strings.Contains(text, "zone eu/eu-1a: full disruption") || !strings.Contains(text, "all zones are lost") {
		t.Errorf("%s", text)
	}
	if table := string(got.AppendText(nil, 0)); !strings.Contains(table, "\neu/eu-1a ") {
		t.Errorf("%s", table)
	}
}

// The picture does not grow with the cluster: a pixel is a point.
func TestPictureIsBounded(t *testing.T) {
	c := fleet(shape{zones: 500, silent: 0.5}, 5000)
	got := played(t, c)
	if n := len(got.SVG()); n > 200_000 {
		t.Errorf("%d bytes", n)
	}
	if text := words(t, got.SVG()); !strings.Contains(text, "2,500 of 5,000 nodes fall silent") || !strings.Contains(text, "500 zones: 5 nodes silent") {
		t.Errorf("%s", text)
	}
}

// Whatever is played can be told, and what is told adds up.
func TestTextOfAnyTimeline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := cluster(t)
		if rapid.Bool().Draw(t, "endless") {
			c.End = time.Time{}
		}
		got := played(t, c)
		words(t, got.SVG())
		table := string(got.AppendText([]byte("first\n"), time.Duration(rapid.IntRange(-1, 100).Draw(t, "every"))*time.Second))
		if !strings.HasPrefix(table, "first\n") || !strings.Contains(table, "  end\n") {
			t.Fatalf("%s", table)
		}
		nodes, pods, evicted := 0, 0, 0
		for _, g := range got.Groups(nil) {
			nodes += g.Nodes
			pods += g.Pods
			evicted += g.Outcomes[timeline.Evicted]
			all := 0
			for _, n := range g.Outcomes {
				all += n
			}
			if all != g.Pods || g.Nodes < g.Silent || (g.Outcomes[timeline.Evicted] > 0) != (g.First != timeline.Never) || g.First > g.Last {
				t.Fatalf("%+v", g)
			}
		}
		known := 0
		for i := range got.Pods {
			known += count(got.Pods[i].Node >= 0)
			if got.Sentence(int32(i)) == "" {
				t.Fatal("no sentence")
			}
		}
		if nodes != len(c.Nodes) || pods != known || evicted != len(got.Evicted) {
			t.Fatalf("%d nodes, %d pods, %d evicted", nodes, pods, evicted)
		}
		pools := got.Groups(func(node int32) string { return fmt.Sprint(node % 2) })
		if len(pools) > 2 || pools[0].Nodes != (len(c.Nodes)+1)/2 {
			t.Fatalf("%+v", pools)
		}
		for i := 1; i < len(got.Events); i++ {
			if got.Events[i].At < got.Events[i-1].At {
				t.Fatalf("%+v", got.Events)
			}
		}
		for i := 1; i < len(got.Samples); i++ {
			if got.Samples[i].At <= got.Samples[i-1].At {
				t.Fatalf("%+v", got.Samples)
			}
		}
	})
}

func TestErrors(t *testing.T) {
	c := &timeline.Cluster{Start: epoch, End: epoch.Add(-1), Config: lifecycle.Defaults(), HeartbeatInterval: 51 * time.Second,
		Nodes:   []timeline.Node{{Name: "a"}, {Name: "a"}, {}},
		Outages: []timeline.Outage{{Node: "b"}, {Node: "a", From: epoch, Until: epoch}},
	}
	_, err := timeline.Play(c)
	var faults *taint.FieldErrors
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	var fields []string
	for _, fault := range faults.Faults {
		fields = append(fields, fmt.Sprintf("%s %v %q", fault.Field, fault.Problem, fault.Value))
	}
	want := []string{`heartbeatInterval invalid value "51s"`, `end invalid value "2025-12-31T23:59:59.999999999Z"`, `nodes[1].name duplicate value "a"`, `nodes[2].name required value ""`,
		`outages[0].node invalid value "b"`, `outages[1].until invalid value "2026-01-01T00:00:00Z"`}
	if !slices.Equal(fields, want) {
		t.Errorf("got %q", fields)
	}
	c = &timeline.Cluster{Start: epoch, Config: lifecycle.Defaults(), HeartbeatInterval: -1}
	if _, err := timeline.Play(c); !errors.As(err, &faults) || len(faults.Faults) != 1 || faults.Faults[0].Problem != "invalid value" || faults.Faults[0].Field != "heartbeatInterval" {
		t.Error(err)
	}
	for _, c.HeartbeatInterval = range []time.Duration{0, 1, 50 * time.Second} {
		if _, err := timeline.Play(c); err != nil {
			t.Error(err)
		}
	}
	if _, err := timeline.Play(&timeline.Cluster{}); err == nil || !strings.Contains(err.Error(), "MonitorPeriod") {
		t.Error(err)
	}
}

// No nodes, no pods, times at the ends of what a clock has: nothing panics.
func TestExtremes(t *testing.T) {
	for _, c := range []timeline.Cluster{
		{},
		{Start: epoch, End: epoch},
		{Start: time.Unix(1<<40, 0), End: time.Unix(1<<50, 0), Nodes: []timeline.Node{{Name: "a"}}, Pods: []timeline.Pod{{Node: "a"}}, Outages: []timeline.Outage{{Node: "a"}}},
		{Nodes: []timeline.Node{{Name: "a", State: lifecycle.Node{Heartbeat: epoch}}, {Name: "b", State: lifecycle.Node{Heartbeat: time.Unix(-1<<60, 0), Conditions: lifecycle.Healthy()}}},
			Pods: []timeline.Pod{{Node: "b"}}, Outages: []timeline.Outage{{Node: "b", From: time.Unix(1<<60, 0)}, {Node: "a", Until: time.Unix(1<<60, 0)}, {Node: "a", Until: time.Unix(-1<<60, 0)}}},
		{Start: epoch, Nodes: []timeline.Node{{Name: "a", Taints: []taint.Taint{{}, {Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: time.Unix(-1<<60, 0)}}}}}, Pods: []timeline.Pod{{Node: "a"}, {}, {Node: "a"}}},
	} {
		for _, grace := range []time.Duration{50 * time.Second, 1<<63 - 1} {
			c.Config = lifecycle.Defaults()
			c.Config.GracePeriod = grace
			for _, rate := range []float32{0.1, 1e-30, 1e30, -1} {
				c.Config.Rate = rate
				got, err := timeline.Play(&c)
				if err != nil {
					t.Fatal(err)
				}
				words(t, got.SVG())
				got.AppendText(nil, 0)
			}
		}
	}
}

// TestWords names every value of the two small types.
func TestWords(t *testing.T) {
	for x, want := range map[fmt.Stringer]string{
		timeline.Unaffected: "unaffected", timeline.BackInTime: "back in time", timeline.Waiting: "waiting", timeline.Tolerated: "tolerated",
		timeline.Scheduled: "scheduled", timeline.Cancelled: "cancelled", timeline.Evicted: "evicted", timeline.Outcome(9): "Outcome(9)", timeline.Outcome(7): "Outcome(7)", timeline.Kind(7): "Kind(7)",
		timeline.Lost: "lost", timeline.Tainted: "tainted", timeline.Untainted: "untainted", timeline.Back: "back", timeline.ZoneChanged: "zone changed",
		timeline.Stopped: "stopped", timeline.Resumed: "resumed", timeline.Kind(9): "Kind(9)",
	} {
		if x.String() != want {
			t.Errorf("got %q, want %q", x, want)
		}
	}
}

// Progress is told every few thousand heartbeats and steps, of times that do not go back.
func TestProgress(t *testing.T) {
	calls := func(c *timeline.Cluster) (n int) {
		var last time.Duration
		c.Progress = func(at time.Duration) {
			if at < last {
				t.Errorf("%v after %v", at, last)
			}
			last = at
			n++
		}
		played(t, c)
		return n
	}
	if n := calls(fleet(shape{zones: 1}, 9000)); n < 2 || n > 5 {
		t.Errorf("%d calls for 9,000 nodes", n)
	}
	if n := calls(fleet(shape{zones: 1, silent: 0.5, lists: true}, 2000)); n < 2 || n > 10 {
		t.Errorf("%d calls for 10,000 evictions", n)
	}
}

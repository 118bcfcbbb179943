package timeline_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares text with a file under testdata; -update writes it first.
func golden(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run go test -update:\n%s", name, diff)
	}
}

// stories are timelines that are told in every form.
var stories = map[string]func() *timeline.Cluster{
	"nothing":  func() *timeline.Cluster { return one(0) },
	"moment":   momentary,
	"zones":    manyZones,
	"noticed":  noticed,
	"lost":     lostBefore,
	"thousand": func() *timeline.Cluster { return fleet(shape{zones: 3, silent: 0.7, back: 90 * time.Minute}, 150) },
}

// momentary has one node that is back after a time that is not round.
func momentary() *timeline.Cluster {
	c := one(7)
	c.Nodes = append(c.Nodes, timeline.Node{Name: "other", State: c.Nodes[0].State})
	c.Outages = []timeline.Outage{{Node: "node", Until: epoch.Add(61*time.Second + 1234*time.Microsecond)}}
	return c
}

// manyZones has zones with more and fewer silent nodes, which come back one after the other,
// until all are lost. One has a region, one a long name and one none.
func manyZones() *timeline.Cluster {
	c := &timeline.Cluster{Start: epoch, Config: lifecycle.Defaults()}
	c.Config.Rate = 0.025
	for zone := range 19 {
		name := fmt.Sprint("zone-", zone)
		switch zone {
		case 3:
			name = "region:\x00:zone"
		case 4:
			name = "a-name-of-a-zone-with-more-characters-than-fit-beside-a-strip-or-into-a-column-of-any-table"
		case 5:
			name = ""
		}
		for i := range 1 + zone%4 {
			n := timeline.Node{Name: fmt.Sprint(zone, "-", i), State: lifecycle.Node{Zone: name, Conditions: lifecycle.Healthy()}}
			c.Nodes = append(c.Nodes, n)
			for j := range 3 {
				c.Pods = append(c.Pods, timeline.Pod{Name: fmt.Sprint("pod", j), Node: n.Name,
					Tolerations: []toleration.Toleration{{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: ptr(int64(20 * j))}}})
			}
			s := timeline.Outage{Node: n.Name, From: epoch.Add(time.Duration(i*i) * 10 * time.Minute)}
			if zone%5 > 0 {
				s.Until = s.From.Add(time.Duration(zone%6+1) * 3 * time.Minute)
			}
			if zone != 7 {
				c.Outages = append(c.Outages, s)
			}
			if zone == 7 || zone%3 == 0 { // in the end nobody is left
				c.Outages = append(c.Outages, timeline.Outage{Node: n.Name, From: epoch.Add(100 * time.Minute), Until: epoch.Add(130 * time.Minute)})
			}
		}
	}
	for i := range c.Nodes {
		c.Outages = append(c.Outages, timeline.Outage{Node: c.Nodes[i].Name, From: epoch.Add(105 * time.Minute), Until: epoch.Add(120*time.Minute + time.Duration(i)*time.Second)})
	}
	return c
}

// lostBefore has a zone that was lost before the start.
func lostBefore() *timeline.Cluster {
	c := one(30)
	for i := range 6 {
		n := timeline.Node{Name: fmt.Sprint(i), State: c.Nodes[0].State}
		if n.State.Zone = "well"; i < 3 {
			n.State.Zone, n.State.Conditions.Ready = "lost", lifecycle.Unknown
			c.Outages = append(c.Outages, timeline.Outage{Node: n.Name, Until: epoch.Add(time.Duration(i+1) * time.Minute)})
		}
		c.Nodes = append(c.Nodes, n)
	}
	return c
}

// noticed has what was so before the start: a node that is lost, one with a taint, and pods
// with every outcome.
func noticed() *timeline.Cluster {
	c := one(30)
	c.End = epoch.Add(200 * time.Second)
	unreachable := taint.Taint{Key: taint.KeyUnreachable, Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: epoch.Add(-20 * time.Second)}}
	c.Nodes = append(c.Nodes,
		timeline.Node{Name: "lost", State: lifecycle.Node{Conditions: lifecycle.Conditions{Ready: lifecycle.Unknown}, Heartbeat: epoch.Add(-80 * time.Second)}, Taints: []taint.Taint{unreachable}},
		timeline.Node{Name: "own", State: c.Nodes[0].State, Taints: []taint.Taint{{Key: "own", Value: "x", Effect: taint.NoExecute, TimeAdded: unreachable.TimeAdded}}},
		timeline.Node{Name: "short", State: c.Nodes[0].State}, timeline.Node{Name: "late", State: c.Nodes[0].State})
	c.Outages = []timeline.Outage{
		{Node: "node", From: epoch.Add(10 * time.Second)}, {Node: "short", From: epoch, Until: epoch.Add(time.Minute)}, {Node: "late", From: epoch.Add(190 * time.Second)},
		{Node: "lost", Until: epoch.Add(15 * time.Second)},
	}
	pods := c.Pods
	for _, seconds := range []int64{-5, 25, 90, 600} {
		pods = append(pods, timeline.Pod{Tolerations: []toleration.Toleration{{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &seconds}}})
	}
	pods = append(pods, timeline.Pod{Tolerations: []toleration.Toleration{{Operator: toleration.OpExists}}})
	c.Pods = nil
	for _, node := range []string{"node", "lost", "own", "short", "late", "none", ""} {
		for i, p := range pods {
			p.Name, p.Node = fmt.Sprint("pod ", i), node
			c.Pods = append(c.Pods, p)
		}
	}
	return c
}

// TestStories compares every text and picture of a timeline.
func TestStories(t *testing.T) {
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			got := played(t, story())
			golden(t, name+".svg", string(got.SVG()))
			var text strings.Builder
			for _, every := range []time.Duration{0, 7 * time.Minute} {
				fmt.Fprintf(&text, "every %v\n%s\n", every, got.AppendText(nil, every))
			}
			for i := range min(len(got.Pods), 60) {
				fmt.Fprintln(&text, got.Sentence(int32(i)))
			}
			golden(t, name+".txt", text.String())
		})
	}
}

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parsed(t rapid.TB, args ...string) *options {
	o := &options{}
	f := o.newFlags()
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return o
}

// played returns a simulation that is over.
func played(t rapid.TB, o *options, each int64) *simulation {
	s, err := newSimulation(o)
	if err != nil {
		t.Fatal(err)
	}
	if each > 0 {
		s.heartbeats.each = each
	}
	s.run(nil)
	s.timeline.script(o)
	return s
}

// The heartbeats that are left out make no difference.
func TestHeartbeatsLeftOutDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := parsed(t)
		o.zones, o.nodes, o.pods = rapid.IntRange(1, 3).Draw(t, "zones"), rapid.IntRange(1, 6).Draw(t, "nodes"), 3
		draw := func(g *outage) {
			g.lost = time.Duration(rapid.IntRange(0, 600).Draw(t, "lost")) * time.Second
			if g.back = g.lost + time.Duration(rapid.IntRange(0, 300).Draw(t, "back"))*time.Second; g.back == g.lost {
				g.back = 0
			}
		}
		draw(&o.first)
		draw(&o.others)
		o.end = 30 * time.Minute
		o.interval = rapid.SampledFrom([]time.Duration{time.Second, 3 * time.Second, 10 * time.Second, 45 * time.Second}).Draw(t, "interval")
		o.config.GracePeriod = time.Duration(rapid.IntRange(10, 90).Draw(t, "grace")) * time.Second
		o.config.Rate = 0.5
		fast, slow := played(t, o, 0).timeline, played(t, o, 1).timeline
		if diff := cmp.Diff(slow, fast, cmp.AllowUnexported(timeline{}, event{}, sample{}, counts{})); diff != "" {
			t.Fatalf("(-all +some):\n%s", diff)
		}
	})
}

// What was counted step by step is what the parts hold in the end.
func TestCounts(t *testing.T) {
	for _, args := range [][]string{nil, {"-for", "24m"}, {"-for", "45m", "-pods", "2"}, {"-zones", "2", "-for", "16m", "-nodes", "7"}} {
		o := parsed(t, args...)
		s := played(t, o, 0)
		lost, tainted := 0, 0
		for i := range s.nodes {
			lost += count(s.nodes[i].lost)
			for _, x := range s.nodes[i].taints {
				tainted += count(x.Effect == "NoExecute")
			}
		}
		c := s.counts
		if c.lost != lost || c.tainted != tainted || c.scheduled != s.evictions.Pending() || s.evictions.Len()+c.evicted != o.zones*o.nodes*o.pods {
			t.Errorf("%q: counted %+v; found %d lost, %d tainted, %d scheduled, %d pods left", args, c, lost, tainted, s.evictions.Pending(), s.evictions.Len())
		}
		if c.evicted == 0 {
			t.Errorf("%q: nothing was evicted", args)
		}
		for i, before := 1, s.timeline.samples; i < len(before); i++ {
			if before[i].at <= before[i-1].at || before[i].counts == before[i-1].counts {
				t.Errorf("samples %+v, %+v", before[i-1], before[i])
			}
		}
	}
}

// One node, one pod of each kind: the grace period of 50 s, seen by looks every 5 s,
// and then the seconds of the tolerations (rules C3, E4).
func TestOneNode(t *testing.T) {
	o := parsed(t, "-zones", "2", "-nodes", "1", "-pods", "3", "-lost", "1m", "-back", "0", "-others-lost", "0", "-for", "1h")
	s := played(t, o, 0)
	var evictions []time.Duration
	for i := 1; i < len(s.timeline.samples); i++ {
		if a, b := s.timeline.samples[i-1], s.timeline.samples[i]; b.evicted > a.evicted {
			evictions = append(evictions, b.at)
		}
	}
	// The last heartbeat comes at 50 s and is found at once, 55 s later it is too old.
	tainted := 50*time.Second + 55*time.Second
	if diff := cmp.Diff([]time.Duration{tainted + 30*time.Second, tainted + 300*time.Second}, evictions); diff != "" {
		t.Errorf("evictions (-want +got):\n%s", diff)
	}
}

func TestNames(t *testing.T) {
	for i, name := range map[int]string{0: "a", 25: "z", 26: "aa", 27: "ab", 51: "az", 52: "ba", 701: "zz", 702: "aaa"} {
		if zoneName(i) != name || zoneNumber(name) != i {
			t.Errorf("%d: %s; %s: %d", i, zoneName(i), name, zoneNumber(name))
		}
	}
	for _, test := range []struct {
		zones []string
		want  string
	}{{[]string{"c"}, "zone c"}, {[]string{"b", "c"}, "zones b and c"}, {[]string{"b", "c", "d"}, "zones b to d"}, {[]string{"a", "c", "d"}, "zones a, c and d"},
		{[]string{"a", "c", "d", "e", "f", "g", "h"}, "7 zones"}} {
		if got := zonesText(test.zones); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0s", time.Minute: "1m", time.Hour: "1h", 90 * time.Minute: "1h30m", 3605 * time.Second: "1h0m5s", 100 * time.Second: "1m40s"} {
		if got := short(d); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package timeline

import (
	"fmt"
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

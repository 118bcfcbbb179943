package failover

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/match/evict/timeline"
)

func TestGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"defaults.text.golden": {"-within", "6m"}, "seconds.text.golden": {"-within", "2m"}, "grace.text.golden": {"-within", "30s"},
		"lease.text.golden": {"-within", "12s"}, "grace.json.golden": {"-within", "30s", "-o", "json"},
	} {
		status, stdout, stderr := golden.Run(&Command, "", args...)
		if status != 0 || stderr != "" {
			t.Errorf("%s: status %d, %s", name, status, stderr)
		}
		golden.Check(t, name, stdout)
	}
	for want, args := range map[string][]string{
		"tolero failover: -within 1s cannot be reached: with all settings changed a pod leaves after up to 6s": {"-within", "1s"},
		`tolero failover: unexpected argument "x"`:                                                             {"x"},
		"tolero failover: invalid value \"soon\"":                                                              {"-within", "soon"},
		"tolero failover: -within -1m0s cannot be ":                                                            {"-within", "-1m"},
	} {
		if status, stdout, stderr := golden.Run(&Command, "", args...); status != 2 || stdout != "" || !strings.HasPrefix(stderr, want) {
			t.Errorf("%q: status %d, %s%s", args, status, stdout, stderr)
		}
	}
}

// Whenever a node dies, a pod leaves within the bounds that are told, and in time; a silence that is
// a second shorter than the shortest costs no pods.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, within := range []time.Duration{6 * time.Minute, 100 * time.Second, time.Minute, 42 * time.Second, 30 * time.Second, 17 * time.Second, 8 * time.Second} {
		a, err := find(within)
		if err != nil || a.Latest > within || within-a.Latest >= time.Second && a.Settings.Seconds > 0 && a.Settings.Seconds < 300 {
			t.Fatalf("%v: %+v, %v", within, a, err)
		}
		s := a.Settings
		for range 300 {
			beat := time.Duration(r.Int64N(int64(s.Period)))
			dead := time.Duration(1 + r.Int64N(int64(s.renewal())-1))
			after, _, err := s.play(beat, dead, 0)
			if err != nil || after < a.Earliest-2*time.Millisecond || after > a.Latest+2*time.Millisecond {
				t.Fatalf("%v: dies %v after a heartbeat at %v: leaves after %v, not %v to %v; %v", within, dead, beat, after, a.Earliest, a.Latest, err)
			}
			if after, _, _ := s.play(beat, dead, a.Blip-time.Second); after != timeline.Never {
				t.Fatalf("%v: a silence of %v costs pods", within, a.Blip-time.Second)
			}
		}
	}
}

// What is found is what changes least: with the choice before it, no pod would leave in time.
func TestLeastChange(t *testing.T) {
	all := choices()
	for _, within := range []time.Duration{45 * time.Second, 30 * time.Second, 20 * time.Second, 9 * time.Second} {
		a, err := find(within)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if s.Grace == a.Settings.Grace && s.Lease == a.Settings.Lease {
				break
			}
			if _, latest, _, _ := s.bounds(); latest <= within {
				t.Errorf("%v: %+v would do", within, s)
			}
		}
	}
}

package outage

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
)

// parse reads a command line.
func parse(line string) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	o.flags(f)
	if err := f.Parse(strings.Fields(line)); err != nil {
		return o, err
	}
	return o, o.check()
}

// What the limits of numbers allow, and what they refuse.
func TestLimits(t *testing.T) {
	for line, fine := range map[string]bool{
		"-node-lease-renew-interval 1ms -node-monitor-period 1ms": true,
		"-node-lease-renew-interval 999us":                        false,
		"-node-monitor-period 999us":                              false,
		"-every 1ns":                                              true,
		"-every 0":                                                false,
		"-back 0 -for 0":                                          true,
		"-back -1ns":                                              false,
		"-for -1ns":                                               false,
		"-policy first-match":                                     true,
		"-node-eviction-rate NaN":                                 false,
		"-node-eviction-rate Inf":                                 false,
		"-node-eviction-rate -Inf":                                false,
		"-node-eviction-rate 1e39":                                false, // too large for a float32
	} {
		if _, err := parse(line); (err == nil) != fine {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// Each flag sets what it is about, and the defaults are Kubernetes' own.
func TestFlags(t *testing.T) {
	o, err := parse("-back 7s -for 8s -secondary-node-eviction-rate 0.25 -large-cluster-size-threshold 9 -unhealthy-zone-threshold 0.75 -policy most-lenient")
	if err != nil || o.back != 7*time.Second || o.end != 8*time.Second || o.config.SecondaryRate != 0.25 || o.config.LargeZone != 9 || o.config.UnhealthyShare != 0.75 || o.policy != match.MostLenient {
		t.Errorf("%+v, %v", o, err)
	}
	for _, name := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
		if o, err := parse("-policy " + strings.ReplaceAll(name.String(), " ", "-")); err != nil || o.policy != name {
			t.Errorf("%v: %v, %v", name, o.policy, err)
		}
	}
	o, err = parse("-node-monitor-grace-period 10m")
	if err != nil || o.svg != "" || o.config.StartupGracePeriod != 10*time.Minute {
		t.Errorf("%+v, %v", o, err)
	}
}

// A picture is for its owner to write, and for others to read at most.
func TestModeOfPicture(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.svg")
	output(t, "-for", "1s", "-svg", name)
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm()&^0o644 != 0 || info.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

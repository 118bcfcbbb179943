package outage

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
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
	return o, o.check(false)
}

// What the limits of numbers allow, and what they refuse.
func TestLimits(t *testing.T) {
	for line, fine := range map[string]bool{
		"-zones 1 -nodes 1 -pods 1":                               true,
		"-pods 0":                                                 false,
		"-nodes 0":                                                false,
		"-zones 20000000 -nodes 1 -pods 1":                        true,
		"-zones 1 -nodes 20000000 -pods 1":                        true,
		"-zones 1 -nodes 1 -pods 20000000":                        true,
		"-zones 20000001 -nodes 1 -pods 1":                        false,
		"-zones 4294967296 -nodes 4294967296 -pods 1":             false,
		"-zones 4194304 -nodes 4194304 -pods 1048576":             false, // 2 to the 64th
		"-zones 2 -nodes 3 -pods 3333334":                         false,
		"-node-lease-renew-interval 1ms -node-monitor-period 1ms": true,
		"-node-lease-renew-interval 999us":                        false,
		"-node-monitor-period 999us":                              false,
		"-every 1ns":                                              true,
		"-lost 0 -back 5m":                                        true, // nothing is lost
		"-lost 1ns -back 1ns":                                     false,
		"-lost 1ns -back 2ns":                                     true,
		"-lost 5m -back 5m":                                       false,
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
	o, err := parse("-default-unreachable-toleration-seconds 7 -few-seconds 8 -secondary-node-eviction-rate 0.25 -large-cluster-size-threshold 9 -unhealthy-zone-threshold 0.75 -policy most-lenient")
	if err != nil || o.seconds != 7 || o.few != 8 || o.config.SecondaryRate != 0.25 || o.config.LargeZone != 9 || o.config.UnhealthyShare != 0.75 || o.policy != match.MostLenient {
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

// The nodes have the zones in turn, and are numbered within each.
func TestCluster(t *testing.T) {
	o, err := parse("-zones 2 -nodes 2 -pods 1 -lost 1ns -back 0 -others-lost 0")
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := o.invented(new(command.Program))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range c.Nodes {
		names = append(names, c.Nodes[i].Name)
	}
	if got := strings.Join(names, " "); got != "node-a-00000 node-b-00000 node-a-00001 node-b-00001" {
		t.Errorf("nodes %s", got)
	}
	if len(c.Outages) != 2 || c.Outages[0].Node != "node-a-00000" || !c.Outages[0].Until.IsZero() {
		t.Errorf("silences %+v", c.Outages)
	}
	for zone, want := range map[int]string{0: "a", 25: "z", 26: "aa", 51: "az", 52: "ba", 701: "zz", 702: "aaa"} {
		if got := zoneName(zone); got != want {
			t.Errorf("zone %d: %q, want %q", zone, got, want)
		}
	}
}

// A picture is for its owner to write, and for others to read at most.
func TestModeOfPicture(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.svg")
	output(t, "-for", "0", "-svg", name)
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm()&^0o644 != 0 || info.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

package outage

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// options is the command line.
type options struct {
	zones, nodes, pods int
	first, others      outage // of the first zone, and of the others
	end, every         time.Duration
	interval           time.Duration // of heartbeats
	seconds, few       int64
	policy             match.EvictionPolicy
	config             lifecycle.Config
	svg                string

	silent silence
	set    map[string]bool // the flags that are given
}

// outage is when heartbeats stop, and when they come back; zero is never.
type outage struct {
	lost, back time.Duration
}

// flags defines the flags that set o. Those that components of Kubernetes have too have the
// same name and default there; the texts are those of Command.
func (o *options) flags(f *flag.FlagSet) {
	f.Func("zone", "", func(zone string) error { o.silent.zones = append(o.silent.zones, zone); return nil })
	f.Func("pool", "", func(pool string) error { o.silent.pools = append(o.silent.pools, pool); return nil })
	f.StringVar(&o.silent.label, "pool-label", "", "")
	f.IntVar(&o.zones, "zones", 3, "")
	f.IntVar(&o.nodes, "nodes", 100, "")
	f.IntVar(&o.pods, "pods", 10, "")
	f.DurationVar(&o.first.lost, "lost", 10*time.Minute, "")
	f.DurationVar(&o.first.back, "back", time.Hour, "")
	f.DurationVar(&o.others.lost, "others-lost", 25*time.Minute, "")
	f.DurationVar(&o.others.back, "others-back", 40*time.Minute, "")
	f.DurationVar(&o.end, "for", 75*time.Minute, "")
	f.DurationVar(&o.every, "every", 5*time.Minute, "")
	f.StringVar(&o.svg, "svg", "", "")
	f.Func("policy", "", o.setPolicy)
	f.Int64Var(&o.seconds, "default-unreachable-toleration-seconds", 300, "")
	f.Int64Var(&o.few, "few-seconds", 30, "")
	f.DurationVar(&o.interval, "node-lease-renew-interval", 10*time.Second, "")
	o.config = lifecycle.Defaults()
	f.DurationVar(&o.config.MonitorPeriod, "node-monitor-period", o.config.MonitorPeriod, "")
	f.DurationVar(&o.config.GracePeriod, "node-monitor-grace-period", o.config.GracePeriod, "")
	floatVar(f, &o.config.Rate, "node-eviction-rate")
	floatVar(f, &o.config.SecondaryRate, "secondary-node-eviction-rate")
	f.IntVar(&o.config.LargeZone, "large-cluster-size-threshold", o.config.LargeZone, "")
	floatVar(f, &o.config.UnhealthyShare, "unhealthy-zone-threshold")
}

// floatVar defines a flag for a number that is a float32 in Kubernetes.
func floatVar(f *flag.FlagSet, p *float32, name string) {
	f.Func(name, "", func(text string) error {
		n, err := strconv.ParseFloat(text, 32)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return errors.New("must be a finite number")
		}
		*p = float32(n)
		return nil
	})
}

func (o *options) setPolicy(name string) error {
	for _, p := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
		if strings.ReplaceAll(p.String(), " ", "-") == name {
			o.policy = p
			return nil
		}
	}
	return errors.New("must be first-match, most-lenient or since-added")
}

// most is how many pods a simulation may have, so that they fit into memory.
const most = 20_000_000

// check finds what does not fit together. In a real cluster nodes are lost at once.
func (o *options) check(real bool) error {
	zones, nodes, pods := int64(o.zones), int64(o.nodes), int64(o.pods)
	switch {
	case o.zones < 1 || o.nodes < 1 || o.pods < 1:
		return errors.New("-zones, -nodes and -pods must be at least 1")
	case max(zones, nodes, pods) > most || zones*nodes > most || zones*nodes*pods > most:
		return fmt.Errorf("more than %d pods in all", most)
	case o.interval < time.Millisecond || o.config.MonitorPeriod < time.Millisecond:
		return errors.New("-node-lease-renew-interval and -node-monitor-period must be at least 1ms")
	case o.interval > o.config.GracePeriod:
		return errors.New("-node-lease-renew-interval must not be longer than -node-monitor-grace-period")
	case o.every <= 0 || o.end < 0:
		return errors.New("-every must be positive and -for must not be negative")
	}
	for _, d := range []time.Duration{o.first.lost, o.first.back, o.others.lost, o.others.back} {
		if d < 0 {
			return errors.New("-lost, -back, -others-lost and -others-back must not be negative")
		}
	}
	for _, name := range []string{"zones", "nodes", "pods", "lost", "others-lost", "others-back", "few-seconds", "default-unreachable-toleration-seconds"} {
		if real && o.set[name] {
			return fmt.Errorf("-%s is of the invented cluster; in yours nodes fall silent now", name)
		}
	}
	// No node is new. The startup grace period matters to none.
	o.config.StartupGracePeriod = max(o.config.StartupGracePeriod, o.config.GracePeriod)
	if real {
		return nil
	}
	return errors.Join(o.first.check("-lost", "-back"), o.others.check("-others-lost", "-others-back"))
}

func (g *outage) check(lost, back string) error {
	if g.lost > 0 && g.back != 0 && g.back <= g.lost {
		return fmt.Errorf("%s must be later than %s, or 0", back, lost)
	}
	return nil
}

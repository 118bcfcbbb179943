package outage

import (
	"errors"
	"flag"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// options is the command line.
type options struct {
	silent   silence
	back     time.Duration // when the nodes are back; zero is never
	end      time.Duration // zero is when all is over
	every    time.Duration
	interval time.Duration // of heartbeats
	policy   match.EvictionPolicy
	config   lifecycle.Config
	svg      string
}

// flags defines the flags that set o. Those that components of Kubernetes have too have the
// same name and default there; the texts are those of Command.
func (o *options) flags(f *flag.FlagSet) {
	f.Func("zone", "", func(zone string) error { o.silent.zones = append(o.silent.zones, zone); return nil })
	f.Func("pool", "", func(pool string) error { o.silent.pools = append(o.silent.pools, pool); return nil })
	f.StringVar(&o.silent.label, "pool-label", "", "")
	f.DurationVar(&o.back, "back", 0, "")
	f.DurationVar(&o.end, "for", 0, "")
	f.DurationVar(&o.every, "every", 5*time.Minute, "")
	f.StringVar(&o.svg, "svg", "", "")
	f.Func("policy", "", o.setPolicy)
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

// check finds what does not fit together.
func (o *options) check() error {
	switch {
	case o.back < 0 || o.end < 0 || o.every <= 0:
		return errors.New("-back and -for must not be negative, and -every must be positive")
	case o.interval < time.Millisecond || o.config.MonitorPeriod < time.Millisecond:
		return errors.New("-node-lease-renew-interval and -node-monitor-period must be at least 1ms")
	case o.interval > o.config.GracePeriod:
		return errors.New("-node-lease-renew-interval must not be longer than -node-monitor-grace-period")
	}
	// No node is new. The startup grace period matters to none.
	o.config.StartupGracePeriod = max(o.config.StartupGracePeriod, o.config.GracePeriod)
	return nil
}

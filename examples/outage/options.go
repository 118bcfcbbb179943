package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

const usageText = `usage: outage [flags]
Plays an outage of one zone, then of all, in a cluster of its own, and prints what
becomes of nodes and pods, by the rules of a default cluster; no pod has a toleration
with Gt or Lt.
Times are counted from the start of the simulation. The exit status is 0 for success,
1 for a failure and 2 for a wrong command line.

`

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
}

// outage is when heartbeats stop, and when they come back; zero is never.
type outage struct {
	lost, back time.Duration
}

// newFlags returns the flags that set o. Those that components of Kubernetes have
// too have the same name and default there.
func (o *options) newFlags() *flag.FlagSet {
	f := flag.NewFlagSet("outage", flag.ContinueOnError)
	f.SetOutput(io.Discard) // errors are returned, and reported once
	f.IntVar(&o.zones, "zones", 3, "`number` of zones")
	f.IntVar(&o.nodes, "nodes", 100, "`number` of nodes in each zone")
	f.IntVar(&o.pods, "pods", 10, "`number` of pods on each node: one of a DaemonSet, one with -few-seconds")
	f.DurationVar(&o.first.lost, "lost", 10*time.Minute, "`time` when heartbeats stop in the first zone, 0 for never")
	f.DurationVar(&o.first.back, "back", time.Hour, "`time` when heartbeats resume in the first zone, 0 for never")
	f.DurationVar(&o.others.lost, "others-lost", 25*time.Minute, "`time` when heartbeats stop in the other zones, 0 for never")
	f.DurationVar(&o.others.back, "others-back", 40*time.Minute, "`time` when heartbeats resume in the other zones, 0 for never")
	f.DurationVar(&o.end, "for", 75*time.Minute, "`time` when the simulation ends")
	f.DurationVar(&o.every, "every", 5*time.Minute, "print a line each `interval` in which anything has changed")
	f.StringVar(&o.svg, "svg", "", "draw nodes and pods over time into `file`")
	f.Func("policy", "eviction `policy`: first-match (default), most-lenient or since-added", o.setPolicy)
	f.Int64Var(&o.seconds, "default-unreachable-toleration-seconds", 300, "`seconds` for which pods tolerate an unreachable node")
	f.Int64Var(&o.few, "few-seconds", 30, "`seconds` for which one pod of each node tolerates an unreachable node")
	f.DurationVar(&o.interval, "node-lease-renew-interval", 10*time.Second, "`interval` of heartbeats")
	o.config = lifecycle.Defaults()
	f.DurationVar(&o.config.MonitorPeriod, "node-monitor-period", o.config.MonitorPeriod, "`interval` at which the controller looks at the nodes")
	f.DurationVar(&o.config.GracePeriod, "node-monitor-grace-period", o.config.GracePeriod, "`time` without heartbeat after which a node is lost")
	floatVar(f, &o.config.Rate, "node-eviction-rate", "nodes tainted in a second")
	floatVar(f, &o.config.SecondaryRate, "secondary-node-eviction-rate", "nodes tainted in a second in a large zone in partial disruption")
	f.IntVar(&o.config.LargeZone, "large-cluster-size-threshold", o.config.LargeZone, "`number` of nodes that a large zone exceeds")
	floatVar(f, &o.config.UnhealthyShare, "unhealthy-zone-threshold", "share of lost nodes that makes a partial disruption")
	return f
}

// floatVar defines a flag for a number that is a float32 in Kubernetes.
func floatVar(f *flag.FlagSet, p *float32, name, usage string) {
	f.Func(name, fmt.Sprintf("%s, a `number` (default %v)", usage, *p), func(text string) error {
		n, err := strconv.ParseFloat(text, 32)
		if err != nil {
			return errors.Unwrap(err)
		}
		if math.IsNaN(n) || math.IsInf(n, 0) {
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

// check finds what does not fit together.
func (o *options) check(rest []string) error {
	zones, nodes, pods := int64(o.zones), int64(o.nodes), int64(o.pods)
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
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
	// No node is new. The startup grace period matters to none.
	o.config.StartupGracePeriod = max(o.config.StartupGracePeriod, o.config.GracePeriod)
	return errors.Join(o.first.check("-lost", "-back"), o.others.check("-others-lost", "-others-back"))
}

func (g *outage) check(lost, back string) error {
	switch {
	case g.lost < 0:
		return fmt.Errorf("%s must not be negative", lost)
	case g.lost > 0 && g.back != 0 && g.back <= g.lost:
		return fmt.Errorf("%s must be later than %s, or 0", back, lost)
	}
	return nil
}

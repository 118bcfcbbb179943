// Package outage is tolero outage: what happens when the heartbeats of nodes stop.
//
// File by file: options.go has the command line, cluster.go makes nodes, pods and the times at
// which nodes are silent of it, and package match/evict/timeline plays the node life-cycle
// controller and the queue of evictions, and tells what happened, in a table and as a picture.
package outage

import (
	"bytes"
	"fmt"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match/evict/timeline"
)

// Command is tolero outage.
var Command = command.Command{
	Name:    "outage",
	Summary: "what becomes of nodes and pods when zones fall silent",
	About: `
Plays an outage of one zone, then of all, in a cluster of its own: when nodes count as lost,
at what pace they get the taints that evict, which pods have to leave, when, and which may
stay because the nodes are back in time. Times are counted from the start. A pod that is
evicted is gone: nothing takes its place.`,
	Examples: `
  # the defaults of Kubernetes, and a picture
  tolero outage -svg outage.svg

  # larger zones, tainted faster
  tolero outage -nodes 1000 -node-eviction-rate 1

  # one zone, back after two minutes
  tolero outage -others-lost 0 -back 12m`,
	Flags: `
  -zones N, -nodes N, -pods N
               zones (3), nodes in each zone (100), pods on each node (10): one of a
               DaemonSet, one with -few-seconds
  -lost T, -back T
               when heartbeats stop in the first zone (10m), and resume (1h); 0 is never
  -others-lost T, -others-back T
               the same for the other zones (25m, 40m)
  -for T       when the simulation ends (1h15m)
  -every T     print a line each interval in which anything has changed (5m)
  -svg FILE    draw nodes and pods over time
  -policy P    first-match, most-lenient or since-added (first-match)
  -few-seconds N
               seconds for which one pod of each node tolerates an unreachable node (30)
  Those of Kubernetes' own components, with their defaults:
  -default-unreachable-toleration-seconds N (300), -node-lease-renew-interval T (10s),
  -node-monitor-period T (5s), -node-monitor-grace-period T (50s),
  -node-eviction-rate R (0.1), -secondary-node-eviction-rate R (0.01),
  -large-cluster-size-threshold N (50), -unhealthy-zone-threshold R (0.55)`,
	NoInput: true,
	Run:     run,
}

func run(p *command.Program, args []string) error {
	var o options
	flags := p.Flags()
	o.flags(flags)
	if err := p.Parse(flags, args, 0); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return command.Usagef("%w", err)
	}
	bar := progress.Start(p.Stderr, "simulating", int64(o.end))
	c := o.cluster(bar.Add)
	t, err := timeline.Play(c)
	bar.Stop()
	if err != nil {
		return command.Usagef("%w", err)
	}
	if o.svg != "" {
		if err := command.WriteFile(o.svg, t.SVG()); err != nil {
			return err
		}
	}
	return p.Show(func(w *command.Writer) {
		o.describe(w.Out)
		w.Out.Write(t.AppendText(nil, o.every))
	}, func() any { return data(c, t) })
}

// describe prints what is simulated.
func (o *options) describe(out *bytes.Buffer) {
	fmt.Fprintf(out, "%s in %s, %s\n", command.Plural(o.zones*o.nodes, "node"), command.Plural(o.zones, "zone"), command.Plural(o.zones*o.nodes*o.pods, "pod"))
	fmt.Fprintf(out, "A node is lost after %v without heartbeat, and %v nodes a second are tainted in a zone.\n", o.config.GracePeriod, o.config.Rate)
	fmt.Fprintf(out, "On each node one pod stays forever, one for %ds, the others for %ds (%v).\n\n", o.few, o.seconds, o.policy)
}

// Package outage is tolero outage: what happens when the heartbeats of nodes stop.
//
// File by file: options.go has the command line, cluster.go makes nodes, pods and the times at
// which nodes are silent of it, and package match/evict/timeline plays the node life-cycle
// controller and the queue of evictions, and tells what happened, in a table and as a picture.
package outage

import (
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
With -f the nodes of your cluster that are named, or those of a zone or pool, fall silent now;
those that are silent already stay so. Without it one zone of an invented cluster falls silent,
and then all. It tells when nodes count as lost, at what pace they get the taints that evict,
which pods have to leave, when, and which may stay because the nodes are back in time. Times are
counted from the start. A pod that is evicted is gone: nothing takes its place.`,
	Examples: `
  # a zone of your cluster falls silent, and a pool of it for ten minutes
  ` + command.Dump + ` | tolero outage -f - -zone eu-west-1a
  tolero outage -f dump.json -pool spot -back 10m

  # the defaults of Kubernetes, and a picture
  tolero outage -svg outage.svg

  # larger zones, tainted faster
  tolero outage -nodes 1000 -node-eviction-rate 1

  # one zone, back after two minutes
  tolero outage -others-lost 0 -back 12m`,
	Usage:     "[NODE...]",
	TextLimit: 10,
	Flags: `
  Of your cluster:
  -zone ZONE, -pool POOL
               the nodes of this zone or node pool fall silent, beside those that are named;
               each may be repeated, and they add up
  -pool-label LABEL
               the label that names the node pool of a node, if it is none of those that
               are known
  -back T      when the heartbeats of the named nodes resume, those of nodes that were
               silent before too; never if it is 0 (0)
  Of the invented cluster:
  -zones N, -nodes N, -pods N
               zones (3), nodes in each zone (100), pods on each node (10): one of a
               DaemonSet, one with -few-seconds
  -lost T, -back T
               when heartbeats stop in the first zone (10m), and resume (1h); 0 is never
  -others-lost T, -others-back T
               the same for the other zones (25m, 40m)
  -few-seconds N, -default-unreachable-toleration-seconds N
               seconds for which one pod of each node (30), and the others (300), tolerate
               that it is unreachable
  Of both:
  -for T       when the simulation ends (1h15m; in your cluster, when all is over)
  -every T     print a line each interval in which anything has changed (5m)
  -svg FILE    draw nodes and pods over time
  -policy P    first-match, most-lenient or since-added (first-match)
  Those of Kubernetes' own components, with their defaults:
  -node-lease-renew-interval T (10s), -node-monitor-period T (5s),
  -node-monitor-grace-period T (50s), -node-eviction-rate R (0.1),
  -secondary-node-eviction-rate R (0.01), -large-cluster-size-threshold N (50),
  -unhealthy-zone-threshold R (0.55)`,
	Result: jsonReport{},
	Run:    run,
}

func run(p *command.Program, args []string) error {
	var o options
	flags := p.Flags()
	o.flags(flags)
	if err := p.Parse(flags, args, 1<<20); err != nil {
		return err
	}
	o.silent.nodes, o.set = p.Args, p.Given
	real := len(p.Files) > 0
	if s := &o.silent; !real && (s.nodes != nil || s.zones != nil || s.pools != nil) {
		return command.Usagef("nodes, -zone and -pool are those of a cluster, which is given with -f")
	}
	if err := o.check(real); err != nil {
		return command.Usagef("%w", err)
	}
	makeCluster := o.invented
	if real {
		makeCluster = o.real
	}
	c, owners, err := makeCluster(p)
	if err != nil {
		return err
	}
	bar := progress.Start(p.Stderr, "simulating", progress.Uncounted)
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
		if real {
			w.Line(0, heading(c))
		} else {
			fmt.Fprintf(w.Out, "An invented cluster (-f FILE for yours): %s in %s, %s\n", command.Plural(len(c.Nodes), "node"), command.Plural(o.zones, "zone"), command.Plural(len(c.Pods), "pod"))
		}
		fmt.Fprintf(w.Out, "A node is lost after %v without heartbeat, and %v nodes a second are tainted in a zone.\n", o.config.GracePeriod, o.config.Rate)
		if real {
			writeLeaving(w, t, owners, p.Limit)
		} else {
			fmt.Fprintf(w.Out, "On each node one pod stays forever, one for %ds, the others for %ds (%v).\n", o.few, o.seconds, o.policy)
		}
		w.Line(0, "")
		w.Out.Write(t.AppendText(nil, o.every))
	}, func() any { return data(c, t, owners) })
}

// heading says how many nodes of the user's cluster fall silent, and which are so already.
func heading(c *timeline.Cluster) string {
	var before []string
	for _, s := range c.Outages {
		if s.From.IsZero() {
			before = append(before, s.Node)
		}
	}
	text := fmt.Sprintf("%s of %s silent from now on", command.Thousands(len(c.Outages)-len(before)), command.Plural(len(c.Nodes), "node"))
	if before != nil {
		text += fmt.Sprintf("; %s silent already (%s)", command.Thousands(len(before)), command.Some(before))
	}
	return fmt.Sprintf("%s; %s run in all.", text, command.Plural(len(c.Pods), "pod"))
}

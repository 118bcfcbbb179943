// Package outage is tolero outage: what happens when the heartbeats of nodes stop.
//
// File by file: options.go has the command line, real.go makes of a cluster the times at which nodes
// are silent, and package match/evict/timeline plays the node life-cycle controller and the queue of
// evictions, and tells what happened, in a table and as a picture.
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
The nodes that are named, or those of a zone or pool, fall silent now; those that are silent
already stay so. It tells when nodes count as lost, at what pace they get the taints that evict,
which pods have to leave, when, and which may stay because the nodes are back in time. Times are
counted from the start. A pod that is evicted is gone: nothing takes its place. Without -f it is
zone a of an invented cluster of 300 nodes.`,
	Examples: `
  # a zone of your cluster falls silent, and a pool of it for ten minutes
  ` + command.Dump + ` | tolero outage -f - -zone eu-west-1a
  tolero outage -f dump.json -pool spot -back 10m

  # an invented cluster, the defaults of Kubernetes, and a picture
  tolero outage -svg outage.svg

  # all its zones, tainted faster
  tolero outage -zone a -zone b -zone c -node-eviction-rate 1`,
	Usage:     "[NODE...]",
	TextLimit: 10,
	Flags: `
  -zone ZONE, -pool POOL
               the nodes of this zone or node pool fall silent, beside those that are named;
               each may be repeated, and they add up
  -pool-label LABEL
               the label that names the node pool of a node, if it is none of those that
               are known
  -back T      when the heartbeats of these nodes resume, those of nodes that were silent
               before too (never)
  -for T       when the simulation ends (when all is over)
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
	if err := o.check(); err != nil {
		return command.Usagef("%w", err)
	}
	o.silent.nodes = p.Args
	if s := &o.silent; len(p.Files) == 0 && s.nodes == nil && s.zones == nil && s.pools == nil {
		s.zones = []string{"a"}
	}
	c, owners, err := o.cluster(p)
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
		of := ""
		if len(p.Files) == 0 {
			of = "An invented cluster (-f FILE for yours): "
		}
		w.Line(0, of+heading(c))
		w.Line(0, fmt.Sprintf("A node is lost after %v without heartbeat, and %v nodes a second are tainted in a zone.", o.config.GracePeriod, o.config.Rate))
		writeLeaving(w, t, owners, p.Limit)
		w.Line(0, "")
		w.Out.Write(t.AppendText(nil, o.every))
	}, func() any { return data(c, t, owners) })
}

// heading says how many nodes fall silent, and which are so already.
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

// Package why is tolero why: why pods are pending, as far as taints keep them out, and what
// would help.
//
// File by file: pods.go puts pods with equal tolerations and requirements together; report.go asks
// package match/explain about each of these groups and each list of taints; pending.go says what
// else keeps pods waiting; text.go and json.go show the result, and causes.go one line of it.
package why

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Command is tolero why.
var Command = command.Command{
	Name:    "why",
	Summary: "why a pod is pending, or may not go to a node, and what would help",
	Usage:   "[POD [NODE]]",
	About: `
Without a POD all pending pods are explained. A POD is a name, namespace/name or kind
namespace/name, such as "Deployment shop/cart": a workload stands for its pods. With a NODE
each of its taints is explained, even if nothing has to change.`,
	Examples: `
  # why pods are pending in a small built-in cluster
  tolero why

  # in your cluster
  tolero why -cluster

  # with pools that have no nodes yet: nodepools, machinedeployments, resourceflavors
  kubectl get nodes,pods,daemonsets,pvc,pv,nodepools -A -o json | tolero why -f -

  # one pod and one node
  tolero why shop/cart-0 spot-1 -f dump.json

  # for people who may not see the values of taints
  tolero why -f dump.json -hide-values -o json`,
	Flags: `
  -node NODE   look at this node only: as the second argument, for all pending pods
  -goal G      what additions and edits are to reach: schedule; stay, which is that
               no taint evicts the pod; or both (schedule)
  -hide-values keep the values of taints out of the output`,
	TextLimit: 5,
	Result:    report{},
	Run:       run,
}

// options are the flags of tolero why.
type options struct {
	*command.Options
	pod, node  string
	goal       explain.Goal
	hideValues bool
}

var goals = map[string]explain.Goal{"schedule": explain.ToSchedule, "stay": explain.ToStay, "both": explain.ToScheduleAndStay}

func parse(p *command.Program, args []string) (*options, error) {
	o := &options{Options: &p.Options}
	flags := p.Flags()
	flags.StringVar(&o.node, "node", "", "")
	goal := flags.String("goal", "schedule", "")
	flags.BoolVar(&o.hideValues, "hide-values", false, "")
	if err := p.Parse(flags, args, 2); err != nil {
		return nil, err
	}
	var known bool
	if o.goal, known = goals[*goal]; !known {
		return nil, command.Usagef("unknown goal %q; there are schedule, stay and both", *goal)
	}
	if len(o.Args) > 0 {
		o.pod = o.Args[0]
	}
	if len(o.Args) > 1 {
		if o.node != "" {
			return nil, command.Usagef("there are two nodes, %q and %q", o.Args[1], o.node)
		}
		o.node = o.Args[1]
	}
	return o, nil
}

func run(p *command.Program, args []string) error {
	o, err := parse(p, args)
	if err != nil {
		return err
	}
	c, err := load(p, o)
	if err != nil {
		return err
	}
	r, err := newReport(p, c, o)
	if err != nil {
		return err
	}
	return p.Show(r.text, func() any { return r })
}

// Demo is the built-in cluster.
//
//go:embed testdata/demo.yaml
var Demo string

func load(p *command.Program, o *options) (*manifest.Cluster, error) {
	c, err := p.Load(&command.Input{Demo: Demo, Kinds: command.PoolKinds, Shown: func(f *manifest.Fault) error { return shown(f, o) }, Filter: func(c *manifest.Cluster) {
		if o.pod == "" || p.Verbose || p.Strict {
			return
		}
		n := len(c.Faults)
		c.Faults = slices.DeleteFunc(c.Faults, func(f manifest.Fault) bool {
			return f.Object.Kind != "Node" && !named(&manifest.Pod{Object: f.Object}, o.pod)
		})
		if n -= len(c.Faults); n > 0 {
			p.Complain(fmt.Errorf("%s of other objects; -v shows all", command.Plural(n, "fault")))
		}
	}})
	if err == nil && (len(c.Nodes)+len(c.Pools) == 0 || len(c.Pods) == 0) {
		err = command.Missing(c)
	}
	return c, err
}

// shown returns the taint, without its value if values are hidden.
func (o *options) shown(x *taint.Taint) taint.Taint {
	y := *x
	if o.hideValues {
		y.Value = ""
	}
	return y
}

// shown returns the fault as an error, without what a node has there if values are hidden.
// The detail of a fault never has a value of the input.
func shown(f *manifest.Fault, o *options) error {
	if !o.hideValues || f.Object.Kind != "Node" {
		return f
	}
	return fmt.Errorf("%s: %s: %s: %s", f.Object, f.Err.Field, f.Err.Problem, f.Err.Detail)
}

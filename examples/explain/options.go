package main

import (
	"flag"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/toleration"
)

const usageLine = `usage: explain [-f FILE]... [-pod NAME]... [-node NAME] [-o text|json] ...
       explain -h tells more
`

const usageText = `usage: explain [flags]
  -f FILE      read nodes and pods from FILE, "-" for standard input: what
               kubectl get nodes,pods -A -o json (or yaml) prints, manifests of
               workloads, lists and streams of them; may be repeated; Deployments,
               DaemonSets, Jobs and other objects with a pod template count as pods,
               unless the input has their pods
  -pod NAME    explain this pod, or the pods of this workload, pending or not: a name,
               namespace/name or kind namespace/name, such as "Deployment shop/cart";
               may be repeated; without it all pending pods are explained
  -node NAME   look at this node only, and tell what tolerates each of its taints even
               if nothing has to change, or if the pod's node selector or required node
               affinity excludes the node
  -goal G      what additions and edits are to reach: schedule; stay, which is that
               no taint evicts the pod; or both (schedule)
  -hide-values keep the values of taints out of the output
  -o FORMAT    text or json (text)
  -width N     columns of the text, 0 for no limit (100)
  -lists N     at most N lists of taints for each pod, those of most nodes first, 0
               for no limit (5; no limit in json)
  -strict      fail if an object is invalid
  -comparisons count tolerations with Gt and Lt, as a cluster with the feature gate
               TaintTolerationComparisonOperators on; without it they do not count,
               as in a default cluster
Without -f, explain works on a small built-in cluster.
The exit status is 0 for success, 1 for a failure and 2 for a wrong command line.
`

// options is the command line.
type options struct {
	files, pods []string
	node        string
	goal        explain.Goal
	hideValues  bool
	rules       toleration.Rules
	strict      bool

	format       string
	width, lists int
}

var goals = map[string]explain.Goal{"schedule": explain.ToSchedule, "stay": explain.ToStay, "both": explain.ToScheduleAndStay}

// parseOptions returns [flag.ErrHelp] if help is asked for, and else an
// error of usage for what is wrong.
func (p *program) parseOptions(args []string) (*options, error) {
	o := &options{}
	flags := p.Flags()
	flags.Func("f", "", func(name string) error { o.files = append(o.files, name); return nil })
	flags.Func("pod", "", func(name string) error { o.pods = append(o.pods, name); return nil })
	flags.StringVar(&o.node, "node", "", "")
	goal := flags.String("goal", "schedule", "")
	flags.BoolVar(&o.hideValues, "hide-values", false, "")
	flags.BoolVar(&o.rules.Comparisons, "comparisons", false, "")
	flags.BoolVar(&o.strict, "strict", false, "")
	flags.StringVar(&o.format, "o", "text", "")
	flags.IntVar(&o.width, "width", 100, "")
	flags.IntVar(&o.lists, "lists", -1, "")
	if err := command.Parse(flags, args); err != nil {
		return nil, err
	}
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var known bool
	o.goal, known = goals[*goal]
	switch {
	case flags.NArg() > 0:
		return nil, command.Usagef("unexpected argument %q; files are given with -f, pods with -pod", flags.Arg(0))
	case !known:
		return nil, command.Usagef("unknown goal %q; there are schedule, stay and both", *goal)
	case o.format != "text" && o.format != "json":
		return nil, command.Usagef("unknown output format %q; there are text and json", o.format)
	case o.width < 0 || given["lists"] && o.lists < 0:
		return nil, command.Usagef("-width and -lists must not be negative")
	}
	if err := command.Once(o.files...); err != nil {
		return nil, err
	}
	if !given["lists"] {
		o.lists = map[string]int{"text": 5}[o.format]
	}
	return o, nil
}

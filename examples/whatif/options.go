package main

import (
	"flag"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration"
)

const usageLine = `usage: whatif [-f FILE]... [-plan FILE] [-step COMMAND]... [-o text|json|kubectl] ...
       whatif -h tells more
`

const usageText = `usage: whatif [flags]
  -f FILE      read nodes and pods from FILE, "-" for standard input: what
               kubectl get nodes,pods,replicasets -A -o json (or yaml) prints, lists and
               streams of objects; may be repeated. ReplicaSets tell which Deployment
               pods belong to; without them it is taken from the names. A Deployment or
               other workload without pods counts as its replicas, which wait
  -plan FILE   the plan, a command a line, "-" for standard input:

                   kubectl taint nodes gpu-1 gpu-2 maintenance=true:NoExecute
                   kubectl taint nodes --tainted dedicated=gpu maintenance- --overwrite
                   kubectl cordon --all
                   kubectl uncordon web-1
                   tolerations dedicated=gpu,maintenance:NoExecute DaemonSet kube-system/agent

               the last one gives the pods of an owner another list, or none for "-";
               kubectl may be left out; --tainted selects the nodes with such a taint
  -step COMMAND one line of a plan, after those of the file; may be repeated
  -max-nodes N, -max-pods N, -max-percent P, -max-per-owner N
               limits: nodes that change or on which tolerations of pods do, pods that
               are evicted, their share of all running pods, those of one owner; if one
               is broken, the exit status is 3
  -budget NAME=N[:OWNER,...]
               a disruption budget: N evictions among the pods of the owners, or of all;
               may be repeated; PodDisruptionBudgets of the input are not read, because
               they count pods that are ready
  -need-node   exit with status 3 if pods have no node left
  -stages      cut the plan into stages that keep the limits, each of which is to be
               carried out when the cluster has recovered from the one before; if that
               cannot be, the exit status is 3
  -o FORMAT    text, json, or kubectl, which are the commands by node names (text); they
               give pods new lists before the first stage, on all nodes at once: if that
               evicts pods too early, there are none, and the exit status is 3
  -width N     columns of the text, 0 for no limit (100)
  -limit N     at most N evictions and lists in the text, 0 for no limit (10)
  -strict      fail if an object is invalid
  -comparisons count tolerations with Gt and Lt, as a cluster with the feature gate
               TaintTolerationComparisonOperators on; without it they do not count,
               as in a default cluster
Without -f, whatif works on a small built-in cluster, with a built-in plan unless one is
given. With -f, a plan is required.
The exit status is 0 for success, 1 for a failure, 2 for a wrong command line and 3 for a
plan that breaks a limit, cannot be cut, is not for kubectl, or leaves pods without a node
under -need-node.
`

// inUsageText is what package flag would print about a flag: usageText has it.
const inUsageText = ""

// formats are those of the output.
var formats = []string{"text", "json", "kubectl"}

// options is the command line.
type options struct {
	files    []string
	plan     string
	steps    []string
	limits   whatif.Limits
	limited  bool // whether there are limits
	needNode bool
	stages   bool
	rules    toleration.Rules
	strict   bool

	format       string
	width, limit int
}

// parseOptions returns [flag.ErrHelp] if help is asked for, and else an error of usage
// for what is wrong.
func (p *program) parseOptions(args []string) (*options, error) {
	o := &options{}
	flags := p.Flags()
	flags.Func("f", inUsageText, func(name string) error { o.files = append(o.files, name); return nil })
	flags.StringVar(&o.plan, "plan", "", inUsageText)
	flags.Func("step", inUsageText, func(text string) error { o.steps = append(o.steps, text); return nil })
	flags.IntVar(&o.limits.MaxNodes, "max-nodes", 0, inUsageText)
	flags.IntVar(&o.limits.MaxPods, "max-pods", 0, inUsageText)
	flags.Float64Var(&o.limits.MaxPercent, "max-percent", 0, inUsageText)
	flags.IntVar(&o.limits.MaxPerOwner, "max-per-owner", 0, inUsageText)
	flags.Func("budget", inUsageText, func(text string) error {
		b, err := command.ParseBudget(text)
		o.limits.Budgets = append(o.limits.Budgets, b)
		return err
	})
	flags.BoolVar(&o.needNode, "need-node", false, inUsageText)
	flags.BoolVar(&o.stages, "stages", false, inUsageText)
	flags.BoolVar(&o.rules.Comparisons, "comparisons", false, inUsageText)
	flags.BoolVar(&o.strict, "strict", false, inUsageText)
	flags.StringVar(&o.format, "o", "text", inUsageText)
	flags.IntVar(&o.width, "width", 100, inUsageText)
	flags.IntVar(&o.limit, "limit", 10, inUsageText)
	if err := command.Parse(flags, args); err != nil {
		return nil, err
	}
	l := &o.limits
	o.limited = l.MaxNodes > 0 || l.MaxPods > 0 || l.MaxPercent > 0 || l.MaxPerOwner > 0 || l.Budgets != nil
	switch {
	case flags.NArg() > 0:
		return nil, command.Usagef("unexpected argument %q; files are given with -f, commands with -step 'COMMAND'", flags.Arg(0))
	case !slices.Contains(formats, o.format):
		return nil, command.Usagef("unknown output format %q; there are text, json and kubectl", o.format)
	case o.width < 0 || o.limit < 0:
		return nil, command.Usagef("-width and -limit must not be negative")
	case l.MaxNodes < 0 || l.MaxPods < 0 || l.MaxPerOwner < 0 || !(l.MaxPercent >= 0 && l.MaxPercent <= 100):
		return nil, command.Usagef("limits must not be negative, and -max-percent not above 100")
	case noLimit(flags) != "":
		return nil, command.Usagef("-%s 0 would be no limit: leave it out, or allow no eviction with -budget none=0", noLimit(flags))
	case o.stages && !o.limited:
		return nil, command.Usagef("-stages needs a limit to keep, such as -max-per-owner 1")
	case len(o.files) > 0 && o.plan == "" && len(o.steps) == 0:
		return nil, command.Usagef("there is no plan; give -plan FILE or -step 'COMMAND'")
	}
	return o, command.Once(append([]string{o.plan}, o.files...)...)
}

// noLimit returns the name of a limit that is given as zero, if there is one: the package
// takes zero for no limit, and a user who writes it means the opposite.
func noLimit(flags *flag.FlagSet) (name string) {
	flags.Visit(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "max-") && f.Value.String() == "0" {
			name = f.Name
		}
	})
	return name
}

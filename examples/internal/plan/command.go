// Package plan is tolero plan: what a change of taints would do to a cluster before anybody
// makes it.
//
// File by file: load.go reads the cluster and steps.go the plan, for which package
// compile/index/whatif has the effect; groups.go finds who gains and loses nodes, report.go sorts
// it; text.go, json.go and kubectl.go show the result.
//
// Taints decide among the nodes that node selectors, required node affinity and volumes admit.
// Resources and the rest may keep a pod from a node too, and pods that are evicted are not placed
// anew.
package plan

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
)

// Command is tolero plan.
var Command = command.Command{
	Name:    "plan",
	Summary: "what a change of taints would do, with limits and in stages",
	Usage:   "[STEP...]",
	About: `
Says who is evicted, at once or later, who gains or loses nodes, who has no node left, which
limits that breaks, and in which stages it keeps them. A STEP is a command in quotes; -plan
reads them from a file, one a line:

  kubectl taint nodes gpu-1 gpu-2 maintenance=true:NoExecute
  kubectl taint nodes --tainted dedicated=gpu maintenance- --overwrite
  kubectl cordon -l agentpool=spot,!example.com/keep
  kubectl taint nodes --all maintenance=true:PreferNoSchedule
  kubectl uncordon web-1
  tolerations dedicated=gpu,maintenance:NoExecute DaemonSet kube-system/agent

The last one gives the pods of an owner another list, or none for "-". "kubectl" may be left
out. --tainted selects the nodes with a taint that one of the tolerations after it tolerates.
ReplicaSets tell which Deployment pods belong to; without them it is taken from the names.`,
	Examples: `
  # a small built-in cluster and plan
  tolero plan

  # your cluster
  ` + command.Dump + ` | tolero plan -f - \
    'taint nodes gpu-1 maintenance:NoExecute' 'cordon gpu-2'

  # in CI: exit with status 1 if the plan breaks a limit
  tolero plan -f dump.json -plan drain.txt -max-percent 5 -max-per-owner 1

  # in stages that keep the limits, as a script
  tolero plan -f dump.json -plan drain.txt -max-per-owner 1 -stages -o kubectl >plan.sh
  bash plan.sh --dry-run`,
	Flags: `
  -plan FILE   the plan, before the steps of the command line; "-" for standard input
  -max-nodes N, -max-pods N, -max-percent P, -max-per-owner N
               limits: nodes that change or on which tolerations of pods do, pods that
               are evicted, their share of all running pods, those of one owner; if one
               is broken, the exit status is 1
  -budget NAME=N[:OWNER,...]
               a disruption budget: N evictions among the pods of the owners, or of all;
               may be repeated. Those of the input are kept too, by what their status
               allows; taints evict without asking them
  -no-budgets  do not look at the PodDisruptionBudgets of the input
  -need-node   exit with status 1 if pods have no node left
  -stages      cut the plan into stages that keep the limits, each of which is to be
               carried out when the cluster has recovered from the one before; if that
               cannot be, the exit status is 1. The script of -o kubectl gives pods new
               lists before the first stage, on all nodes at once, which restarts the
               pods of the owner: if that evicts pods too early, there is no script, and
               the exit status is 1. It cordons the nodes of later stages until it is
               their turn, and waits between stages for pods and budgets`,
	Formats:   []string{"kubectl"},
	TextLimit: 10,
	Result:    jsonReport{},
	Run:       run,
}

// options are the flags of tolero plan.
type options struct {
	*command.Options
	plan     string
	limits   whatif.Limits
	limited  bool // whether there are limits
	needNode bool
	stages   bool

	noBudgets bool
}

func parse(p *command.Program, args []string) (*options, error) {
	o := &options{Options: &p.Options}
	flags := p.Flags()
	flags.StringVar(&o.plan, "plan", "", "")
	l := &o.limits
	for name, to := range map[string]*int{"max-nodes": &l.MaxNodes, "max-pods": &l.MaxPods, "max-per-owner": &l.MaxPerOwner} {
		flags.Func(name, "", func(text string) (err error) {
			if *to, err = strconv.Atoi(text); err != nil || *to < 1 {
				return errors.New("must be a number, at least 1; -budget none=0 allows no eviction")
			}
			return nil
		})
	}
	flags.Func("max-percent", "", func(text string) (err error) {
		if l.MaxPercent, err = strconv.ParseFloat(text, 64); err != nil || !(l.MaxPercent > 0 && l.MaxPercent <= 100) {
			return errors.New("must be above 0 and at most 100; -budget none=0 allows no eviction")
		}
		return nil
	})
	flags.Func("budget", "", func(text string) error {
		b, err := command.ParseBudget(text)
		l.Budgets = append(l.Budgets, b)
		return err
	})
	flags.BoolVar(&o.needNode, "need-node", false, "")
	flags.BoolVar(&o.noBudgets, "no-budgets", false, "")
	flags.BoolVar(&o.stages, "stages", false, "")
	if err := p.Parse(flags, args, maxSteps); err != nil {
		return nil, err
	}
	o.limited = l.MaxNodes > 0 || l.MaxPods > 0 || l.MaxPercent > 0 || l.MaxPerOwner > 0 || l.Budgets != nil
	if len(o.Files) > 0 && o.plan == "" && len(o.Args) == 0 {
		return nil, command.Usagef("there is no plan; give -plan FILE or steps such as 'cordon NODE'")
	}
	return o, nil
}

// maxSteps is how many steps a command line may have: as many as one likes.
const maxSteps = 1 << 30

func run(p *command.Program, args []string) error {
	o, err := parse(p, args)
	if err != nil {
		return err
	}
	c, err := load(p)
	if err != nil {
		return err
	}
	plan, err := loadPlan(p, o, c.read.Nodes)
	if err != nil {
		return err
	}
	if o.noBudgets {
		c.budgets = nil
	}
	o.limits.Budgets = append(o.limits.Budgets, c.budgets...)
	o.limited = o.limited || len(c.budgets) > 0
	if o.stages && !o.limited {
		return command.Usagef("-stages needs a limit to keep, such as -max-per-owner 1")
	}
	r, err := evaluate(p, c, plan, o)
	if err != nil {
		return err
	}
	bar := progress.Start(p.Stderr, "writing", progress.Uncounted)
	defer bar.Stop()
	if o.Format == "kubectl" {
		if r.uncut != nil {
			r.script = fmt.Sprintf("# No stages keep the limits: %s\n", command.Printable(r.uncut.Error()))
		}
		p.Out.WriteString(r.script)
	} else if err := p.Show(func(w *command.Writer) { r.text(w, o) }, r.data); err != nil {
		return err
	}
	return r.gate(o)
}

// gate says what the exit status says.
func (r *report) gate(o *options) error {
	switch {
	case r.uncut != nil:
		return command.Foundf("no stages: %v", r.uncut)
	case r.early != nil:
		return command.Foundf("no commands: %v", r.early)
	case len(r.violations) > 0 && !o.stages:
		return command.Foundf("%s broken: %s", command.Plural(len(r.violations), "limit"), r.cluster.say(r.violations[0]))
	case len(r.unschedulable) > 0 && o.needNode:
		return command.Foundf("-need-node: no node is left for %s", count(r.unschedulable))
	}
	return nil
}

// count says how many pods there are.
func count(groups []Group) string {
	n := int64(0)
	for i := range groups {
		n += groups[i].Pods
	}
	return command.Plural(n, "pod")
}

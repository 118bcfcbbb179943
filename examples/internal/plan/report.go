package plan

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
)

// report is the answer.
type report struct {
	cluster       *cluster
	plan          whatif.Plan                   // as it was given
	written       func(whatif.Plan) whatif.Plan // its steps for those of stages
	limits        whatif.Limits
	summary       whatif.Summary
	evictions     []whatif.Eviction  // the soonest first, then by node and pod
	groups        []Group            // of all pods
	unschedulable []Group            // those of them that have no node left
	violations    []whatif.Violation // of the plan as a whole
	stages        []whatif.Stage     // the whole plan as one unless stages are asked for
	uncut         error              // why there are no stages
	early         error              // why kubectl cannot carry out the stages
	script        string             // for kubectl
}

func evaluate(p *command.Program, c *cluster, plan whatif.Plan, o *options) (*report, error) {
	if err := c.checkOwners(plan, o.limits); err != nil {
		return nil, err
	}
	bar := progress.Start(p.Stderr, "evaluating", progress.Uncounted)
	defer bar.Stop()
	admitted, written := c.daemonSets.Admitted(plan)
	result, err := whatif.Evaluate(c.fleet, c.pods, admitted, whatif.Options{})
	if err != nil {
		return nil, explained(err, plan)
	}
	r := &report{cluster: c, plan: plan, written: written, limits: o.limits, summary: result.Summary()}
	r.evictions = slices.Collect(result.Evictions())
	slices.SortFunc(r.evictions, func(a, b whatif.Eviction) int {
		return cmp.Or(cmp.Compare(a.After, b.After), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Pod, b.Pod))
	})
	r.groups = groupsOf(c.read.Nodes, c.waiters, result, admitted, p.Rules)
	for i := range r.groups {
		if r.groups[i].stranded() {
			r.unschedulable = append(r.unschedulable, r.groups[i])
		}
	}
	if r.violations, err = result.Check(o.limits); err != nil {
		return nil, err
	}
	var within whatif.Limits
	if o.stages {
		within = o.limits
	}
	r.stages, err = result.Stages(within)
	if limit := new(whatif.LimitError); errors.As(err, &limit) {
		r.uncut, err = limit, nil
	}
	if o.Format == "kubectl" {
		job := &Job{Fleet: c.fleet, Pods: c.pods, Plan: plan, Admitted: admitted, Stages: r.stages, Budgets: c.budgets}
		r.script, r.early = job.Script()
		if r.unasked(o) {
			r.script = strings.Replace(r.script, "\nset -e", "\n# "+noBudgets+".\nset -e", 1)
		}
	}
	return r, err
}

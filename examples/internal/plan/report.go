package plan

import (
	"cmp"
	"errors"
	"slices"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/toleration"
)

// report is the answer.
type report struct {
	cluster       *cluster
	plan          whatif.Plan                   // as it was given
	written       func(whatif.Plan) whatif.Plan // its steps for those of stages
	limits        whatif.Limits
	summary       whatif.Summary
	evictions     []whatif.Eviction // the soonest first, then by node and pod
	classes       []whatif.ClassChange
	unschedulable []Group            // pods that have no node left
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
	r.classes = slices.Collect(result.Classes())
	r.unschedulable = Stranded(c.read.Nodes, c.waiters, result, admitted, p.Rules)
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
		job := &Job{c.fleet, c.pods, plan, admitted, r.stages, c.budgets}
		r.script, r.early = job.Script()
	}
	return r, err
}

// podsOf returns how many pods a change is about.
func (r *report) podsOf(c *whatif.ClassChange) int64 {
	n, list := int64(c.Pods), toleration.FormatList(c.Before)
	for _, owner := range r.ownersOf(c) {
		n += r.cluster.more[ofOwner{list, owner}]
	}
	return n
}

// ownersOf returns whose pods a change is about.
func (r *report) ownersOf(c *whatif.ClassChange) []string {
	if c.Owner != "" {
		return []string{c.Owner}
	}
	changed := make(map[string]bool) // all of whose pods get another list
	for i := range r.plan.Steps {
		if s := &r.plan.Steps[i]; !onSomeNodes(s) { // others name nodes
			changed[s.Owner] = true
		}
	}
	owners := slices.Clone(r.cluster.owners[toleration.FormatList(c.Before)])
	return slices.DeleteFunc(owners, func(owner string) bool { return changed[owner] })
}

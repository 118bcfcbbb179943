package page

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/plan"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Limits of an answer, whatever the question.
const (
	maxListed   = 200       // evictions and classes of pods
	maxStages   = 50        // of which the commands are given
	maxCommands = 256 << 10 // bytes of commands in an answer
	maxExpanded = 100_000   // nodes or pods, where one stands for many
)

// Question is a plan as package whatif reads it, and the limits to keep; zero is none.
// It is plain data.
type Question struct {
	Plan        string  `json:"plan"`
	Budgets     string  `json:"budgets"` // disruption budgets, a line each, as [command.ParseBudget] reads them
	MaxNodes    int     `json:"maxNodes"`
	MaxPods     int     `json:"maxPods"`
	MaxPercent  float64 `json:"maxPercent"`
	MaxPerOwner int     `json:"maxPerOwner"`
}

// Answer is what the plan would do. It is plain data.
type Answer struct {
	Errors        []string   `json:"errors"` // if there are any, there is nothing else
	Summary       *Summary   `json:"summary,omitempty"`
	Commands      string     `json:"commands"`  // the script of all stages; empty if it is too long
	Evictions     []Evicted  `json:"evictions"` // the first of them
	Classes       []Concerns `json:"classes"`   // those that lose most
	MoreClasses   int        `json:"moreClasses"`
	Unschedulable []Concerns `json:"unschedulable"`
	Limits        int        `json:"limits"` // how many are to be kept
	Violations    []string   `json:"violations"`
	Stages        []Stage    `json:"stages"`
	MoreStages    int        `json:"moreStages"`
	StageError    string     `json:"stageError,omitempty"`
}

// Summary counts nodes that change, and their pods. It is plain data.
type Summary struct {
	Nodes  int `json:"nodes"`
	Now    int `json:"now"`    // evicted at once because of the plan
	Later  int `json:"later"`  // and after a time
	Anyway int `json:"anyway"` // evicted with the plan or without it
	Spared int `json:"spared"`
	Stay   int `json:"stay"`
}

// Evicted is a pod that is evicted. It is plain data.
type Evicted struct {
	Pod     string  `json:"pod"`
	Node    string  `json:"node"`
	Owner   string  `json:"owner,omitempty"`
	Seconds float64 `json:"seconds"`
	Taint   string  `json:"taint"`
}

// Concerns is what the plan means to pods with the same tolerations. It is plain data.
type Concerns struct {
	Tolerations string `json:"tolerations"`
	Owner       string `json:"owner,omitempty"` // if the plan gives it another list
	Pods        int    `json:"pods"`
	Gained      int    `json:"gained"`
	Lost        int    `json:"lost"`
	Evicted     int    `json:"evicted"`
}

// Stage is a part of the plan that keeps the limits. It is plain data.
type Stage struct {
	Summary  Summary `json:"summary"`
	Commands string  `json:"commands"` // for its nodes; empty if all commands together are too long
}

// cluster is a fleet as package whatif has it. Only load changes it.
type cluster struct {
	nodes *index.Snapshot
	pods  *whatif.Pods
	fleet *Fleet
	named []manifest.Node // those of the fleet one by one, with their labels

	daemonSets command.DaemonSets
}

// load takes the fleet over. A node or pod that stands for many becomes many.
func (c *cluster) load(f *Fleet) {
	c.fleet = f
	ix := index.New(f.Rules)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range f.Nodes {
			n := &f.Nodes[i]
			for name := range each(n.Name, n.Count) {
				if name == "" {
					continue
				}
				c.named = append(c.named, manifest.Node{Object: manifest.Object{Name: name}, SpecTaints: n.Taints, Labels: n.Labels})
				if !yield(name, n.Taints) {
					return
				}
			}
		}
	})
	c.nodes, c.pods, c.daemonSets = ix.Snapshot(), whatif.NewPods(f.Rules), make(command.DaemonSets)
	for i := range f.Pods {
		p := &f.Pods[i]
		if p.DaemonSet {
			c.daemonSets[p.owner()] = admit.DaemonSet{HostNetwork: p.HostNetwork}
		}
		for name := range each(p.id(), p.Count) {
			c.pods.Set(whatif.Pod{Name: name, Node: p.Node, Owner: p.owner(), Tolerations: p.Tolerations})
		}
	}
}

// each iterates over n names, the first of which is name, and no other a valid one.
func each(name string, n int64) iter.Seq[string] {
	return func(yield func(string) bool) {
		if n < 1 || !yield(name) {
			return
		}
		for i := range min(n, maxExpanded) - 1 {
			if !yield(name + "~" + strconv.FormatInt(i+2, 10)) {
				return
			}
		}
	}
}

// owner returns the owner with its namespace, as plans name it.
func (p *Pod) owner() string {
	kind, name, found := strings.Cut(p.Owner, "/")
	switch {
	case p.Owner == "":
		return ""
	case !found:
		return p.Owner
	case p.Namespace == "":
		return kind + " " + name
	}
	return kind + " " + p.Namespace + "/" + name
}

// answer evaluates the plan.
func (c *cluster) answer(q *Question) *Answer {
	a := &Answer{Errors: []string{}, Evictions: []Evicted{}, Classes: []Concerns{}, Unschedulable: []Concerns{}, Violations: []string{}, Stages: []Stage{}}
	limits, err := q.limits()
	if err != nil {
		return a.fail(err)
	}
	a.Limits = countLimits(&limits)
	steps, err := whatif.Parse(q.Plan)
	if err != nil {
		return a.fail(err)
	}
	admitted, _ := c.daemonSets.Admitted(steps)
	r, err := whatif.Evaluate(c.nodes, c.pods, admitted, whatif.Options{})
	if err != nil {
		return a.fail(err)
	}
	violations, err := r.Check(limits)
	if err != nil {
		return a.fail(err)
	}
	for _, v := range violations[:min(maxListed, len(violations))] {
		a.Violations = append(a.Violations, v.String())
	}
	a.Summary = summary(r.Summary())
	for e := range r.Evictions() {
		if len(a.Evictions) == maxListed {
			break
		}
		a.Evictions = append(a.Evictions, Evicted{e.Pod, e.Node, e.Owner, e.After.Seconds(), e.Taint.String()})
	}
	a.classes(r)
	left := plan.Stranded(c.named, c.waiters, r, admitted, c.fleet.Rules)
	for _, g := range left[:min(maxListed, len(left))] {
		a.Unschedulable = append(a.Unschedulable, Concerns{Tolerations: shorten(toleration.FormatList(g.After)), Owner: command.Some(g.Owners), Pods: int(g.Pods)})
	}
	a.stages(r, limits, &plan.Job{Fleet: c.nodes, Pods: c.pods, Plan: steps, Admitted: admitted})
	return a
}

// limits returns the limits to keep. A budget that cannot be read is an error.
func (q *Question) limits() (whatif.Limits, error) {
	l := whatif.Limits{MaxNodes: q.MaxNodes, MaxPods: q.MaxPods, MaxPercent: q.MaxPercent, MaxPerOwner: q.MaxPerOwner}
	for line := range strings.Lines(q.Budgets) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		b, err := command.ParseBudget(line)
		if err != nil {
			return l, fmt.Errorf("disruption budget %q: %w", shorten(line), err)
		}
		l.Budgets = append(l.Budgets, b)
	}
	return l, nil
}

// countLimits returns how many limits there are.
func countLimits(l *whatif.Limits) int {
	n := len(l.Budgets)
	for _, set := range []bool{l.MaxNodes > 0, l.MaxPods > 0, l.MaxPercent > 0, l.MaxPerOwner > 0} {
		if set {
			n++
		}
	}
	return n
}

// fail says what is wrong, one line for each fault.
func (a *Answer) fail(err error) *Answer {
	lines := strings.Split(err.Error(), "\n")
	if faults := new(taint.FieldErrors); errors.As(err, &faults) {
		lines = lines[:0]
		for _, fault := range faults.Faults {
			lines = append(lines, fault.Error())
		}
	}
	a.Errors = lines[:min(maxListed, len(lines))]
	return a
}

func summary(s whatif.Summary) *Summary {
	return &Summary{s.Nodes, s.EvictedNow, s.EvictedLater, s.EvictedAnyway, s.Spared, s.Stay}
}

// waiters iterates over the pods of the fleet.
func (c *cluster) waiters(yield func(plan.Waiter) bool) {
	for i := range c.fleet.Pods {
		p := &c.fleet.Pods[i]
		if !yield(plan.Waiter{Owner: p.owner(), Tolerations: p.Tolerations, Required: p.Affinity, Count: p.Count}) {
			return
		}
	}
}

// classes lists whom the plan concerns, those that lose most first.
func (a *Answer) classes(r *whatif.Result) {
	all := slices.Collect(r.Classes())
	slices.SortStableFunc(all, func(x, y whatif.ClassChange) int {
		return (y.Lost+y.Evicted)*max(1, y.Pods) - (x.Lost+x.Evicted)*max(1, x.Pods)
	})
	a.MoreClasses = max(0, len(all)-maxListed)
	for _, c := range all[:len(all)-a.MoreClasses] {
		a.Classes = append(a.Classes, concerns(&c))
	}
}

func concerns(c *whatif.ClassChange) Concerns {
	return Concerns{shorten(toleration.FormatList(c.After)), c.Owner, c.Pods, c.Gained, c.Lost, c.Evicted}
}

// shorten cuts off a list that is too long to read.
func shorten(text string) string {
	if runes := []rune(text); len(runes) > 1000 {
		return string(runes[:1000]) + "…"
	}
	return text
}

// stages cuts the plan, and writes the script that tolero plan -o kubectl prints.
func (a *Answer) stages(r *whatif.Result, limits whatif.Limits, job *plan.Job) {
	stages, err := r.Stages(limits)
	if err != nil {
		a.StageError = err.Error()
		return
	}
	job.Stages = stages
	if a.Commands, _ = job.Script(); len(a.Commands) > maxCommands { // an error is in the text
		a.Commands = ""
	}
	a.MoreStages = max(0, len(stages)-maxStages)
	room := maxCommands
	for _, s := range stages[:len(stages)-a.MoreStages] {
		text := ""
		if room > 0 {
			for _, line := range plan.Changes(s) {
				text += line + "\n"
			}
			if room -= len(text); room < 0 {
				text = ""
			}
		}
		a.Stages = append(a.Stages, Stage{*summary(s.Summary()), text})
	}
}

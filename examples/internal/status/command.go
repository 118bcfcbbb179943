// Package status is tolero without a command: what is wrong with taints and tolerations today,
// in a few lines, each with the command that tells more.
package status

import (
	"errors"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/lint"
	"github.com/tolero-dev/tolero/examples/internal/why"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Command is tolero without a command.
var Command = command.Command{
	Name:    "status",
	Summary: "what is wrong with taints and tolerations today",
	About: `
Pods that are pending and why, nodes with taints that most nodes of their pool do not have,
evictions, and findings; each with the command that tells more.`,
	Examples: `
  # a small built-in cluster
  tolero

  # your cluster
  tolero -cluster

  # a cluster as it was
  ` + command.Dump + ` >dump.json
  tolero -f dump.json`,
	Flags: `
  -fail        exit with status 1 if anything is wrong
  -pool LABEL  the label that names the node pool of a node, if it is none of those
               that are known`,
	TextLimit: 5,
	Result:    Report{},
	Run:       run,
}

func run(p *command.Program, args []string) error {
	flags := p.Flags()
	fail := flags.Bool("fail", false, "")
	pool := flags.String("pool", "", "")
	if err := p.Parse(flags, args, 0); err != nil {
		return err
	}
	c, err := p.Load(&command.Input{Demo: why.Demo, Kinds: command.PoolKinds})
	if err != nil {
		return err
	}
	if len(c.Nodes)+len(c.Pools) == 0 {
		return command.Missing(c)
	}
	r := New(c, p.Rules, *pool)
	r.demo = len(p.Files) == 0
	err = p.Show(func(w *command.Writer) { r.text(w, p.Limit) }, func() any { return r })
	if *fail && !r.Healthy() {
		err = errors.Join(err, command.Foundf("something is wrong, and -fail is set"))
	}
	return err
}

// Report is the answer, and its JSON.
type Report struct {
	Nodes     int            `json:"nodes"`
	Pods      int64          `json:"pods"`
	Pending   []why.Cause    `json:"pending"`
	Unusual   []unusual      `json:"unusualTaints"`
	Evictions []eviction     `json:"evictions"` // the soonest first
	Findings  map[string]int `json:"findings"`  // by severity
	Rules     map[string]int `json:"rules"`     // the same by ID
	rules     []string       // in the order of severity
	demo      bool           // whether it is about the built-in cluster
	asOf      string         // the time of the input, if it is known
}

// New returns what is wrong in a cluster, whose node pools the label names, or those that are
// known if it is empty.
func New(c *manifest.Cluster, rules toleration.Rules, pool string) *Report {
	r := &Report{Nodes: len(c.Nodes), Pending: why.Causes(c, rules), Unusual: unusualTaints(c, command.PoolLabels(pool)), Evictions: evictions(c, rules)}
	if !c.Latest.IsZero() {
		r.asOf = c.Latest.UTC().Format(command.Moment)
	}
	for i := range c.Pods {
		r.Pods += c.Pods[i].Count
	}
	r.Findings, r.Rules, r.rules = lint.Counts(c, rules)
	return r
}

// Healthy reports whether nothing is wrong.
func (r *Report) Healthy() bool {
	return len(r.Pending) == 0 && len(r.Unusual) == 0 && len(r.Evictions) == 0 && r.Findings["error"] == 0 && r.Findings["warning"] == 0
}

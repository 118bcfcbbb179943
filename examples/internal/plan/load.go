package plan

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// demo is the built-in cluster.
//
//go:embed testdata/demo.yaml
var demo string

// cluster is what a plan is for.
type cluster struct {
	read    *manifest.Cluster
	nodes   int
	fleet   *index.Snapshot
	pods    *whatif.Pods
	known   map[string]bool // the owners of pods
	count   int64           // of all pods; a few workloads may have more than an int of 32 bits counts
	budgets []whatif.Budget // the PodDisruptionBudgets of the input

	daemonSets command.DaemonSets
}

func load(p *command.Program) (*cluster, error) {
	read, err := p.Load(&command.Input{Demo: demo, Kinds: slices.Concat(command.PlacementKinds, []string{"poddisruptionbudgets.policy"})})
	if err != nil {
		return nil, err
	}
	if len(read.Nodes) == 0 {
		return nil, command.Missing(read)
	}
	bar := progress.Start(p.Stderr, "indexing", int64(len(read.Nodes)+len(read.Pods)))
	defer bar.Stop()
	ix := index.New(p.Rules)
	for i := range read.Nodes {
		ix.Set(read.Nodes[i].Name, read.Nodes[i].Taints())
		bar.Add(1)
	}
	c := &cluster{read: read, pods: whatif.NewPods(p.Rules), known: make(map[string]bool), daemonSets: make(command.DaemonSets)}
	for i := range read.Pods {
		pod := &read.Pods[i]
		owner := command.Owner(pod)
		c.pods.Set(whatif.Pod{Name: pod.ID(), Node: pod.NodeName, Owner: owner, Tolerations: command.Tolerations(pod)})
		c.known[owner] = true
		c.daemonSets.Add(pod)
		c.count += pod.Count
		bar.Add(1)
	}
	c.budgets = budgetsOf(read)
	c.fleet = ix.Snapshot()
	c.nodes = c.fleet.Len()
	return c, nil
}

// selecting are the rules of a selection, as in package whatif.
var selecting = toleration.Rules{Comparisons: true}

// selects reports whether a selection by taints has a node.
func (c *cluster) selects(n *whatif.Nodes) bool {
	return slices.ContainsFunc(c.read.Nodes, func(node manifest.Node) bool {
		return (n.Names == nil || slices.Contains(n.Names, node.Name)) &&
			slices.ContainsFunc(node.Taints(), func(t taint.Taint) bool { return match.Tolerates(n.Tainted, &t, selecting) })
	})
}

// checkOwners returns an error for the first owner of the plan that has no pods: what is
// planned for it would be for nothing.
func (c *cluster) checkOwners(plan whatif.Plan, limits whatif.Limits) error {
	var wanted []string
	for i := range plan.Steps {
		if setsTolerations(&plan.Steps[i]) {
			wanted = append(wanted, plan.Steps[i].Owner)
		}
	}
	for i := range limits.Budgets {
		wanted = append(wanted, limits.Budgets[i].Owners...)
	}
	for _, owner := range wanted {
		if !c.known[owner] {
			var all []string
			for known := range c.known {
				all = append(all, known)
			}
			slices.Sort(all)
			return fmt.Errorf("no pods of %q in the input; there are those of %s", owner, command.Some(all))
		}
	}
	return nil
}

package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// budgetsOf returns what the PodDisruptionBudgets of the input allow now. Their pods are sorted.
func budgetsOf(read *manifest.Cluster) []whatif.Budget {
	all := make([]whatif.Budget, len(read.Budgets))
	byNamespace := make(map[string][]int)
	for i := range read.Budgets {
		b := &read.Budgets[i]
		all[i] = whatif.Budget{Name: b.Namespace + "/" + b.Name, Pods: []string{}, Allowed: int(min(max(b.DisruptionsAllowed, 0), math.MaxInt32))}
		byNamespace[b.Namespace] = append(byNamespace[b.Namespace], i)
	}
	for i := range read.Pods {
		p := &read.Pods[i]
		for _, at := range byNamespace[p.Namespace] {
			if read.Budgets[at].Protects(p) {
				all[at].Pods = append(all[at].Pods, p.ID())
			}
		}
	}
	for i := range all {
		slices.Sort(all[i].Pods)
	}
	return all
}

// say says which limit is exceeded. A budget has the name of a PodDisruptionBudget, or one that the
// user gave.
func (c *cluster) say(v whatif.Violation) string {
	for i := range c.read.Budgets {
		b := &c.read.Budgets[i]
		if v.Limit != "Budgets" || v.Name != b.Namespace+"/"+b.Name {
			continue
		}
		text := fmt.Sprintf("PodDisruptionBudget %s allows %s, and the plan makes %d", v.Name, command.Plural(v.Allowed, "eviction"), v.Count)
		if b.NoStatus {
			text = fmt.Sprintf("PodDisruptionBudget %s has no status, so it allows none, and the plan makes %s", v.Name, command.Plural(v.Count, "eviction"))
		}
		return text
	}
	return v.String()
}

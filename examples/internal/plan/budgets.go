package plan

import (
	"math"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// budgetsOf returns what the PodDisruptionBudgets of the input allow now. Each counts all pods
// of the owners of which it selects some: where it selects a part of them, that is stricter
// than it is.
func budgetsOf(read *manifest.Cluster) []whatif.Budget {
	all := make([]whatif.Budget, len(read.Budgets))
	byNamespace := make(map[string][]int)
	for i := range read.Budgets {
		b := &read.Budgets[i]
		all[i] = whatif.Budget{Name: b.Namespace + "/" + b.Name, Owners: []string{}, Allowed: int(min(max(b.DisruptionsAllowed, 0), math.MaxInt32))}
		byNamespace[b.Namespace] = append(byNamespace[b.Namespace], i)
	}
	seen := make(map[ofOwner]bool)
	for i := range read.Pods {
		p := &read.Pods[i]
		for _, at := range byNamespace[p.Namespace] {
			if owner := command.Owner(p); read.Budgets[at].Protects(p) && !seen[ofOwner{all[at].Name, owner}] {
				seen[ofOwner{all[at].Name, owner}] = true
				all[at].Owners = append(all[at].Owners, owner)
			}
		}
	}
	return all
}

package plan

import (
	"math"
	"slices"

	"github.com/tolero-dev/tolero/compile/index/whatif"
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

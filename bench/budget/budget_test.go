//go:build !race

package budget

import "testing"

func TestBudgets(t *testing.T) {
	for _, group := range table {
		t.Run(group.name, func(t *testing.T) {
			for _, o := range group.operations(t) {
				if !o.do() {
					t.Errorf("%s does not do what is measured", o.name)
				}
				if got := testing.AllocsPerRun(200, func() { o.do() }); got > o.budget {
					t.Errorf("%s: %v allocations, the budget is %v", o.name, got, o.budget)
				}
			}
		})
	}
}

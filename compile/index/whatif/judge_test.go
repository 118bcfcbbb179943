package whatif_test

import (
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Tolerations with Gt and Lt count with the plan and without it, or neither, as the cluster
// has them; the seconds of others decide where they do.
func TestComparisonsOfEvictions(t *testing.T) {
	const pod = "k>5:NoExecute,x:NoExecute@300"
	for _, c := range []struct {
		taints, plan       string
		without, comparing whatif.Summary // in a default cluster, and in one with the operators
	}{
		{"k=7:NoExecute", "taint nodes n x:NoExecute", whatif.Summary{EvictedAnyway: 1}, whatif.Summary{EvictedLater: 1}},
		{"k=7:NoExecute", "taint nodes n k-", whatif.Summary{Spared: 1}, whatif.Summary{Stay: 1}},
		{"k=7:NoExecute,x:NoExecute", "taint nodes n x-", whatif.Summary{EvictedAnyway: 1}, whatif.Summary{Spared: 1}},
		{"x:NoExecute", "taint nodes n k=7:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{EvictedAnyway: 1}},
		{"x:NoExecute", "taint nodes n k=4:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{EvictedNow: 1}},
		{"", "taint nodes n k=7:NoExecute x:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{EvictedLater: 1}},
		{"", "taint nodes n k=7:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{Stay: 1}},
	} {
		for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
			for _, policy := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
				ix, pods := index.New(rules), whatif.NewPods(rules)
				taints, err := taint.ParseList(c.taints)
				if err != nil {
					t.Fatal(err)
				}
				list, err := toleration.ParseList(pod)
				if err != nil {
					t.Fatal(err)
				}
				ix.Set("n", taints)
				pods.Set(whatif.Pod{Name: "p", Node: "n", Tolerations: list})
				plan, err := whatif.Parse(c.plan)
				if err != nil {
					t.Fatal(err)
				}
				r, err := whatif.Evaluate(ix.Snapshot(), pods, plan, whatif.Options{Policy: policy, Now: epoch})
				if err != nil {
					t.Fatal(err)
				}
				want := c.without
				if rules.Comparisons {
					want = c.comparing
				}
				want.Nodes = 1
				if got := r.Summary(); got != want {
					t.Errorf("%s, %s, %+v, policy %v: %+v, want %+v", c.taints, c.plan, rules, policy, got, want)
				}
			}
		}
	}
}

package figures

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkWhatIf measures a plan that evicts some 39,000 of 1,000,000 pods from 3,900
// of 100,000 nodes, against what must be touched: the pods on the nodes that change, read
// and written down. "rebuild" applies the plan to a copy of the nodes, builds the index of
// that and asks package match about the pods of all nodes that changed.
func BenchmarkWhatIf(b *testing.B) {
	for _, name := range scenario.Names() {
		b.Run(name, func(b *testing.B) {
			c := cluster(name, 100_000, 1_000_000)
			fleet, pods := work.Index(c.Nodes).Snapshot(), place(c)
			plan := drain(c, len(c.Nodes)*39/1000)
			r := ratio.Measure(b, "plan",
				ratio.Side{Name: "whatif", Units: 1, Do: func() int { return evaluate(b, fleet, pods, plan) }},
			)
			_ = r
			b.ReportMetric(float64(evaluate(b, fleet, pods, plan)), "evictions")
		})
	}
}

// place runs the pods on the nodes, in turns. There are a thousand owners.
func place(c *scenario.Cluster) *whatif.Pods {
	pods := whatif.NewPods(toleration.Rules{Comparisons: true})
	for i := range c.Pods {
		p := &c.Pods[i]
		pods.Set(whatif.Pod{Name: p.Name, Node: c.Nodes[i%len(c.Nodes)].Name, Owner: fmt.Sprint("owner-", i%1000), Tolerations: p.Tolerations})
	}
	return pods
}

// drain is a plan that cordons so many nodes, spread over the fleet, and evicts their pods.
func drain(c *scenario.Cluster, nodes int) whatif.Plan {
	var names []string
	for i := range nodes {
		names = append(names, c.Nodes[i*len(c.Nodes)/nodes].Name)
	}
	out := taint.MustParse("maintenance:NoExecute")
	return whatif.Plan{Steps: []whatif.Step{
		{Action: whatif.Cordon, Nodes: whatif.Nodes{Names: names}},
		{Nodes: whatif.Nodes{Names: names}, Taints: taint.Change{Add: []taint.Taint{out}}},
	}}
}

func evaluate(b *testing.B, fleet *index.Snapshot, pods *whatif.Pods, plan whatif.Plan) int {
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return r.Summary().Evicted() + len(r.Unschedulable())
}

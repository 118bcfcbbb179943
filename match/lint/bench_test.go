package lint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match/lint"
)

// BenchmarkCheck is about 100,000 nodes and 1,000,000 pods, and beside it the least that
// such a check does: to look at every name and list once. In "distinct" they are 10,000
// nodes and 4,000 pods.
func BenchmarkCheck(b *testing.B) {
	nodes, pods := 100_000, 1_000_000
	if testing.Short() {
		nodes, pods = 1_000, 10_000
	}
	for _, name := range []string{"pools", "timestamps", "daemonsets", "halfown", "unique", "distinct"} {
		b.Run(name, func(b *testing.B) {
			makeCluster, _ := scenario.Find(name)
			nodes, pods := nodes, pods
			if name == "distinct" { // hundreds of tolerations each: a million lists do not fit
				nodes, pods = nodes/10, pods/250
			}
			f := ofScenario(makeCluster(1, nodes, pods))
			objects := len(f.Nodes) + len(f.Pods)
			r := ratio.Measure(b, "object",
				ratio.Side{Name: "check", Units: objects, Do: func() int { return len(lint.Check(f, lint.Options{}).Findings) }},
				ratio.Side{Name: "look", Units: objects, Do: func() int { return look(f) }})
			r.Report(b, "check", "look")
		})
	}
}

func ofScenario(c *scenario.Cluster) *lint.Fleet {
	f := new(lint.Fleet)
	for _, n := range c.Nodes {
		f.Nodes = append(f.Nodes, lint.Node{Name: n.Name, Taints: n.Taints})
	}
	for _, p := range c.Pods {
		f.Pods = append(f.Pods, lint.Pod{Name: p.Name, Tolerations: p.Tolerations})
	}
	return f
}

func look(f *lint.Fleet) (looked int) {
	for i := range f.Nodes {
		looked += len(f.Nodes[i].Name)
		for _, x := range f.Nodes[i].Taints {
			looked += len(x.Key) + len(x.Value) + len(x.Effect)
		}
	}
	for i := range f.Pods {
		looked += len(f.Pods[i].Name)
		for j := range f.Pods[i].Tolerations {
			t := &f.Pods[i].Tolerations[j]
			looked += len(t.Key) + len(t.Value) + len(t.Effect) + len(t.Operator)
		}
	}
	return looked
}

package whatif_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pods with long lists of their own stay and leave for each of the reasons that there are.
func TestLongLists(t *testing.T) {
	const before, out = "before:NoExecute", "out:NoExecute"
	unlimited, hour, now := toleration.MustParse("other"), toleration.MustParse("other:NoExecute@3600"), toleration.MustParse("other:NoExecute@0")
	tolerates := toleration.MustParse("before")
	for name, c := range map[string]struct {
		taints, plan string
		list         []toleration.Toleration
		want         whatif.Summary
	}{
		"stays":                    {before, "taint nodes --all x:NoSchedule", []toleration.Toleration{tolerates, unlimited}, whatif.Summary{Stay: 9}},
		"spared":                   {before, "taint nodes --all before-", []toleration.Toleration{unlimited}, whatif.Summary{Spared: 9}},
		"leaves with or without":   {before, "taint nodes --all " + out, []toleration.Toleration{now}, whatif.Summary{EvictedAnyway: 9}},
		"leaves, was free to stay": {"", "taint nodes --all " + out, []toleration.Toleration{now}, whatif.Summary{EvictedNow: 9}},
		"leaves, tolerated all":    {before, "taint nodes --all " + out, []toleration.Toleration{tolerates, unlimited}, whatif.Summary{EvictedNow: 9}},
		"leaves, not at once":      {before, "taint nodes --all " + out, []toleration.Toleration{tolerates, hour}, whatif.Summary{EvictedNow: 9}},
	} {
		t.Run(name, func(t *testing.T) {
			const long = 1000
			var ix index.Index
			var pods whatif.Pods
			for i := range 9 {
				list := c.list
				for j := range long {
					list = append(list, toleration.Toleration{Key: fmt.Sprintf("of-%d-%d", i, j), Operator: toleration.OpExists})
				}
				taints, _ := taint.ParseList(c.taints)
				ix.Set(fmt.Sprint("node-", i/3), append(taints, taint.Taint{Key: "own", Value: fmt.Sprint(i / 3), Effect: taint.PreferNoSchedule}))
				pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint("node-", i/3), Tolerations: list})
			}
			plan, err := whatif.Parse(c.plan)
			if err != nil {
				t.Fatal(err)
			}
			r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c.want.Nodes = 3
			if got := r.Summary(); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// Two thousand steps on one node, ten thousand with TOLERO_LONG in the environment, are
// answered as package match answers: the evaluation does not become another one where it is large.
func TestLargePlans(t *testing.T) {
	steps := 2000
	if os.Getenv("TOLERO_LONG") != "" {
		steps = 10_000
	}
	for _, takesBack := range []bool{false, true} {
		var ix index.Index
		ix.Set("node-0", nil)
		var plan whatif.Plan
		var want []taint.Taint
		for i := range steps {
			step := whatif.Step{Nodes: whatif.Nodes{Names: []string{"node-0"}}, Taints: taint.Change{Add: []taint.Taint{{Key: fmt.Sprint("k-", i), Effect: taint.NoExecute}}}}
			if takesBack && i%2 == 1 {
				step.Taints = taint.Change{Remove: []taint.Taint{{Key: fmt.Sprint("k-", i-1)}}}
			} else if !takesBack {
				want = append(want, step.Taints.Add...)
			}
			plan.Steps = append(plan.Steps, step)
		}
		slices.Reverse(want) // the last one comes first
		r, err := whatif.Evaluate(ix.Snapshot(), new(whatif.Pods), plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, got := range r.Nodes() {
			if n++; !taint.Equal(got, want) {
				t.Errorf("%d taints, want %d", len(got), len(want))
			}
		}
		if nodes := min(len(want), 1); n != nodes {
			t.Errorf("%d nodes change, want %d", n, nodes)
		}
	}
}

// Classes without a node are found where each class fits many nodes and all nodes differ.
func TestUnschedulableOfBounds(t *testing.T) {
	const nodes = 3200
	ix := index.New(toleration.Rules{Comparisons: true})
	pods := whatif.NewPods(toleration.Rules{Comparisons: true})
	for i := range nodes {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "n", Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint(i), Tolerations: []toleration.Toleration{{Key: "n", Operator: toleration.OpGt, Value: fmt.Sprint(i)}}})
	}
	for _, c := range []struct {
		plan string
		want int
	}{
		{"kubectl taint nodes --all out:NoExecute", nodes},
		{"kubectl cordon --all", nodes - 1}, // the last one loses no node, and stays
	} {
		plan, err := whatif.Parse(c.plan)
		if err != nil {
			t.Fatal(err)
		}
		r, err := whatif.Evaluate(ix.Snapshot(), pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.Unschedulable()); got != c.want {
			t.Errorf("%s: %d classes, want %d", c.plan, got, c.want)
		}
	}
	ix.Set("clean", nil) // every class fits it
	plan, _ := whatif.Parse("kubectl taint nodes 7 out:NoExecute")
	r, err := whatif.Evaluate(ix.Snapshot(), pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Unschedulable(); got != nil {
		t.Errorf("%v, and a node without taints is left", got)
	}
}

// Classes come in their order, whether they lose nodes, or only have pods that are evicted from
// nodes that do not fit them anyway.
func TestClassesInTheirOrder(t *testing.T) {
	const classes = 300
	for offset := range 3 {
		var ix index.Index
		ix.Set("free", nil)
		ix.Set("blocked", []taint.Taint{{Key: "blocked", Effect: taint.NoSchedule}})
		var pods whatif.Pods
		loses := func(i int) bool { return (i+offset)%3 > 0 }
		for i := range classes {
			p := whatif.Pod{Name: fmt.Sprint(i), Node: "blocked", Tolerations: []toleration.Toleration{{Key: fmt.Sprint(i)}, {Key: "busy"}}}
			if loses(i) {
				p.Node, p.Tolerations = "free", p.Tolerations[:1]
			}
			pods.Set(p)
		}
		plan, err := whatif.Parse("taint nodes free busy:NoSchedule\ntaint nodes blocked out:NoExecute")
		if err != nil {
			t.Fatal(err)
		}
		r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for c := range r.Classes() {
			lost, evicted := 0, 1
			if loses(i) {
				lost, evicted = 1, 0
			}
			if c.Before[0].Key != fmt.Sprint(i) || c.Lost != lost || c.Evicted != evicted {
				t.Fatalf("%+v is at %d, want %d lost and %d evicted", c, i, lost, evicted)
			}
			i++
		}
		if i != classes {
			t.Errorf("%d classes, want %d", i, classes)
		}
	}
}

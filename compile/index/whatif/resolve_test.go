package whatif_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// alike is so many nodes with the same three taints, their names, and no pods.
func alike(n int) (fleet *index.Snapshot, names []string) {
	var ix index.Index
	for i := range n {
		names = append(names, fmt.Sprint("node-", i))
		ix.Set(names[i], []taint.Taint{taint.MustParse("a:NoSchedule"), taint.MustParse("b:NoSchedule"), taint.MustParse("c:NoSchedule")})
	}
	return ix.Snapshot(), names
}

func cordonOf(nodes ...whatif.Nodes) (plan whatif.Plan) {
	for _, n := range nodes {
		plan.Steps = append(plan.Steps, whatif.Step{Verb: whatif.Cordon, Nodes: n})
	}
	return plan
}

// Slices of names that begin at the same name, and are shorter or longer, are told apart.
func TestNamesInCommon(t *testing.T) {
	fleet, names := alike(9)
	for _, lengths := range [][]int{{3, 1, 5}, {5, 1, 3}, {1, 5, 3}, {3, 0, 1}} {
		var plan whatif.Plan
		want := map[string]int{}
		for i, n := range lengths {
			add := taint.Change{Add: []taint.Taint{{Key: fmt.Sprint("k", i), Effect: taint.NoSchedule}}}
			plan.Steps = append(plan.Steps, whatif.Step{Nodes: whatif.Nodes{Names: names[:n]}, Taints: add})
			for _, name := range names[:n] {
				want[name]++
			}
		}
		r, err := whatif.Evaluate(fleet, new(whatif.Pods), plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for name, taints := range r.Nodes() {
			if len(taints)-3 != want[name] {
				t.Errorf("%d: %s gets %d taints, want %d", lengths, name, len(taints)-3, want[name])
			}
			delete(want, name)
		}
		if len(want) > 0 {
			t.Errorf("%d: %v are not selected", lengths, want)
		}
	}
}

// A function is asked about nodes of the snapshot that pass the other tests, and about
// nothing else.
func TestWhereIsAsked(t *testing.T) {
	fleet, names := alike(3)
	for _, c := range []struct {
		nodes whatif.Nodes
		want  []string
	}{
		{whatif.Nodes{Names: []string{names[0], "unknown", names[2]}}, []string{names[0], names[2]}},
		{whatif.Nodes{Names: names[:2], Tainted: []toleration.Toleration{toleration.MustParse("b")}}, names[:2]},
		{whatif.Nodes{Names: names, Tainted: []toleration.Toleration{toleration.MustParse("x")}}, nil},
		{whatif.Nodes{Tainted: []toleration.Toleration{toleration.MustParse("x")}}, nil},
		{whatif.Nodes{All: true}, names},
	} {
		var asked []string
		c.nodes.Where = func(name string, taints []taint.Taint) bool {
			if asked = append(asked, name); len(taints) != 3 {
				t.Errorf("%s has the taints %v", name, taints)
			}
			return false
		}
		_, _ = whatif.Evaluate(fleet, new(whatif.Pods), cordonOf(c.nodes), whatif.Options{})
		if slices.Sort(asked); !slices.Equal(asked, c.want) {
			t.Errorf("%+v: asked about %q, want %q", c.nodes, asked, c.want)
		}
	}
}

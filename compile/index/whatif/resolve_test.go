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
		plan.Steps = append(plan.Steps, whatif.Step{Action: whatif.Cordon, Nodes: n})
	}
	return plan
}

// Nodes with the same taints are asked once whether a selection by taint selects them, with
// names and without: that looks at their three taints, or at those up to the first that
// is selected.
func TestStepsOfSelectingByTaint(t *testing.T) {
	fleet, names := alike(100)
	none := []toleration.Toleration{toleration.MustParse("x")}
	for what, nodes := range map[string]whatif.Nodes{"names": {Names: names, Tainted: none}, "all": {Tainted: none}} {
		before := 0
		if nodes.Names != nil {
			before = len(names) // they are looked up
		}
		if got := steps(t, fleet, new(whatif.Pods), cordonOf(nodes)); got != before+3 {
			t.Errorf("%s: %d steps, want %d", what, got, before+3)
		}
	}
}

// Steps that share a slice of names look them up once; a slice that begins at the same
// name, and is shorter or longer, is another one.
func TestNamesInCommon(t *testing.T) {
	fleet, names := alike(9)
	for _, n := range []int{1, 5, 9} {
		shared := cordonOf(whatif.Nodes{Names: names[:n]}, whatif.Nodes{Names: names[:n]})
		apart := cordonOf(whatif.Nodes{Names: names[:n]}, whatif.Nodes{Names: slices.Clone(names[:n])})
		a, b := steps(t, fleet, new(whatif.Pods), shared), steps(t, fleet, new(whatif.Pods), apart)
		if b-a != n {
			t.Errorf("%d steps, and %d if each of two steps has its own %d names", a, b, n)
		}
	}
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

// A new list for an owner looks at each of its pods, those that wait included.
func TestStepsOfOwners(t *testing.T) {
	for _, node := range []string{"", "unknown", "node-0"} {
		var got [2]int
		for i, n := range []int{100, 300} {
			fleet, _ := alike(1)
			var pods whatif.Pods
			for j := range n {
				pods.Set(whatif.Pod{Name: fmt.Sprint(j), Owner: "o", Node: node})
			}
			got[i] = steps(t, fleet, &pods, whatif.Plan{Steps: []whatif.Step{{Action: whatif.SetTolerations, Owner: "o"}}})
		}
		if more := got[1] - got[0]; more < 200 || more > 5*200 {
			t.Errorf("on %q: %d and %d steps for 100 and 300 pods", node, got[0], got[1])
		}
	}
}

// Which step gives an owner's pods their list is found once for all nodes that the same
// steps select: 100 steps more, with the same names, take 100 steps to find it, and not as
// many for each of 400 nodes.
func TestStepsOfLists(t *testing.T) {
	fleet, names := alike(400)
	var pods whatif.Pods
	for i, name := range names {
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Owner: "o", Node: name})
	}
	var plan whatif.Plan
	var got [2]int
	for i := range 200 {
		list := []toleration.Toleration{{Key: fmt.Sprint(i), Operator: toleration.OpExists}}
		plan.Steps = append(plan.Steps, whatif.Step{Action: whatif.SetTolerations, Owner: "o", Tolerations: list, Nodes: whatif.Nodes{Names: names}})
		if (i+1)%100 == 0 {
			got[i/100] = steps(t, fleet, &pods, plan)
			for range 20 { // what one looks up is known to the next one, unless the collector or the race detector drops it
				got[i/100] = min(got[i/100], steps(t, fleet, &pods, plan))
			}
		}
	}
	if got[1]-got[0] != 100 {
		t.Errorf("%d steps, and %d for 100 lists more", got[0], got[1])
	}
}

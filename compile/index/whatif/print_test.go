package whatif_test

import (
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Names decide, whether All is given or not: a step for one node, or for none, is not
// printed as a command for all of them.
func TestNamesBesideAll(t *testing.T) {
	for _, c := range []struct {
		nodes whatif.Nodes
		want  string
		n     int // of three nodes
	}{
		{whatif.Nodes{All: true}, "kubectl cordon --all", 3},
		{whatif.Nodes{All: true, Names: []string{"node-2"}}, "kubectl cordon node-2", 1},
		{whatif.Nodes{All: true, Names: []string{}}, "kubectl cordon", 0},
		{whatif.Nodes{All: true, Tainted: []toleration.Toleration{toleration.MustParse("k")}}, "kubectl cordon --all --tainted=k", 0},
	} {
		s := whatif.Step{Verb: whatif.Cordon, Nodes: c.nodes}
		if got := s.String(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.nodes, got, c.want)
		}
		fleet, pods := cluster()
		r, err := whatif.Evaluate(fleet, pods, whatif.Plan{Steps: []whatif.Step{s}}, whatif.Options{})
		if err != nil || r.Summary().Nodes != c.n {
			t.Errorf("%+v: %v, want %d nodes", c.nodes, err, c.n)
		}
	}
}

// A step of every form, field by field.
func TestStepsInWords(t *testing.T) {
	list := []toleration.Toleration{toleration.MustParse("a=b"), toleration.MustParse("c:NoExecute@30")}
	names := whatif.Nodes{Names: []string{"a", "b"}}
	tainted := whatif.Nodes{Tainted: list}
	change := taint.Change{Add: []taint.Taint{taint.MustParse("k=v:NoExecute"), taint.MustParse("l:NoSchedule")}, Remove: []taint.Taint{{Key: "m"}, {Key: "n", Effect: taint.NoSchedule}}}
	for _, c := range []struct {
		step whatif.Step
		want string
	}{
		{whatif.Step{Nodes: names, Taints: change, Overwrite: true}, "kubectl taint nodes a b k=v:NoExecute l:NoSchedule m- n:NoSchedule- --overwrite"},
		{whatif.Step{Nodes: tainted, Taints: taint.Change{Remove: change.Remove[:1]}}, "kubectl taint nodes m- --tainted=a=b,c:NoExecute@30"},
		{whatif.Step{Verb: whatif.Uncordon, Nodes: names}, "kubectl uncordon a b"},
		{whatif.Step{Verb: whatif.SetTolerations, Owner: "Deployment  shop/cart"}, "tolerations - Deployment  shop/cart"},
		{whatif.Step{Verb: whatif.SetTolerations, Owner: "x", Tolerations: list, Nodes: names}, "tolerations a=b,c:NoExecute@30 x --nodes=a,b"},
		{whatif.Step{Verb: whatif.SetTolerations, Owner: "x", Nodes: whatif.Nodes{All: true}}, "tolerations - x --all"},
		{whatif.Step{}, "kubectl taint nodes"},
		{whatif.Step{Verb: 9}, "kubectl Verb(9)"},
	} {
		if got := c.step.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.step, got, c.want)
		}
		if got := (whatif.Plan{Steps: []whatif.Step{c.step, c.step}}).String(); got != c.want+"\n"+c.want+"\n" {
			t.Errorf("two of them: %q", got)
		}
	}
}

package whatif_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestParse(t *testing.T) {
	text := `
# maintenance of two nodes
kubectl cordon node-1 node-2   # by hand
taint nodes node-1 node-2 a=b:NoExecute c- --overwrite
taint node --tainted gpu=x,cpu d:NoSchedule-
uncordon --all
kubectl uncordon node-3 --tainted=gpu
tolerations a=b,c:NoExecute@30 DaemonSet   kube-system/agent
tolerations - web --nodes node-1,node-2
`
	want := []whatif.Step{
		{Verb: whatif.Cordon, Nodes: whatif.Nodes{Names: []string{"node-1", "node-2"}}},
		{Nodes: whatif.Nodes{Names: []string{"node-1", "node-2"}}, Overwrite: true, Taints: taint.Change{Add: []taint.Taint{taint.MustParse("a=b:NoExecute")}, Remove: []taint.Taint{{Key: "c"}}}},
		{Nodes: whatif.Nodes{Tainted: []toleration.Toleration{toleration.MustParse("gpu=x"), toleration.MustParse("cpu")}}, Taints: taint.Change{Remove: []taint.Taint{{Key: "d", Effect: taint.NoSchedule}}}},
		{Verb: whatif.Uncordon, Nodes: whatif.Nodes{All: true}},
		{Verb: whatif.Uncordon, Nodes: whatif.Nodes{Names: []string{"node-3"}, Tainted: []toleration.Toleration{toleration.MustParse("gpu")}}},
		{Verb: whatif.SetTolerations, Owner: "DaemonSet kube-system/agent", Tolerations: []toleration.Toleration{toleration.MustParse("a=b"), toleration.MustParse("c:NoExecute@30")}},
		{Verb: whatif.SetTolerations, Owner: "web", Nodes: whatif.Nodes{Names: []string{"node-1", "node-2"}}},
	}
	plan, err := whatif.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := dump(plan), dump(whatif.Plan{Steps: want}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, err := whatif.Parse(plan.String())
	if err != nil || dump(again) != dump(plan) {
		t.Errorf("%s\nreads back as\n%s\n%v", plan, dump(again), err)
	}
}

// dump writes all fields, pointers followed.
func dump(p whatif.Plan) string {
	var b strings.Builder
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "%v all=%t names=%q tainted=%s add=%s remove=%v overwrite=%t owner=%q list=%s\n", s.Verb, s.Nodes.All, s.Nodes.Names,
			toleration.FormatList(s.Nodes.Tainted), taint.FormatList(s.Taints.Add), s.Taints.Remove, s.Overwrite, s.Owner, toleration.FormatList(s.Tolerations))
	}
	return b.String()
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"drain node-1", `line 1: drain is not simulated: cordon is what it does to taints, and then it evicts pods as budgets allow`},
		{"evict node-1", `line 1: "evict": not a command: want taint, cordon, uncordon or tolerations`},
		{"cordon", "line 1: cordon: no nodes: want names, --tainted or --all"},
		{"cordon a --all", `line 1: cordon: "a": a node beside --all`},
		{"cordon a --force", `line 1: cordon: "--force": not a flag of this command`},
		{"cordon a --overwrite", `line 1: cordon: "--overwrite": not a flag of this command`},
		{"cordon --nodes a", `line 1: cordon: "--nodes": not a flag of this command`},
		{"cordon --all=yes", `line 1: cordon: "--all=yes": want true or false, if anything`},
		{"cordon --all=false", "line 1: cordon: no nodes: want names, --tainted or --all"},
		{"cordon --tainted", `line 1: cordon: "--tainted": this flag needs a value`},
		{"cordon --tainted=", `line 1: cordon: --tainted "": no tolerations`},
		{"cordon --tainted=-x", `line 1: cordon: --tainted "-x": `},
		{"taint a k:NoSchedule", `line 1: taint: want "nodes", then names and taints`},
		{"taint", `line 1: taint: want "nodes", then names and taints`},
		{"taint nodes a", "line 1: taint: no taint to add or to remove"},
		{"taint nodes k:NoSchedule", "line 1: taint: no nodes: want names, --tainted or --all"},
		{"taint nodes a k:NoSchedule b", `line 1: taint: "b": nodes come before taints`},
		{"taint nodes a k:Never", `line 1: taint: taint change "k:Never": `},
		{"tolerations -", `line 1: tolerations: want a list of tolerations, or "-", and an owner`},
		{"tolerations k:Never web", `line 1: tolerations: `},
		{"\n\ncordon a\ndrain b\ncordon c\nuncordon", "line 4: drain is not simulated: cordon is what it does to taints, and then it evicts pods as budgets allow\nline 6: uncordon: no nodes: want names, --tainted or --all"},
	} {
		plan, err := whatif.Parse(c.line)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || plan.Steps != nil {
			t.Errorf("%q: %v, %v, want %s", c.line, plan, err, c.want)
		}
	}
}

func TestParseStep(t *testing.T) {
	for _, words := range [][]string{{"cordon", "a"}, {"kubectl", "cordon", "a"}} {
		if s, err := whatif.ParseStep(words...); err != nil || s.String() != "kubectl cordon a" {
			t.Errorf("%q: %v, %v", words, s, err)
		}
	}
	for _, words := range [][]string{nil, {"kubectl"}} {
		if s, err := whatif.ParseStep(words...); err == nil || err.Error() != "no command: want taint, cordon, uncordon or tolerations" {
			t.Errorf("%q: %v, %v", words, s, err)
		}
	}
	if plan, err := whatif.Parse("kubectl\n#\n"); err == nil || err.Error() != "line 1: no command: want taint, cordon, uncordon or tolerations" {
		t.Errorf("%v, %v", plan, err)
	}
}

// Every valid plan without a function is read back from its text.
func TestStringsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		plan := drawPlan(t, w)
		for i := range plan.Steps {
			s := &plan.Steps[i]
			s.Nodes.Where = nil
			if s.Nodes.All || len(s.Nodes.Names) == 0 { // no text selects nothing
				s.Nodes.Names = nil
			}
			if s.Verb == whatif.SetTolerations {
				continue
			}
			s.Nodes.All = s.Nodes.Names == nil && s.Nodes.Tainted == nil
		}
		again, err := whatif.Parse(plan.String())
		if err != nil || dump(again) != dump(plan) {
			t.Fatalf("%s\nreads back as\n%s\n%v", dump(plan), dump(again), err)
		}
	})
}

func TestWhereInText(t *testing.T) {
	s := whatif.Step{Verb: whatif.Uncordon, Nodes: whatif.Nodes{Where: func(string, []taint.Taint) bool { return true }}}
	if got := s.String(); got != "kubectl uncordon --where" {
		t.Error(got)
	}
	if got := whatif.Verb(9).String(); got != "Verb(9)" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("kubectl taint nodes a b k=v:NoExecute x- --overwrite\ncordon --all")
	f.Add("tolerations a=b,c:NoExecute@30 DaemonSet agent --nodes a,b\nuncordon --tainted x>5")
	target.Fuzz(f, func(t *testing.T, text string) {
		plan, err := whatif.Parse(text)
		if err != nil { // of a line; without those that are refused the text is read
			var good strings.Builder
			for line := range strings.Lines(text) {
				if _, err := whatif.Parse(line); err == nil {
					good.WriteString(line)
				}
			}
			if good.String() == text || plan.Steps != nil {
				t.Fatalf("%q: %v, but each line alone is read; %s", text, err, dump(plan))
			}
			text = good.String()
			if plan, err = whatif.Parse(text); err != nil {
				t.Fatalf("%q: %v, but each line alone is read", text, err)
			}
		}
		if again, err := whatif.Parse(plan.String()); err != nil || dump(again) != dump(plan) {
			t.Fatalf("%q\n%s\nreads back as\n%s\n%v", text, dump(plan), dump(again), err)
		}
	})
}

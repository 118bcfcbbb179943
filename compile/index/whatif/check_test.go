package whatif_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Every fault of a plan is told at once, with the field, the value and the cause.
func TestFaultsOfPlans(t *testing.T) {
	fleet, pods := cluster()
	all := whatif.Nodes{All: true}
	add := taint.Change{Add: []taint.Taint{taint.MustParse("k:NoSchedule")}}
	for _, c := range []struct {
		step whatif.Step
		want string
	}{
		{whatif.Step{Taints: add}, "steps[0].nodes: required value: select nodes by name, by taint or by a function, or all"},
		{whatif.Step{Nodes: all}, "steps[0].taints: required value: name a taint to add or to remove"},
		{whatif.Step{Nodes: all, Taints: taint.Change{Add: []taint.Taint{{Key: "k", Effect: "Never"}, {Key: "-", Effect: taint.NoSchedule}}}},
			`steps[0].taints.add[0].effect: unsupported value "Never": |steps[0].taints.add[1].key: invalid value "-": `},
		{whatif.Step{Nodes: all, Taints: taint.Change{Remove: []taint.Taint{{Key: "-"}, {Key: "k", Effect: "Never"}}}},
			`steps[0].taints.remove[0].key: invalid value "-": |steps[0].taints.remove[1].effect: unsupported value "Never": `},
		{whatif.Step{Nodes: all, Taints: taint.Change{Add: add.Add, Remove: []taint.Taint{{Key: "k"}}}},
			`steps[0].taints.add[0]: invalid value "k:NoSchedule": the same step removes it`},
		{whatif.Step{Nodes: all, Taints: taint.Change{Add: add.Add, Remove: []taint.Taint{{Key: "k", Effect: taint.NoSchedule}}}},
			`steps[0].taints.add[0]: invalid value "k:NoSchedule": the same step removes it`},
		{whatif.Step{Verb: whatif.SetTolerations}, "steps[0].owner: required value: "},
		{whatif.Step{Verb: whatif.SetTolerations, Owner: "nobody"}, `steps[0].owner: invalid value "nobody": no pod has this owner`},
		{whatif.Step{Verb: whatif.SetTolerations, Owner: "Deployment web", Tolerations: []toleration.Toleration{{Key: "k"}, {Key: "x", Operator: toleration.OpGt, Value: "5"}, {}}},
			`steps[0].tolerations[1].operator: |steps[0].tolerations[2].operator: `},
		{whatif.Step{Verb: 9, Nodes: all}, `steps[0].verb: unsupported value "Verb(9)": there are taint, cordon, uncordon and tolerations`},
		{whatif.Step{Verb: whatif.Cordon, Nodes: all, Taints: taint.Change{Remove: []taint.Taint{{Key: "k"}}}, Overwrite: true, Owner: "web", Tolerations: []toleration.Toleration{{}}},
			`steps[0].taints: forbidden: a step "cordon" does not use it|steps[0].overwrite: forbidden|steps[0].owner: forbidden|steps[0].tolerations: forbidden`},
		{whatif.Step{Nodes: whatif.Nodes{Names: []string{"node-1", "node-9", "node-8"}}, Taints: add},
			`steps[0].nodes.names[1]: invalid value "node-9": there is no such node|steps[0].nodes.names[2]: invalid value "node-8": `},
	} {
		r, err := whatif.Evaluate(fleet, pods, whatif.Plan{Steps: []whatif.Step{c.step}}, whatif.Options{})
		var faults *taint.FieldErrors
		if r != nil || !errors.As(err, &faults) {
			t.Errorf("%v: %v, %v, want faults", c.step, r, err)
			continue
		}
		want := strings.Split(c.want, "|")
		for i, fault := range faults.Faults {
			if len(want) != len(faults.Faults) || !strings.HasPrefix(fault.Error(), want[i]) {
				t.Errorf("%v: %v\nwant %s", c.step, err, c.want)
				break
			}
		}
	}
}

// A step that cannot be applied is an error for each group of nodes, and nothing is
// applied.
func TestStepsThatCannotBeApplied(t *testing.T) {
	fleet, pods := cluster()
	plan, err := whatif.Parse(`
		cordon --all
		taint nodes node-2 node-3 k:NoSchedule
		taint nodes node-1 node-2 node-3 k=v:NoSchedule
		taint nodes node-1 gone-
	`)
	if err != nil {
		t.Fatal(err)
	}
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	want := `steps[3]: node "node-1": taint "gone": not found on the node` + "\n" +
		`steps[2]: node "node-2": taint "k=v:NoSchedule": already on the node with the same effect`
	if r != nil || err == nil || err.Error() != want || !errors.Is(err, taint.ErrExists) || !errors.Is(err, taint.ErrNotFound) {
		t.Errorf("%v, %v, want\n%s", r, err, want)
	}
}

func TestRulesThatDiffer(t *testing.T) {
	_, pods := cluster()
	_, err := whatif.Evaluate(index.New(toleration.Rules{Comparisons: true}).Snapshot(), pods, whatif.Plan{}, whatif.Options{})
	if want := "rules: nodes are of a cluster with {Comparisons:true} and pods of one with {Comparisons:false}"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Zero values answer for an empty cluster and a plan that does nothing.
func TestNothing(t *testing.T) {
	for _, c := range []struct {
		fleet *index.Snapshot
		pods  *whatif.Pods
	}{{new(index.Snapshot), new(whatif.Pods)}, {first(cluster()), new(whatif.Pods)}} {
		r, err := whatif.Evaluate(c.fleet, c.pods, whatif.Plan{}, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		answerOf(r).compare(t, answer{})
		if stages, err := r.Stages(whatif.Limits{}); err != nil || stages != nil {
			t.Errorf("%v, %v: a plan without nodes has no stages", stages, err)
		}
	}
	var zero whatif.Result
	answerOf(&zero).compare(t, answer{})
	if n := zero.Fleet().Len(); n != 0 {
		t.Errorf("%d nodes", n)
	}
	if vs, err := zero.Check(whatif.Limits{MaxNodes: 1}); vs != nil || err != nil {
		t.Errorf("%v, %v", vs, err)
	}
	if plan := (whatif.Plan{}).String(); plan != "" {
		t.Errorf("%q", plan)
	}
}

package whatif_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
)

// editing is a node and the steps of a plan for it, as text, with what the steps make of
// the node one after the other.
type editing struct {
	name, before, plan, after string
}

var editings = []editing{
	// A cordon adds its taint beside one with a value. The next change of taints drops what
	// repeats key and effect, under any key, and keeps the first: the cordon's.
	{"cordon beside a value", "node.kubernetes.io/unschedulable=x:NoSchedule,o:NoSchedule", "taint a:NoSchedule\ncordon\ntaint b:NoSchedule",
		"b:NoSchedule,node.kubernetes.io/unschedulable:NoSchedule,a:NoSchedule,o:NoSchedule"},
	{"cordon beside a value, no change after it", "node.kubernetes.io/unschedulable=x:NoSchedule,o:NoSchedule", "taint a:NoSchedule\ncordon",
		"node.kubernetes.io/unschedulable:NoSchedule,a:NoSchedule,node.kubernetes.io/unschedulable=x:NoSchedule,o:NoSchedule"},
	// A step that names a key several times, other keys between, looks at its taints once.
	{"a key named twice", "k:PreferNoSchedule,l:PreferNoSchedule,m:NoSchedule", "taint k:NoSchedule l:NoSchedule k:NoExecute",
		"k:NoSchedule,l:NoSchedule,k:NoExecute,k:PreferNoSchedule,l:PreferNoSchedule,m:NoSchedule"},
	{"keys in another order than the node's", "m:NoSchedule,l:NoSchedule,k:NoSchedule", "taint m=1:NoExecute k=1:NoExecute\ntaint k:NoExecute- l- k=2:NoSchedule --overwrite",
		"k=2:NoSchedule,m=1:NoExecute,m:NoSchedule"},
	{"repeated taints, the first of which counts", "k=1:NoSchedule,k=2:NoSchedule,l=1:NoExecute,l=2:NoExecute", "uncordon\ntaint a:NoSchedule",
		"a:NoSchedule,k=1:NoSchedule,l=1:NoExecute"},
	{"repeated taints that no change drops", "k=1:NoSchedule,k=2:NoSchedule", "cordon\ncordon",
		"node.kubernetes.io/unschedulable:NoSchedule,k=1:NoSchedule,k=2:NoSchedule"},
	{"one of two taints of a key comes back", "k:NoExecute,k:NoSchedule", "taint k:NoSchedule-\ntaint k=1:NoSchedule\ntaint k:NoExecute-",
		"k=1:NoSchedule"},
	{"cordon and uncordon", "k:NoSchedule,node.kubernetes.io/unschedulable=x:NoSchedule", "cordon\nuncordon\ncordon\ntaint k-",
		"node.kubernetes.io/unschedulable:NoSchedule"},
	{"uncordon takes off any value", "k:NoSchedule,node.kubernetes.io/unschedulable=x:NoSchedule,node.kubernetes.io/unschedulable:NoExecute", "uncordon",
		"k:NoSchedule,node.kubernetes.io/unschedulable:NoExecute"},
}

// Steps mean what kubectl makes of the node, one after the other.
func TestEditings(t *testing.T) {
	for _, c := range editings {
		fleet, pods, plan := c.build(t)
		r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := ""
		for _, taints := range r.Nodes() {
			got = taint.FormatList(taints)
		}
		if got != c.after {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.after)
		}
	}
}

// Steps that change nothing, before or after the others, do not matter: a plan of so many
// steps is not applied to the whole list.
func TestEditingsInLongPlans(t *testing.T) {
	for _, c := range editings {
		for _, at := range []int{0, 1} {
			fleet, pods, plan := c.build(t)
			list := make([]whatif.Step, 0, 20)
			for i := range 5 {
				key := fmt.Sprint("idle-", i)
				add := whatif.Step{Nodes: whatif.Nodes{All: true}, Taints: taint.Change{Add: []taint.Taint{{Key: key, Effect: taint.NoExecute}}}}
				remove := whatif.Step{Nodes: whatif.Nodes{All: true}, Taints: taint.Change{Remove: []taint.Taint{{Key: key}}}}
				list = append(list, add, remove)
			}
			if at == 0 {
				plan.Steps = append(list, plan.Steps...)
			} else {
				plan.Steps = append(plan.Steps, list...)
			}
			w := &world{names: []string{"node"}, nodes: map[string][]taint.Taint{"node": listOf(t, c.before)}}
			want := w.apply(plan).nodes["node"]
			r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for _, taints := range r.Nodes() {
				if !taint.Equal(taints, want) {
					t.Errorf("%s: %s, want %s", c.name, taint.FormatList(taints), taint.FormatList(want))
				}
			}
		}
	}
}

// build returns a fleet of the node alone, and the plan: its commands name no nodes.
func (c *editing) build(t *testing.T) (*index.Snapshot, *whatif.Pods, whatif.Plan) {
	t.Helper()
	var ix index.Index
	ix.Set("node", listOf(t, c.before))
	text := strings.ReplaceAll("\n"+c.plan, "\ntaint ", "\ntaint nodes ")
	plan, err := whatif.Parse(strings.ReplaceAll(text, "\n", " --all\n")[len(" --all"):] + " --all")
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return ix.Snapshot(), new(whatif.Pods), plan
}

// listOf reads a list that need not be valid: it may repeat key and effect.
func listOf(t *testing.T, text string) []taint.Taint {
	t.Helper()
	list, err := notation.Taints(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

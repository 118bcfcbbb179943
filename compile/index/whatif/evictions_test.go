package whatif_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The evictions of a node are those at once and those later, however many there are of each.
func TestEvictionsAtOnceAndLater(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	type count struct{ now, later int }
	want := make(map[string]count)
	for now := range 4 {
		for later := range 4 {
			node := fmt.Sprint(now, later)
			ix.Set(node, nil)
			want[node] = count{now, later}
			for i := range 6 {
				p := whatif.Pod{Name: fmt.Sprint(node, i), Node: node, Tolerations: []toleration.Toleration{toleration.MustParse("out")}}
				switch {
				case i < now:
					p.Tolerations = nil
				case i < now+later:
					p.Tolerations[0] = toleration.MustParse("out:NoExecute@100")
				}
				pods.Set(p)
			}
		}
	}
	plan, err := whatif.Parse("taint nodes --all out:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Summary().Evicted(); got != 48 { // each number comes 4 times: 4*(0+1+2+3), at once and later
		t.Errorf("%d pods are evicted, want 48", got)
	}
	got := make(map[string]count)
	for e := range r.Evictions() {
		c := got[e.Node]
		switch e.After {
		case 0:
			c.now++
		case 100 * time.Second:
			c.later++
		}
		got[e.Node] = c
	}
	for node, c := range want {
		if got[node] != c {
			t.Errorf("evictions of node %s: %+v, want %+v", node, got[node], c)
		}
	}
}

// Evaluating a plan allocates a few times for each node, however different the nodes are.
func TestAllocationsOfPlans(t *testing.T) {
	const nodes = 500
	var ix index.Index
	var pods whatif.Pods
	for i := range nodes {
		name := fmt.Sprint(i)
		ix.Set(name, []taint.Taint{{Key: name, Effect: taint.NoExecute}, {Key: "soft", Value: name, Effect: taint.PreferNoSchedule}})
		pods.Set(whatif.Pod{Name: name, Node: name, Tolerations: []toleration.Toleration{{Key: name, Operator: toleration.OpExists}}})
	}
	fleet := ix.Snapshot()
	plan, _ := whatif.Parse("taint nodes --all x:NoExecute soft-\ncordon --all")
	got := testing.AllocsPerRun(1, func() {
		if _, err := whatif.Evaluate(fleet, &pods, plan, whatif.Options{}); err != nil {
			t.Fatal(err)
		}
	})
	if got > 30*nodes {
		t.Errorf("%.0f allocations for %d nodes, want 30 each or fewer", got, nodes)
	}
}

// Pods that get another list come in the order of their classes, steps and owners, however
// often the plan is evaluated.
func TestOrderOfOwners(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	var plan whatif.Plan
	var want []string
	for i := range 12 {
		owner := fmt.Sprint("owner-", i)
		want = append(want, owner)
		pods.Set(whatif.Pod{Name: owner, Owner: owner})
		plan.Steps = append(plan.Steps, whatif.Step{Verb: whatif.SetTolerations, Owner: owner, Tolerations: []toleration.Toleration{toleration.MustParse("k")}})
	}
	r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for c := range r.Classes() {
		got = append(got, c.Owner)
	}
	if !slices.Equal(got, want) {
		t.Errorf("owners %v, want %v", got, want)
	}
}

// Owners whose pods have the same lists before and after gain and lose the same nodes, and
// no others do, in any order of the owners and of the steps.
func TestOwnersThatShareLists(t *testing.T) {
	w := &world{nodes: map[string][]taint.Taint{}}
	for i, text := range []string{"k:NoSchedule", "k:NoSchedule,l:NoSchedule", "l:NoSchedule", "m:NoSchedule", "m:NoExecute,s:PreferNoSchedule", "l:NoExecute,s:PreferNoSchedule", "l:NoExecute"} {
		name := fmt.Sprint("node-", i)
		w.names = append(w.names, name)
		w.nodes[name], _ = taint.ParseList(text)
	}
	lists := []string{"k", "l", "m", "nothing"}
	var steps []whatif.Step
	for i := range 16 {
		owner := fmt.Sprint("owner-", i*7%16)
		for j, text := range []string{lists[i%4], lists[i*5%3]} {
			w.pods = append(w.pods, whatif.Pod{Name: fmt.Sprint(i, j), Owner: owner, Node: fmt.Sprint("node-", (i+j)%8), Tolerations: []toleration.Toleration{toleration.MustParse(text)}})
		}
		steps = append(steps, whatif.Step{Verb: whatif.SetTolerations, Owner: owner, Tolerations: []toleration.Toleration{toleration.MustParse(lists[i/2%4])}})
	}
	for _, text := range []string{"taint nodes node-0 node-3 out:NoSchedule", "taint nodes --all m:NoExecute soft:PreferNoSchedule --overwrite", "uncordon --all", "taint nodes --all out:NoExecute"} {
		plan, err := whatif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		plan.Steps = append(plan.Steps, steps...)
		fleet, pods := w.build()
		r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		answerOf(r).compare(t, w.apply(plan).answer(w, match.FirstMatch, epoch))
	}
}

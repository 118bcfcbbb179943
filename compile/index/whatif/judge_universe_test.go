package whatif_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// All lists of up to two taints of a node, and all lists of up to two tolerations of a pod
// on it, with all policies, in clusters with Gt and Lt and without: plans that add, change and
// remove taints, for pods that keep their lists or get others, mean what package match says.
func TestSmallUniverseOfEvictions(t *testing.T) {
	plans := []whatif.Plan{{Steps: []whatif.Step{{
		Nodes:  whatif.Nodes{Tainted: []toleration.Toleration{toleration.MustParse("k:NoExecute")}},
		Taints: taint.Change{Remove: []taint.Taint{{Key: "k", Effect: taint.NoExecute}}},
	}}}}
	for _, text := range []string{
		"taint nodes --all l:NoExecute --overwrite",
		"taint nodes --all k=6:NoExecute --overwrite",
		"taint nodes --all k=6:NoExecute l=1:NoExecute k=6:NoSchedule --overwrite",
		"taint nodes --all l=1:NoExecute k=6:NoExecute --overwrite",
		"taint nodes --all k=4:NoExecute x:NoSchedule --overwrite",
		"taint nodes --all x:NoSchedule k=4:NoExecute a:PreferNoSchedule --overwrite",
		"uncordon --all",
	} {
		plan, err := whatif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, plan)
	}
	for _, plan := range plans {
		for _, nodes := range []whatif.Nodes{{}, {All: true}} {
			for _, list := range []string{"k:NoExecute@150", "k>5:NoExecute@50"} {
				steps := append(slices.Clone(plan.Steps), whatif.Step{
					Verb: whatif.SetTolerations, Owner: "owner-0", Nodes: nodes, Tolerations: []toleration.Toleration{toleration.MustParse(list)},
				})
				plans = append(plans, whatif.Plan{Steps: steps})
			}
		}
	}
	for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
		w := evictionWorld(rules)
		times := w.times
		fleet, pods := w.build()
		for _, policy := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
			w.times = times
			options := w.options(policy, epoch)
			if policy != match.SinceAdded {
				w.times = nil
			}
			for _, plan := range plans {
				if rules.Validate(plan.Steps[len(plan.Steps)-1].Tolerations) != nil {
					continue
				}
				r, err := whatif.Evaluate(fleet, pods, plan, options)
				if err != nil {
					t.Fatalf("%s%v", plan, err)
				}
				if answerOf(r).compare(t, w.apply(plan).answer(w, policy, epoch)); t.Failed() {
					t.Fatalf("%+v, policy %v\n%s", rules, policy, plan)
				}
			}
		}
	}
}

// evictionWorld is nodes with all short lists of taints and, on each, pods with all short
// lists of tolerations.
func evictionWorld(rules toleration.Rules) *world {
	taints := []taint.Taint{
		taint.MustParse("k=7:NoExecute"), taint.MustParse("k=4:NoExecute"), taint.MustParse("l:NoExecute"), taint.MustParse("l:NoSchedule"),
		{Key: "odd", Effect: "Future"}, // evicts nobody, and sorts before the effect that does
	}
	var tolerations []toleration.Toleration
	for _, text := range []string{"k", "k:NoExecute@100", "k:NoExecute@0", "l:NoExecute@200", "k>5:NoExecute@50", "*:NoSchedule"} {
		tolerations = append(tolerations, toleration.MustParse(text))
	}
	w := &world{rules: rules, nodes: map[string][]taint.Taint{}, times: map[string]time.Time{}}
	for list := range matchtest.Lists(taints, 2) {
		if len(list) == 2 && list[0].Matches(&list[1]) {
			continue // no node has these, and a plan may not say what becomes of them
		}
		name := ""
		if len(w.names) > 0 { // nobody forbids an index a node without a name; pods that wait are not on it
			name = fmt.Sprint("node-", len(w.names))
		}
		for i, x := range list {
			w.times[timeKey(name, x)] = epoch.Add(time.Duration(-60*i-10*len(w.names)) * time.Second)
		}
		w.names = append(w.names, name)
		w.nodes[name] = slices.Clone(list)
	}
	for _, node := range append([]string{"nowhere"}, w.names...) {
		for list := range matchtest.Lists(tolerations, 2) {
			i := len(w.pods)
			w.pods = append(w.pods, whatif.Pod{Name: fmt.Sprint("pod-", i), Node: node, Owner: fmt.Sprint("owner-", i%3), Tolerations: slices.Clone(list)})
		}
	}
	return w
}

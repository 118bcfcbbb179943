package whatif_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// All plans of up to two steps from a small universe, for all nodes of up to two taints,
// mean what package match says of pods with all lists of up to one toleration. For every fifth
// plan, the stages of one node each are carried out too and compared with the whole plan. That
// takes the most time, so each list of taints gets another fifth of the plans.
func TestSmallUniverse(t *testing.T) {
	taints := []taint.Taint{
		taint.MustParse("k:NoSchedule"), taint.MustParse("k=1:NoExecute"), taint.MustParse("l:NoExecute"),
		taint.MustParse("k:PreferNoSchedule"), {Key: taint.KeyUnschedulable, Effect: taint.NoSchedule},
	}
	var tolerations []toleration.Toleration
	for _, text := range []string{"k", "k=1:NoExecute@100", "k:NoExecute@0", "l:NoExecute@200", "*:NoSchedule", "*"} {
		tolerations = append(tolerations, toleration.MustParse(text))
	}
	plans := plansOfTwo(universeSteps(taints, tolerations))
	worlds, refused, cut := 0, 0, 0
	for list := range matchtest.Lists(taints, 2) {
		w := &world{names: []string{"node", "other"}, nodes: map[string][]taint.Taint{"node": list, "other": taints[:1]}}
		i := 0
		for list := range matchtest.Lists(tolerations, 1) {
			for _, node := range []string{"node", "other", ""} {
				w.pods = append(w.pods, whatif.Pod{Name: fmt.Sprint("pod-", i), Node: node, Owner: fmt.Sprint("owner-", i%2), Tolerations: slices.Clone(list)})
				i++
			}
		}
		fleet, pods := w.build()
		for _, plan := range plans {
			r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
			a := w.apply(plan)
			if (err != nil) != (a == nil) {
				t.Fatalf("%v\n%s%v", list, plan, err)
			}
			if worlds++; err != nil {
				refused++
				continue
			}
			answerOf(r).compare(t, a.answer(w, match.FirstMatch, epoch))
			if t.Failed() {
				t.Fatalf("%v\n%s", list, plan)
			}
			if worlds%5 == 0 && checkStages(t, w, r, match.FirstMatch, whatif.Limits{MaxNodes: 1}) > 1 {
				cut++
			}
		}
	}
	if t.Logf("%d plans, of which %d are refused and %d cut", worlds, refused, cut); worlds < 5000 || refused == 0 || cut < 500 {
		t.Errorf("%d plans, of which %d are refused and %d cut", worlds, refused, cut)
	}
}

// universeSteps returns steps for one of two nodes.
func universeSteps(taints []taint.Taint, tolerations []toleration.Toleration) (steps []whatif.Step) {
	node := whatif.Nodes{Names: []string{"node"}}
	for _, t := range taints {
		steps = append(steps,
			whatif.Step{Nodes: node, Taints: taint.Change{Add: []taint.Taint{t}}},
			whatif.Step{Nodes: node, Taints: taint.Change{Add: []taint.Taint{t}}, Overwrite: true},
			whatif.Step{Nodes: node, Taints: taint.Change{Remove: []taint.Taint{{Key: t.Key, Effect: t.Effect}}}})
	}
	other := taints[1]
	other.Value = "2"
	steps = append(steps,
		whatif.Step{Nodes: node, Taints: taint.Change{Add: []taint.Taint{other}, Remove: []taint.Taint{{Key: "k", Effect: taint.NoSchedule}}}, Overwrite: true},
		whatif.Step{Nodes: node, Taints: taint.Change{Remove: []taint.Taint{{Key: "k"}}}},
		whatif.Step{Verb: whatif.Cordon, Nodes: node},
		whatif.Step{Verb: whatif.Uncordon, Nodes: node})
	for _, list := range [][]toleration.Toleration{nil, tolerations[:1], tolerations[3:4]} {
		steps = append(steps, whatif.Step{Verb: whatif.SetTolerations, Owner: "owner-0", Tolerations: list})
	}
	return steps
}

func plansOfTwo(steps []whatif.Step) (plans []whatif.Plan) {
	for list := range matchtest.Lists(steps, 2) {
		plans = append(plans, whatif.Plan{Steps: slices.Clone(list)})
	}
	return plans
}

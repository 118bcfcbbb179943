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

// Three nodes with all lists of up to two hard taints, plans that taint some of them or take
// taints away, and pods that tolerate any of the keys: the classes without a node are those
// that package match says, whether they are asked about one by one, together, or first one by
// one. If some node is left without taints, no class is asked about at all.
func TestSmallUniverseOfUnschedulable(t *testing.T) {
	keys := []string{"a", "b", "out"}
	var lists [][]taint.Taint
	for list := range matchtest.Lists([]taint.Taint{taint.MustParse("a:NoSchedule"), taint.MustParse("b:NoExecute")}, 2) {
		if len(list) < 2 || list[0] != list[1] {
			lists = append(lists, slices.Clone(list))
		}
	}
	w := &world{names: []string{"n0", "n1", "n2"}, nodes: map[string][]taint.Taint{}}
	for subset := range 1 << len(keys) {
		p := whatif.Pod{Name: fmt.Sprint(subset), Node: w.names[subset%3]}
		for i, key := range keys {
			if subset>>i&1 != 0 {
				p.Tolerations = append(p.Tolerations, toleration.Toleration{Key: key, Operator: toleration.OpExists})
			}
		}
		w.pods = append(w.pods, p)
	}
	var plans []whatif.Plan
	for _, text := range []string{"taint nodes n0 out:NoSchedule", "taint nodes n0 n1 out:NoExecute", "taint nodes --all out:NoSchedule", "taint nodes n0 a-", "taint nodes n0 a-\ntaint nodes n1 out:NoSchedule"} {
		plan, err := whatif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, plan)
	}
	found, clean := 0, 0
	for i := range len(lists) * len(lists) * len(lists) {
		for j, k := 0, i; j < 3; j, k = j+1, k/len(lists) {
			w.nodes[w.names[j]] = lists[k%len(lists)]
		}
		fleet, pods := w.build()
		for _, plan := range plans {
			a := w.apply(plan)
			if a == nil {
				continue
			}
			r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := a.answer(w, match.FirstMatch, epoch)
			found += len(want.unschedulable)
			answerOf(r).compare(t, want)
			if slices.ContainsFunc(w.names, func(name string) bool { return len(a.nodes[name]) == 0 }) {
				clean++
				if classes := r.Unschedulable(); classes != nil {
					t.Errorf("%v, and a node without taints is left", classes)
				}
			}
			if t.Failed() {
				t.Fatalf("%v\n%s", w.nodes, plan)
			}
		}
	}
	if found == 0 || clean == 0 {
		t.Errorf("%d classes have no node, and %d times a node without taints is left", found, clean)
	}
}

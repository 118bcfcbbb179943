package whatif_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Tolerations with Gt and Lt count with the plan and without it, or neither, as the cluster
// has them; the seconds of others decide where they do.
func TestComparisonsOfEvictions(t *testing.T) {
	const pod = "k>5:NoExecute,x:NoExecute@300"
	for _, c := range []struct {
		taints, plan       string
		without, comparing whatif.Summary // in a default cluster, and in one with the operators
	}{
		{"k=7:NoExecute", "taint nodes n x:NoExecute", whatif.Summary{EvictedAnyway: 1}, whatif.Summary{EvictedLater: 1}},
		{"k=7:NoExecute", "taint nodes n k-", whatif.Summary{Spared: 1}, whatif.Summary{Stay: 1}},
		{"k=7:NoExecute,x:NoExecute", "taint nodes n x-", whatif.Summary{EvictedAnyway: 1}, whatif.Summary{Spared: 1}},
		{"x:NoExecute", "taint nodes n k=7:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{EvictedAnyway: 1}},
		{"x:NoExecute", "taint nodes n k=4:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{EvictedNow: 1}},
		{"", "taint nodes n k=7:NoExecute x:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{EvictedLater: 1}},
		{"", "taint nodes n k=7:NoExecute", whatif.Summary{EvictedNow: 1}, whatif.Summary{Stay: 1}},
	} {
		for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
			for _, policy := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
				ix, pods := index.New(rules), whatif.NewPods(rules)
				taints, err := taint.ParseList(c.taints)
				if err != nil {
					t.Fatal(err)
				}
				list, err := toleration.ParseList(pod)
				if err != nil {
					t.Fatal(err)
				}
				ix.Set("n", taints)
				pods.Set(whatif.Pod{Name: "p", Node: "n", Tolerations: list})
				plan, err := whatif.Parse(c.plan)
				if err != nil {
					t.Fatal(err)
				}
				r, err := whatif.Evaluate(ix.Snapshot(), pods, plan, whatif.Options{Policy: policy, Now: epoch})
				if err != nil {
					t.Fatal(err)
				}
				want := c.without
				if rules.Comparisons {
					want = c.comparing
				}
				want.Nodes = 1
				if got := r.Summary(); got != want {
					t.Errorf("%s, %s, %+v, policy %v: %+v, want %+v", c.taints, c.plan, rules, policy, got, want)
				}
			}
		}
	}
}

// Nodes that are alike and get different taints are counted apart, for pods that keep their
// list and for those that get another one; a taint that keeps nobody away counts for neither.
func TestLikeNodesThatPart(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	for _, name := range []string{"a", "b", "c"} {
		ix.Set(name, nil)
	}
	for _, text := range []string{"", "x", "y"} {
		p := whatif.Pod{Name: "keeps " + text, Node: "c"}
		if text != "" {
			p.Tolerations = []toleration.Toleration{toleration.MustParse(text)}
		}
		pods.Set(p)
		pods.Set(whatif.Pod{Name: "gets another, had " + text, Owner: "Deployment has-" + text, Tolerations: p.Tolerations})
	}
	pods.Set(whatif.Pod{Name: "alone", Owner: "Deployment has-z", Tolerations: []toleration.Toleration{toleration.MustParse("z")}}) // nobody keeps this list
	plan, err := whatif.Parse("tolerations x Deployment has-z\ntaint nodes a x:NoSchedule\ntaint nodes b y:NoSchedule\ntaint nodes c soft:PreferNoSchedule\n" +
		"tolerations x Deployment has-\ntolerations y Deployment has-x\ntolerations x,y Deployment has-y")
	if err != nil {
		t.Fatal(err)
	}
	r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lost := map[string]int{}
	for c := range r.Classes() {
		lost[toleration.FormatList(c.Before)+" to "+toleration.FormatList(c.After)] = c.Lost
		if c.Gained != 0 {
			t.Errorf("%+v", c)
		}
	}
	want := map[string]int{" to ": 2, "x to x": 1, "y to y": 1, " to x": 1, "x to y": 1, "y to x,y": 0, "z to x": 1}
	if !maps.Equal(lost, want) {
		t.Errorf("lost %v, want %v", lost, want)
	}
}

// A list of nothing but comparisons counts for nothing in a cluster without them, also where it
// is looked at for its seconds: the pod is evicted with the plan or without.
func TestListsOfComparisons(t *testing.T) {
	var ix index.Index
	ix.Set("a", []taint.Taint{taint.MustParse("k=7:NoExecute")})
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "pod", Node: "a", Owner: "web", Tolerations: []toleration.Toleration{toleration.MustParse("k>5:NoExecute@50")}})
	r := evaluated(t, ix.Snapshot(), &pods, "tolerations k:NoExecute@20 web", whatif.Options{})
	if got, want := r.Summary(), (whatif.Summary{Nodes: 1, EvictedAnyway: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The taint that evicts at once is the first one that a pod does not tolerate, among others that
// evict nobody: of all short lists that a plan puts on a node with taints whose effects there
// are not, and for pods that tolerate any of the keys.
func TestTaintsThatEvictAtOnce(t *testing.T) {
	w := &world{names: []string{"a"}, nodes: map[string][]taint.Taint{"a": {{Key: "odd", Effect: "A"}, {Key: "odd", Effect: "Z"}}}}
	keys := []string{"x", "y", "z"}
	for subset := range 1 << len(keys) {
		p := whatif.Pod{Name: fmt.Sprint(subset), Node: "a"}
		for i, key := range keys {
			if subset>>i&1 != 0 {
				p.Tolerations = append(p.Tolerations, toleration.MustParse(key))
			}
		}
		w.pods = append(w.pods, p)
	}
	fleet, pods := w.build()
	taints := []taint.Taint{taint.MustParse("s:NoSchedule"), taint.MustParse("x:NoExecute"), taint.MustParse("p:PreferNoSchedule"), taint.MustParse("y:NoExecute"), taint.MustParse("z:NoExecute")}
	for list := range matchtest.Lists(taints, 4) {
		plan := whatif.Plan{Steps: []whatif.Step{{Nodes: whatif.Nodes{All: true}, Taints: taint.Change{Add: slices.Clone(list)}}}}
		if len(list) == 0 || taint.Validate(list) != nil {
			continue // a taint twice
		}
		for _, policy := range []match.EvictionPolicy{match.FirstMatch, match.SinceAdded} {
			r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{Policy: policy, Now: epoch})
			if err != nil {
				t.Fatal(err)
			}
			if answerOf(r).compare(t, w.apply(plan).answer(w, policy, epoch)); t.Failed() {
				t.Fatalf("policy %v\n%s", policy, plan)
			}
		}
	}
}

// Seconds of a toleration without an effect count as well, though the API server wants one.
func TestSecondsWithoutEffect(t *testing.T) {
	var ix index.Index
	ix.Set("a", nil)
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "pod", Node: "a", Tolerations: []toleration.Toleration{{Key: "out", Operator: toleration.OpExists, TolerationSeconds: ptr(int64(100))}}})
	r := evaluated(t, ix.Snapshot(), &pods, "taint nodes a out:NoExecute", whatif.Options{})
	if got, want := r.Summary(), (whatif.Summary{Nodes: 1, EvictedLater: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Nodes that have the same NoExecute taints before the plan but not after it, or after it but not
// before, are told apart.
func TestChangesAreToldApart(t *testing.T) {
	a, z := taint.MustParse("a:NoExecute"), taint.MustParse("z:NoExecute")
	plan, err := whatif.Parse("taint nodes node-1 node-2 x:NoExecute\ntaint nodes node-1 a-\ntaint nodes node-3 z:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		var ix index.Index
		var pods whatif.Pods
		ix.Set("node-1", []taint.Taint{a})
		ix.Set("node-2", nil)
		ix.Set("node-3", []taint.Taint{a})
		both := []toleration.Toleration{toleration.For(&a), toleration.For(&z)}
		pods.Set(whatif.Pod{Name: "goes", Node: "node-1", Tolerations: both})
		pods.Set(whatif.Pod{Name: "goes too", Node: "node-2"})
		pods.Set(whatif.Pod{Name: "stays", Node: "node-3", Tolerations: both})
		r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Summary(), (whatif.Summary{Nodes: 3, EvictedNow: 2, Stay: 1}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	check()
}

// A list that pods have already changes no pod, no class and no node, whether one step sets it or
// another takes it back; on the nodes of a stage too.
func TestListsThatPodsHave(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	ix.Set("a", []taint.Taint{taint.MustParse("k:NoExecute")})
	ix.Set("b", nil)
	for _, node := range []string{"a", "b", "", "unknown"} {
		pods.Set(whatif.Pod{Name: "web on " + node, Node: node, Owner: "web", Tolerations: []toleration.Toleration{toleration.MustParse("k")}})
	}
	pods.Set(whatif.Pod{Name: "another", Node: "b", Owner: "web"})
	for text, want := range map[string]answer{
		"tolerations k web --nodes=a": {},
		"tolerations k=v web\ntolerations k web --nodes=a,b\ntolerations - web --nodes=b\ntolerations k web --nodes=a": {
			summary: whatif.Summary{Nodes: 1, Stay: 2}, nodes: []string{"b "},
			classes: []string{"{web k k=v} 2 0 1 0", "{web k } 1 0 1 0"},
		},
		"tolerations k web":                             {summary: whatif.Summary{Nodes: 1, Stay: 2}, nodes: []string{"b "}, classes: []string{"{web  k} 1 1 0 0"}},
		"taint nodes a k-\ntolerations k web --nodes=a": {summary: whatif.Summary{Nodes: 1, Stay: 1}, nodes: []string{"a "}, classes: []string{"{  } 1 1 0 0"}},
	} {
		r := evaluated(t, ix.Snapshot(), &pods, text, whatif.Options{})
		slices.Sort(want.classes)
		t.Log(text)
		answerOf(r).compare(t, want)
	}
}

// Pods of one list on one node part where a step sets another list for the owner of some.
func TestOwnersOfOneListPart(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	ix.Set("a", nil)
	for _, owner := range []string{"gets another", "keeps"} {
		pods.Set(whatif.Pod{Name: owner, Node: "a", Owner: owner})
	}
	r := evaluated(t, ix.Snapshot(), &pods, "tolerations out gets another\ntaint nodes a out:NoExecute", whatif.Options{})
	if got, want := r.Summary(), (whatif.Summary{Nodes: 1, EvictedNow: 1, Stay: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Classes that get another list come in the order of the lists that they have, then of the steps,
// whatever the order in which their pods are met.
func TestOrderOfListsForOwners(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	for i, node := range []string{"c", "b", "a"} {
		ix.Set(node, nil)
		list := []toleration.Toleration{toleration.MustParse(fmt.Sprint("list-", 3-i))}
		pods.Set(whatif.Pod{Name: "waits " + node, Tolerations: list[:1:1]})
	}
	for i, node := range []string{"a", "b", "c"} {
		list := []toleration.Toleration{toleration.MustParse(fmt.Sprint("list-", i+1))}
		pods.Set(whatif.Pod{Name: "web on " + node, Node: node, Owner: "web", Tolerations: list})
	}
	var got []string
	for c := range evaluated(t, ix.Snapshot(), &pods, "tolerations out web", whatif.Options{}).Classes() {
		got = append(got, text(c.Before))
	}
	if want := []string{"list-3", "list-2", "list-1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

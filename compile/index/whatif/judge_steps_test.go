package whatif_test

import (
	"fmt"
	"math"
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
	if got, want := r.Retained(), 16*6-6; got != want { // a node keeps all its pods
		t.Errorf("the result retains %d pods, want %d: none of those of a node where all stay", got, want)
	}
}

// A pod takes two steps where nothing but the plan can evict it: one to look at it, and one
// to ask about the taint.
func TestStepsOfPods(t *testing.T) {
	counts := [2]int{}
	for i := range counts {
		var ix index.Index
		var pods whatif.Pods
		ix.Set("node", nil)
		for j := range 10 + 7*i {
			pods.Set(whatif.Pod{Name: fmt.Sprint(j), Node: "node"})
		}
		plan, _ := whatif.Parse("taint nodes --all out:NoExecute")
		counts[i] = steps(t, ix.Snapshot(), &pods, plan)
	}
	if got, want := counts[1]-counts[0], 2*7; got != want {
		t.Errorf("%d steps more for 7 more pods, want %d", got, want)
	}
}

// The pods of a node are found by its name once, whether there are any or not. Now and then
// the collector drops what an evaluation knew.
func TestStepsOfNames(t *testing.T) {
	const nodes = 100
	var ix index.Index
	var pods whatif.Pods
	for i := range nodes {
		ix.Set(fmt.Sprint(i), nil)
		if i%2 == 0 {
			pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint(i)})
		}
	}
	fleet := ix.Snapshot()
	plan, _ := whatif.Parse("uncordon --all") // changes nothing, so that no row is looked up
	want := steps(t, fleet, &pods, plan) - nodes
	got := 0
	for range 20 {
		if got = steps(t, fleet, &pods, plan); got == want {
			return
		}
	}
	t.Errorf("%d steps, want %d: %d less than the first time", got, want, nodes)
}

// A name that another one with the same hash comes before takes one more step.
func TestStepsOfNamesThatCollide(t *testing.T) {
	const nodes = 50
	count := func() int {
		var ix index.Index
		var pods whatif.Pods
		for i := range nodes {
			ix.Set(fmt.Sprint(i), nil)
			pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint(i)})
		}
		plan, _ := whatif.Parse("uncordon --all")
		return steps(t, ix.Snapshot(), &pods, plan)
	}
	apart, together := count(), 0
	whatif.WithCollisions(func() { together = count() })
	if got, want := together-apart, nodes-1; got != want {
		t.Errorf("%d steps more for %d names with one hash, want %d", got, nodes, want)
	}
}

// Different changes of NoExecute taints are told apart by a hash; those with the same one are
// compared, which is a step.
func TestStepsOfChangesThatCollide(t *testing.T) {
	const nodes = 50
	count := func() int {
		var ix index.Index
		for i := range nodes {
			ix.Set(fmt.Sprint(i), []taint.Taint{{Key: fmt.Sprint(i), Effect: taint.NoExecute}})
		}
		plan, _ := whatif.Parse("taint nodes --all x:NoExecute")
		return steps(t, ix.Snapshot(), new(whatif.Pods), plan)
	}
	apart, together := count(), 0
	whatif.WithCollisions(func() { together = count() })
	if got, want := together-apart, nodes*(nodes-1)/2; got != want {
		t.Errorf("%d steps more for %d changes with one hash, want %d", got, nodes, want)
	}
}

// Evaluating a plan again allocates what its result retains, and not something for each node,
// however different the nodes are.
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
	least := math.Inf(1)
	for range 30 { // now and then the pool of caches forgets one
		least = min(least, testing.AllocsPerRun(1, func() { steps(t, fleet, &pods, plan) }))
	}
	if least > 40 {
		t.Errorf("%.0f allocations for %d nodes, want 40 or fewer", least, nodes)
	}
}

// Where the value of a taint is a number that many classes compare, their lists are not
// looked at for each node: the classes that tolerate it are written down once.
func TestClassesThatCompareAreWrittenDown(t *testing.T) {
	const classes, long = 640, 20
	rules := toleration.Rules{Comparisons: true}
	ix, pods := index.New(rules), whatif.NewPods(rules)
	ix.Set("node", nil)
	for i := range classes {
		list := []toleration.Toleration{{Key: "k", Operator: toleration.OpGt, Value: fmt.Sprint(i - classes), Effect: taint.NoExecute}}
		for j := range long {
			list = append(list, toleration.Toleration{Key: fmt.Sprint(j), Operator: toleration.OpExists})
		}
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: "node", Tolerations: list})
	}
	plan, _ := whatif.Parse("taint nodes --all k=7:NoExecute")
	if got, most := steps(t, ix.Snapshot(), pods, plan), 6*classes; got > most {
		t.Errorf("%d steps, want at most %d: the lists have %d tolerations", got, most, classes*long)
	}
}

// Where seconds decide, the list of a class is looked at once without the plan and once with it,
// however many of its pods are on the nodes; so are the two lists of pods that get another.
func TestStepsOfSeconds(t *testing.T) {
	list := func(n int) []toleration.Toleration {
		list := []toleration.Toleration{toleration.MustParse("out:NoExecute@100")}
		for i := range n {
			list = append(list, toleration.Toleration{Key: fmt.Sprint(i), Operator: toleration.OpExists})
		}
		return list
	}
	count := func(old, updated int) int {
		var ix index.Index
		var pods whatif.Pods
		ix.Set("a", []taint.Taint{taint.MustParse("out:NoExecute")})
		ix.Set("b", []taint.Taint{taint.MustParse("out:NoExecute"), taint.MustParse("soft:PreferNoSchedule")}) // evicts nobody
		for i := range 6 {
			pods.Set(whatif.Pod{Name: fmt.Sprint(i), Owner: "web", Node: "ab"[i%2 : i%2+1], Tolerations: list(old)})
		}
		plan, _ := whatif.Parse("taint nodes --all out=1:NoExecute --overwrite")
		if updated > 0 {
			plan.Steps = append(plan.Steps, whatif.Step{Action: whatif.SetTolerations, Owner: "web", Tolerations: list(updated)})
		}
		return steps(t, ix.Snapshot(), &pods, plan)
	}
	for _, c := range []struct{ old, updated, longer, want int }{
		{10, 0, 17, 2 * 7}, {10, 5, 17, 7}, {10, 5, 10, 0},
	} {
		if got := count(c.longer, c.updated) - count(c.old, c.updated); got != c.want {
			t.Errorf("%d steps more for lists of %d than of %d, want %d", got, c.longer, c.old, c.want)
		}
	}
	if got := count(10, 8) - count(10, 5); got != 3 {
		t.Errorf("%d steps more for a list with 3 more tolerations, want 3", got)
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
		plan.Steps = append(plan.Steps, whatif.Step{Action: whatif.SetTolerations, Owner: owner})
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

// Up to four taints that a step puts on many nodes are looked up once, however many sets of
// taints the nodes have; a row that the first evaluation makes is a step more.
func TestStepsOfTaintsForManyNodes(t *testing.T) {
	count := func(nodes, taints int) int {
		var ix index.Index
		for i := range nodes {
			ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "own", Value: fmt.Sprint(i), Effect: taint.PreferNoSchedule}})
		}
		step := whatif.Step{Nodes: whatif.Nodes{All: true}}
		for i := range taints {
			step.Taints.Add = append(step.Taints.Add, taint.Taint{Key: fmt.Sprint("k-", i), Effect: taint.NoSchedule})
		}
		return steps(t, ix.Snapshot(), new(whatif.Pods), whatif.Plan{Steps: []whatif.Step{step}})
	}
	// Each node more has the same price for up to four taints, besides those that are read,
	// applied and counted one by one: 5 taints take 5 questions a node more.
	price := func(taints int) int { return count(20, taints) - count(10, taints) }
	each := price(2) - price(1)
	for n := 3; n <= 4; n++ {
		if got := price(n) - price(n-1); got != each {
			t.Errorf("taint %d of a step takes %d steps for 10 nodes, want %d", n, got, each)
		}
	}
	if got, want := price(5)-price(4), each+5*10; got != want {
		t.Errorf("taint 5 of a step takes %d steps for 10 nodes, want %d", got, want)
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
		steps = append(steps, whatif.Step{Action: whatif.SetTolerations, Owner: owner, Tolerations: []toleration.Toleration{toleration.MustParse(lists[i/2%4])}})
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

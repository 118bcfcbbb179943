package whatif_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// exceeded counts the nodes and the evicted pods, by name and owner, against limits, each limit
// by itself, as their documentation says. Running is the pods that have a node.
func exceeded(l whatif.Limits, nodes, running int, names, owners []string) (vs []whatif.Violation) {
	add := func(limit, name string, limited bool, allowed, count int) {
		if limited && count > allowed {
			vs = append(vs, whatif.Violation{Limit: limit, Name: name, Allowed: allowed, Count: count})
		}
	}
	add("MaxNodes", "", l.MaxNodes > 0, l.MaxNodes, nodes)
	add("MaxPods", "", l.MaxPods > 0, l.MaxPods, len(owners))
	add("MaxPercent", "", l.MaxPercent > 0, running*int(l.MaxPercent)/100, len(owners)) // whole percents
	each := slices.Compact(slices.Sorted(slices.Values(owners)))
	count := func(among func(owner string) bool) (n int) {
		for _, owner := range owners {
			if among(owner) {
				n++
			}
		}
		return n
	}
	for _, name := range each {
		add("MaxPerOwner", name, l.MaxPerOwner > 0 && name != "", l.MaxPerOwner, count(func(owner string) bool { return owner == name }))
	}
	for _, b := range l.Budgets {
		n := 0
		for i, owner := range owners {
			if b.Owners == nil && b.Pods == nil || slices.Contains(b.Owners, owner) || slices.Contains(b.Pods, names[i]) {
				n++
			}
		}
		add("Budgets", b.Name, true, b.Allowed, n)
	}
	return vs
}

// running returns how many pods have a node.
func running(pods []whatif.Pod) (n int) {
	for _, p := range pods {
		if p.Node != "" {
			n++
		}
	}
	return n
}

// What Check says is what comes of counting the evictions anew for each limit. Stages are
// as long as that allows: each keeps the limits, and would not with the next node. If
// there are none, one node alone does not keep them.
func TestLimitsRecounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		fleet, pods := w.build()
		r, err := whatif.Evaluate(fleet, pods, drawPlan(t, w), whatif.Options{Policy: match.MostLenient})
		if err != nil {
			return
		}
		of, named := map[string][]string{}, map[string][]string{} // by node: the owners of the evicted pods, and their names
		for e := range r.Evictions() {
			of[e.Node], named[e.Node] = append(of[e.Node], e.Owner), append(named[e.Node], e.Pod)
		}
		var nodes []string
		for name := range r.Nodes() {
			nodes = append(nodes, name)
		}
		l := drawLimits(t, w)
		l.MaxPercent = float64(rapid.SampledFrom([]int{0, 0, 1, 30, 99, 100}).Draw(t, "percent"))
		recount := func(first, end int) []whatif.Violation {
			var owners, names []string
			for _, name := range nodes[first:end] {
				owners, names = append(owners, of[name]...), append(names, named[name]...)
			}
			return exceeded(l, end-first, running(w.pods), names, owners)
		}
		vs, err := r.Check(l)
		if want := recount(0, len(nodes)); err != nil || !slices.Equal(vs, want) {
			t.Fatalf("%+v: %v, %v, want %v", l, vs, err, want)
		}
		checkLengths(t, r, l, nodes, recount)
	})
}

// failer is *testing.T and *rapid.T.
type failer interface {
	Fatalf(format string, args ...any)
}

// checkLengths compares the stages with those that a greedy count gives.
func checkLengths(t failer, r *whatif.Result, l whatif.Limits, nodes []string, recount func(first, end int) []whatif.Violation) {
	var want, got []string
	first := 0
	for end := 1; end <= len(nodes); end++ {
		if alone := recount(end-1, end); alone != nil {
			_, err := r.Stages(l)
			limit, ok := err.(*whatif.LimitError)
			if !ok || limit.Node != nodes[end-1] || !slices.Equal(limit.Violations, alone) {
				t.Fatalf("%+v: %v, want the node %s alone: %v", l, err, nodes[end-1], alone)
			}
			return
		}
		if end == len(nodes) || recount(first, end+1) != nil {
			want = append(want, fmt.Sprint(nodes[first:end]))
			first = end
		}
	}
	stages, err := r.Stages(l)
	for _, s := range stages {
		var names []string
		for name := range s.Nodes() {
			names = append(names, name)
		}
		got = append(got, fmt.Sprint(names))
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v: stages %v, %v, want %v", l, got, err, want)
	}
}

// All small limits together, for plans that evict pods of some owners, of none, of several
// from one node, and from one node nobody. Each node is the owners of its pods, of which
// "-" is none.
func TestSmallLimits(t *testing.T) {
	for _, nodes := range [][]string{{"a a -", "b", "a b c", "- -", "", "a"}, {"-", "- -", "x -", "", "x", "x", "a x"}} {
		w := &world{nodes: map[string][]taint.Taint{}}
		var owners, names [][]string
		for i, text := range nodes {
			name := fmt.Sprint("node-", i)
			w.names = append(w.names, name)
			owners, names = append(owners, strings.Fields(text)), append(names, nil)
			for j, owner := range owners[i] {
				owners[i][j] = strings.TrimPrefix(owner, "-")
				names[i] = append(names[i], fmt.Sprint(i, j))
				w.pods = append(w.pods, whatif.Pod{Name: names[i][j], Node: name, Owner: owners[i][j]})
			}
		}
		fleet, pods := w.build()
		plan, _ := whatif.Parse("taint nodes --all out:NoExecute")
		r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for l := range smallLimits {
			recount := func(first, end int) []whatif.Violation {
				return exceeded(l, end-first, len(w.pods), slices.Concat(names[first:end]...), slices.Concat(owners[first:end]...))
			}
			vs, err := r.Check(l)
			if want := recount(0, len(nodes)); err != nil || !slices.Equal(vs, want) {
				t.Fatalf("%+v: %v, %v, want %v", l, vs, err, want)
			}
			checkLengths(t, r, l, w.names, recount)
		}
	}
}

func smallLimits(yield func(whatif.Limits) bool) {
	budgets := [][]whatif.Budget{
		nil, {{Owners: []string{"a"}, Allowed: 2}}, {{Allowed: 3}, {Owners: []string{"b", "", "b"}, Allowed: 2}},
		{{Pods: []string{"0 0", "2 1", "0 0"}, Allowed: 1}, {Owners: []string{"a"}, Pods: []string{"0 0", "1 0"}, Allowed: 2}, {Pods: []string{}}},
		{{Owners: []string{"a"}, Pods: []string{"0 0", "1 0"}, Allowed: 2}, {Pods: []string{"0 0", "5 0"}, Allowed: 1}},
		{{Owners: []string{}}, {Owners: []string{"y"}}}, {{Owners: []string{"c"}, Allowed: 1}, {Owners: []string{"c", "a"}, Allowed: 3}},
	}
	for i := range 4 * 6 * 4 * 4 * len(budgets) {
		if !yield(whatif.Limits{
			MaxNodes: i % 4, MaxPods: i / 4 % 6, MaxPerOwner: i / 24 % 4,
			MaxPercent: []float64{0, 20, 31, 50}[i/96%4], Budgets: budgets[i/384],
		}) {
			return
		}
	}
}

// Evictions that a share of binary fractions misses by less than a millionth of a pod are
// within it, and no more: 0.7 % of 1000 pods is 7 pods, although 0.7/100*1000 is less.
func TestSharesOfWholePods(t *testing.T) {
	fleet, _ := cluster()
	var pods whatif.Pods
	for i := range 1000 {
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint("node-", 1+min(i/7, 2))})
	}
	for i := range 9 {
		pods.Set(whatif.Pod{Name: fmt.Sprint("waits-", i)}) // does not run
	}
	plan, err := whatif.Parse("taint nodes node-1 out:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	r, err := whatif.Evaluate(fleet, &pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for percent, allowed := range map[float64]int{0.7: 7, 0.69999: 6, 0.6: 6, 0.1: 1, 0.09: 0} {
		var want []whatif.Violation
		if allowed < 7 {
			want = []whatif.Violation{{Limit: "MaxPercent", Allowed: allowed, Count: 7}}
		}
		if vs, err := r.Check(whatif.Limits{MaxPercent: percent}); err != nil || !slices.Equal(vs, want) {
			t.Errorf("%v %%: %v, %v, want %v", percent, vs, err, want)
		}
	}
}

// Numbers of every size agree with their verbs, those that no limit gives included.
func TestSentencesOfViolations(t *testing.T) {
	for want, v := range map[string]whatif.Violation{
		`0 pods are evicted, and 0 are allowed`:                              {Limit: "MaxPods"},
		`1 pod is evicted, and 1 is allowed`:                                 {Limit: "MaxPods", Count: 1, Allowed: 1},
		`2 pods are evicted, and 0 are allowed by the share of running pods`: {Limit: "MaxPercent", Count: 2},
		`1 pod of "" is evicted, and 2 are allowed`:                          {Limit: "MaxPerOwner", Count: 1, Allowed: 2},
		`0 pods of budget "b" are evicted, and 1 is allowed`:                 {Limit: "Budgets", Name: "b", Allowed: 1},
		`2 nodes are affected, and 0 are allowed`:                            {Limit: "MaxNodes", Count: 2},
	} {
		if got := v.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

package whatif_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// steps counts what an evaluation of a plan takes.
func steps(t *testing.T, fleet *index.Snapshot, pods *whatif.Pods, plan whatif.Plan) int {
	t.Helper()
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Steps()
}

// shape is a fleet with pods, and a plan for some of its nodes.
type shape struct {
	fleet *index.Snapshot
	pods  *whatif.Pods
	plan  whatif.Plan
}

// The shapes: each with so many nodes and ten times as many pods, and a plan that changes
// so many nodes, or has so many steps.
var shapes = map[string]func(nodes, changed int) shape{
	"pools": func(nodes, changed int) shape {
		return build(nodes, changed, func(i int) []taint.Taint {
			return []taint.Taint{{Key: "pool", Value: fmt.Sprint(i % 10), Effect: taint.NoSchedule}}
		}, func(i int) (int, int) { return i % nodes, i % 300 })
	},
	"all sets differ": func(nodes, changed int) shape {
		return build(nodes, changed, func(i int) []taint.Taint {
			return []taint.Taint{{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoExecute}, {Key: "k", Effect: taint.NoExecute}}
		}, func(i int) (int, int) { return i % nodes, i % 300 })
	},
	"all sets and lists differ": func(nodes, changed int) shape {
		return build(nodes, changed, func(i int) []taint.Taint {
			return []taint.Taint{{Key: "class", Value: fmt.Sprint(i), Effect: taint.NoSchedule}}
		}, func(i int) (int, int) { return i % nodes, i })
	},
	"one class": func(nodes, changed int) shape {
		return build(nodes, changed, func(int) []taint.Taint { return nil }, func(i int) (int, int) { return i % nodes, 0 })
	},
	"one node has all pods": func(nodes, changed int) shape {
		return build(nodes, changed, func(int) []taint.Taint { return nil }, func(i int) (int, int) { return nodes - 1, i % 300 })
	},
	"steps on one node that add": func(nodes, changed int) shape {
		s := build(nodes, 0, func(int) []taint.Taint { return nil }, func(i int) (int, int) { return i % nodes, i % 300 })
		s.plan.Steps = nil
		for i := range changed {
			s.plan.Steps = append(s.plan.Steps, whatif.Step{Nodes: whatif.Nodes{Names: []string{"node-0"}}, Taints: taint.Change{Add: []taint.Taint{{Key: fmt.Sprint("k-", i), Effect: taint.NoExecute}}}})
		}
		return s
	},
	"steps on one node that take back": func(nodes, changed int) shape {
		s := build(nodes, 0, func(int) []taint.Taint { return nil }, func(i int) (int, int) { return i % nodes, i % 300 })
		s.plan.Steps = nil
		for i := range changed {
			step := whatif.Step{Nodes: whatif.Nodes{Names: []string{"node-0"}}, Taints: taint.Change{Add: []taint.Taint{{Key: "k", Effect: taint.NoExecute}}}}
			if i%2 == 1 {
				step.Taints = taint.Change{Remove: []taint.Removal{{Key: "k"}}}
			}
			s.plan.Steps = append(s.plan.Steps, step)
		}
		return s
	},
	"lists for many owners": func(nodes, changed int) shape {
		s := build(nodes, 0, func(i int) []taint.Taint {
			return []taint.Taint{{Key: "pool", Value: fmt.Sprint(i % 10), Effect: taint.NoExecute}}
		}, func(i int) (int, int) { return i % nodes, i % 300 })
		s.plan.Steps = nil
		for i := range changed {
			s.plan.Steps = append(s.plan.Steps, whatif.Step{Action: whatif.SetTolerations, Owner: fmt.Sprint("owner-", i), Tolerations: []toleration.Toleration{{Key: "pool", Operator: toleration.OpExists}}})
		}
		return s
	},
}

func build(nodes, changed int, taints func(i int) []taint.Taint, pod func(i int) (node, class int)) shape {
	var ix index.Index
	for i := range nodes {
		ix.Set(fmt.Sprint("node-", i), taints(i))
	}
	pods := new(whatif.Pods)
	for i := range 10 * nodes {
		node, class := pod(i)
		list := []toleration.Toleration{{Key: "k", Operator: toleration.OpExists, Effect: taint.NoExecute}, {Key: "class", Value: fmt.Sprint(class)}}
		pods.Set(whatif.Pod{Name: fmt.Sprint("pod-", i), Node: fmt.Sprint("node-", node), Owner: fmt.Sprint("owner-", i), Tolerations: list})
	}
	var names []string
	for i := range changed {
		names = append(names, fmt.Sprint("node-", nodes-1-i))
	}
	return shape{ix.Snapshot(), pods, whatif.Plan{Steps: []whatif.Step{
		{Nodes: whatif.Nodes{Names: names}, Taints: taint.Change{Add: []taint.Taint{{Key: "out", Effect: taint.NoExecute}}}},
		{Action: whatif.Cordon, Nodes: whatif.Nodes{Names: names}},
	}}}
}

// classes returns how many different lists pods have.
func classes(p *whatif.Pods) (n int) {
	for range p.Classes().All() {
		n++
	}
	return n
}

// Four times as much that changes takes four times the steps, and a fleet that is four
// times as large takes as many.
func TestStepsFollowWhatChanges(t *testing.T) {
	for name, make := range shapes {
		t.Run(name, func(t *testing.T) {
			small, large, wide := make(800, 50), make(800, 200), make(3200, 50)
			a, b := steps(t, small.fleet, small.pods, small.plan), steps(t, large.fleet, large.pods, large.plan)
			if b > 4*a+4*a/10 {
				t.Errorf("%d steps, and %d for four times the changes", a, b)
			}
			if name == "one node has all pods" {
				return // the pods are four times as many
			}
			words := (classes(wide.pods) - classes(small.pods)) / 64 // a bit of every class is looked at
			if name == "lists for many owners" {
				words += 50 * (3200 - 800) / 64 // each list looks at a bit of every node
			}
			if c := steps(t, wide.fleet, wide.pods, wide.plan); c > a+a/10+words {
				t.Errorf("%d steps, and %d in a fleet four times the size", a, c)
			}
		})
	}
}

// What a plan may cost at most, in steps, for each node that it selects, each pod on
// these, and each step.
func TestStepsAreFew(t *testing.T) {
	for name, make := range shapes {
		t.Run(name, func(t *testing.T) {
			s := make(1600, 1600)
			selected, pods := 2*1600, 16000
			if got, most := steps(t, s.fleet, s.pods, s.plan), 30*selected+2*pods; got > most {
				t.Errorf("%d steps, want at most %d", got, most)
			}
		})
	}
}

// Nodes that differ in soft taints only are one change for the classes of pods: what is
// looked at does not grow with the classes for each of them.
func TestSoftTaintsShareAChange(t *testing.T) {
	const nodes = 400
	var ix index.Index
	var names []string
	for i := range nodes {
		names = append(names, fmt.Sprint("node-", i))
		ix.Set(names[i], []taint.Taint{taint.MustParse("pool=a:NoSchedule"), {Key: "since", Value: fmt.Sprint(i), Effect: taint.PreferNoSchedule}})
	}
	var pods whatif.Pods
	for i := range 6400 {
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Tolerations: []toleration.Toleration{{Key: "pool", Operator: toleration.OpExists}, {Key: "class", Value: fmt.Sprint(i)}}})
	}
	plan := whatif.Plan{Steps: []whatif.Step{{Nodes: whatif.Nodes{Names: names}, Taints: taint.Change{Add: []taint.Taint{taint.MustParse("out:NoSchedule")}}}}}
	if got, most := steps(t, ix.Snapshot(), &pods, plan), 30*nodes+10*6400/64; got > most {
		t.Errorf("%d steps, want at most %d", got, most)
	}
}

// The lists of pods are looked at only where the seconds of a toleration decide: here each
// pod has a long list of its own, and no evaluation takes as many steps as one of these is
// long.
func TestListsAreSeldomLookedAt(t *testing.T) {
	const before, out = "before:NoExecute", "out:NoExecute"
	unlimited, hour, now := toleration.MustParse("other"), toleration.MustParse("other:NoExecute@3600"), toleration.MustParse("other:NoExecute@0")
	tolerates := toleration.MustParse("before")
	for name, c := range map[string]struct {
		taints, plan string
		list         []toleration.Toleration
		want         whatif.Summary
		verdicts     int
	}{
		"stays":                    {before, "taint nodes --all x:NoSchedule", []toleration.Toleration{tolerates, unlimited}, whatif.Summary{Stay: 9}, 0},
		"spared":                   {before, "taint nodes --all before-", []toleration.Toleration{unlimited}, whatif.Summary{Spared: 9}, 0},
		"leaves with or without":   {before, "taint nodes --all " + out, []toleration.Toleration{now}, whatif.Summary{EvictedAnyway: 9}, 0},
		"leaves, was free to stay": {"", "taint nodes --all " + out, []toleration.Toleration{now}, whatif.Summary{EvictedNow: 9}, 1},
		"leaves, tolerated all":    {before, "taint nodes --all " + out, []toleration.Toleration{tolerates, unlimited}, whatif.Summary{EvictedNow: 9}, 1},
		"leaves, not at once":      {before, "taint nodes --all " + out, []toleration.Toleration{tolerates, hour}, whatif.Summary{EvictedNow: 9}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			const long = 1000
			var ix index.Index
			var pods whatif.Pods
			for i := range 9 {
				list := c.list
				for j := range long {
					list = append(list, toleration.Toleration{Key: fmt.Sprintf("of-%d-%d", i, j), Operator: toleration.OpExists})
				}
				taints, _ := taint.ParseList(c.taints)
				ix.Set(fmt.Sprint("node-", i/3), append(taints, taint.Taint{Key: "own", Value: fmt.Sprint(i / 3), Effect: taint.PreferNoSchedule}))
				pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint("node-", i/3), Tolerations: list})
			}
			plan, err := whatif.Parse(c.plan)
			if err != nil {
				t.Fatal(err)
			}
			r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c.want.Nodes = 3
			if got := r.Summary(); got != c.want || r.Verdicts() != c.verdicts || r.Steps() > long/2 {
				t.Errorf("%+v with %d verdicts in %d steps, want %+v with %d", got, r.Verdicts(), r.Steps(), c.want, c.verdicts)
			}
		})
	}
}

// Ten thousand steps on one node, and all nodes changed, are answered as package match
// answers: the evaluation does not become another one where it is large.
func TestLargePlans(t *testing.T) {
	for _, of := range []string{"steps on one node that add", "steps on one node that take back"} {
		s := shapes[of](2, 10_000)
		r, err := whatif.Evaluate(s.fleet, s.pods, s.plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var want []taint.Taint
		for i := range s.plan.Steps {
			c := s.plan.Steps[i].Taints
			if len(c.Remove) > 0 {
				want = nil
			}
			want = append(want, c.Add...)
		}
		for i, j := 0, len(want)-1; i < j; i, j = i+1, j-1 { // the last one comes first
			want[i], want[j] = want[j], want[i]
		}
		n := 0
		for _, got := range r.Nodes() {
			if n++; !taint.Equal(got, want) {
				t.Errorf("%s: %d taints, want %d", of, len(got), len(want))
			}
		}
		if nodes := min(len(want), 1); n != nodes {
			t.Errorf("%s: %d nodes change, want %d", of, n, nodes)
		}
	}
}

// Where each class fits many nodes and all nodes differ, finding the classes without a node
// takes a word for each 64 classes and each node, not a step for each pair of them.
func TestUnschedulableOfBounds(t *testing.T) {
	const nodes = 3200
	ix := index.New(toleration.Rules{Comparisons: true})
	pods := whatif.NewPods(toleration.Rules{Comparisons: true})
	for i := range nodes {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "n", Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint(i), Tolerations: []toleration.Toleration{{Key: "n", Operator: toleration.OpGt, Value: fmt.Sprint(i)}}})
	}
	for _, c := range []struct {
		plan        string
		want, steps int
	}{
		{"kubectl taint nodes --all out:NoExecute", nodes, 207191},
		{"kubectl cordon --all", nodes - 1, 207191}, // the last one loses no node, and stays
	} {
		plan, err := whatif.Parse(c.plan)
		if err != nil {
			t.Fatal(err)
		}
		r, err := whatif.Evaluate(ix.Snapshot(), pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if classes, got := r.UnschedulableSteps(); classes != c.want || got != c.steps || got > 3*nodes*nodes/64 {
			t.Errorf("%s: %d classes in %d steps, want %d in %d", c.plan, classes, got, c.want, c.steps)
		}
	}
	ix.Set("clean", nil) // every class fits it
	plan, _ := whatif.Parse("kubectl taint nodes 7 out:NoExecute")
	r, err := whatif.Evaluate(ix.Snapshot(), pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if classes, got := r.UnschedulableSteps(); classes+got != 0 {
		t.Errorf("%d classes in %d steps, and a node without taints is left", classes, got)
	}
}

// Pods that are evicted at once because of the same taint share a verdict; where times count, those
// on nodes with the same taints do. It does not matter how many other taints come before theirs.
func TestVerdictAtOnceIsFoundOnce(t *testing.T) {
	const soft, pods = 5000, 1000
	own := taint.MustParse("own:NoExecute")
	for policy, want := range map[match.EvictionPolicy]int{match.FirstMatch: 1, match.MostLenient: 1, match.SinceAdded: 2} {
		steps := func(n, at int) int {
			var c taint.Change
			for i := range soft {
				c.Add = append(c.Add, taint.Taint{Key: fmt.Sprint("soft-", i), Effect: taint.PreferNoSchedule})
			}
			c.Add = slices.Insert(c.Add, at, taint.MustParse("out:NoExecute"))
			var ix index.Index
			var running whatif.Pods
			ix.Set("plain", nil)
			ix.Set("owned", []taint.Taint{own})
			for i := range n {
				running.Set(whatif.Pod{Name: fmt.Sprint(i), Node: "plain"})
				running.Set(whatif.Pod{Name: fmt.Sprint(n + i), Node: "owned", Tolerations: []toleration.Toleration{toleration.For(&own)}})
			}
			plan := whatif.Plan{Steps: []whatif.Step{{Nodes: whatif.Nodes{All: true}, Taints: c}}}
			r, err := whatif.Evaluate(ix.Snapshot(), &running, plan, whatif.Options{Policy: policy, Now: epoch})
			if err != nil || r.Summary().EvictedNow != 2*n || r.Verdicts() != want {
				t.Fatalf("policy %v: %v, %+v with %d verdicts, want %d", policy, err, r.Summary(), r.Verdicts(), want)
			}
			return r.Steps()
		}
		if more := steps(2*pods, soft) - steps(pods, soft); more > 10*pods {
			t.Errorf("policy %v: %d more pods take %d more steps", policy, 2*pods, more)
		}
		if more := steps(pods, soft) - steps(pods, 0); more != 0 {
			t.Errorf("policy %v: %d taints before the one that evicts take %d steps", policy, soft, more)
		}
	}
}

// Each evaluation looks at a word for 64 classes, even if the plan concerns none, and at no
// word twice.
func TestStepsForClasses(t *testing.T) {
	var ix index.Index
	ix.Set("node", nil)
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "runs", Node: "node"})
	plan, err := whatif.Parse("taint nodes node out:PreferNoSchedule")
	if err != nil {
		t.Fatal(err)
	}
	add := func(n int) {
		for i := range n {
			list := []toleration.Toleration{{Key: "out", Operator: toleration.OpExists}, {Key: fmt.Sprint(n, i)}}
			pods.Set(whatif.Pod{Name: fmt.Sprint(n, i), Tolerations: list})
		}
	}
	add(64)
	few := steps(t, ix.Snapshot(), &pods, plan)
	add(100 * 64)
	if many := steps(t, ix.Snapshot(), &pods, plan); many-few != 100 {
		t.Errorf("%d steps, and %d more with 6,400 more classes, want 100", few, many-few)
	}
}

// The search for classes with evicted pods looks at one word for each class that gains or loses
// nodes, however far away the next class with evicted pods is.
func TestStepsForClassesFarApart(t *testing.T) {
	var ix index.Index
	ix.Set("cordoned", nil)
	ix.Set("drained", nil)
	var pods whatif.Pods
	const classes = 6400
	for i := range classes {
		list := []toleration.Toleration{{Key: fmt.Sprint(i)}, {Key: "out", Operator: toleration.OpExists}}
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: "cordoned", Tolerations: list})
	}
	pods.Set(whatif.Pod{Name: "last", Node: "drained"})
	plan, err := whatif.Parse("taint nodes cordoned busy:NoSchedule\ntaint nodes drained out:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time with what is kept
		if got := steps(t, ix.Snapshot(), &pods, plan); got > 3*classes {
			t.Errorf("%d steps for %d classes", got, classes)
		}
	}
}

// Classes come in their order, whether they lose nodes, or only have pods that are evicted from
// nodes that do not fit them anyway.
func TestClassesInTheirOrder(t *testing.T) {
	const classes = 300
	for offset := range 3 {
		var ix index.Index
		ix.Set("free", nil)
		ix.Set("blocked", []taint.Taint{{Key: "blocked", Effect: taint.NoSchedule}})
		var pods whatif.Pods
		loses := func(i int) bool { return (i+offset)%3 > 0 }
		for i := range classes {
			p := whatif.Pod{Name: fmt.Sprint(i), Node: "blocked", Tolerations: []toleration.Toleration{{Key: fmt.Sprint(i)}, {Key: "busy"}}}
			if loses(i) {
				p.Node, p.Tolerations = "free", p.Tolerations[:1]
			}
			pods.Set(p)
		}
		plan, err := whatif.Parse("taint nodes free busy:NoSchedule\ntaint nodes blocked out:NoExecute")
		if err != nil {
			t.Fatal(err)
		}
		r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for c := range r.Classes() {
			lost, evicted := 0, 1
			if loses(i) {
				lost, evicted = 1, 0
			}
			if c.Before[0].Key != fmt.Sprint(i) || c.Lost != lost || c.Evicted != evicted {
				t.Fatalf("%+v is at %d, want %d lost and %d evicted", c, i, lost, evicted)
			}
			i++
		}
		if i != classes {
			t.Errorf("%d classes, want %d", i, classes)
		}
	}
}

package figures

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/headroom"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkPlan measures a plan that cordons nodes and evicts the pods of so many that
// some 39,000 of 1,000,000 pods leave 100,000 nodes. "floor" is what such an answer must
// touch: it finds the pods of the nodes by name and writes down the name, the owner and
// the node of each. "lookups" is what every answer of Evaluate needs, by the plainest means:
// the node and its taints by name, how many classes of pods tolerate each of these by key
// and value, the pods, and a count for the class of each. "rebuild" applies the plan to a
// copy of the nodes, builds the index of that, and asks package match about every pod of a
// node that changes. "read" also reads everything that the result says about nodes, pods and
// classes.
func BenchmarkPlan(b *testing.B) {
	for _, name := range scenario.Names() {
		b.Run(name, func(b *testing.B) {
			nodes, pods := 100_000, 1_000_000
			if name == "distinct" { // 340 tolerations each: a million lists do not fit
				nodes, pods = 10_000, 4_000
			}
			c := cluster(name, nodes, pods)
			comparePlan(b, c, func(i int) int { return i % len(c.Nodes) }, evicting(c, sized(39_000)))
		})
	}
}

// BenchmarkHostilePlan measures the shapes in which most happens: all pods of one class,
// all on one node, a plan that changes every node, where they are alike and where all
// differ, numbers that each meet as many bounds, and 10,000 steps on one node.
func BenchmarkHostilePlan(b *testing.B) {
	c := cluster("pools", 100_000, 1_000_000)
	turns := func(i int) int { return i % len(c.Nodes) }
	b.Run("one-class", func(b *testing.B) {
		same := &scenario.Cluster{Nodes: c.Nodes, Pods: make([]scenario.Pod, len(c.Pods))}
		for i := range c.Pods {
			same.Pods[i] = scenario.Pod{Name: c.Pods[i].Name, Tolerations: c.Pods[0].Tolerations}
		}
		comparePlan(b, same, turns, evicting(same, sized(39_000)))
	})
	b.Run("one-node", func(b *testing.B) {
		comparePlan(b, c, func(int) int { return 0 }, 1)
	})
	b.Run("every-node", func(b *testing.B) { comparePlan(b, c, turns, len(c.Nodes)) })
	b.Run("every-node-differs", func(b *testing.B) {
		unique := cluster("unique", 100_000, 1_000_000)
		comparePlan(b, unique, turns, len(unique.Nodes))
	})
	b.Run("bounds", func(b *testing.B) {
		c := bounds(sized(10_000))
		comparePlan(b, c, func(i int) int { return i }, len(c.Nodes))
	})
	b.Run("bounds-classes", func(b *testing.B) {
		compareClasses(b, bounds(sized(10_000)))
	})
	b.Run("10000-steps", func(b *testing.B) {
		fleet, pods := work.Index(c.Nodes).Snapshot(), place(c, turns)
		var plan whatif.Plan
		for i := range sized(10_000) {
			plan.Steps = append(plan.Steps, whatif.Step{
				Nodes:  whatif.Nodes{Names: []string{c.Nodes[0].Name}},
				Taints: taint.Change{Add: []taint.Taint{{Key: fmt.Sprint("key-", i), Effect: taint.NoExecute}}},
			})
		}
		r := ratio.Measure(b, "step",
			ratio.Side{Name: "whatif", Units: len(plan.Steps), Do: func() int { return evictions(b, fleet, pods, plan) }},
			ratio.Side{Name: "rebuild", Units: len(plan.Steps), Do: func() int { return stepByStep(c, plan) }})
		r.Agree(b, "whatif", "rebuild")
		r.Report(b, "rebuild", "whatif")
	})
}

// bounds is a cluster of n nodes with a number each, and n pods, each with a bound of its
// own: half of them tolerate greater numbers and half of them smaller ones.
func bounds(n int) *scenario.Cluster {
	c := cluster("unique", n, n)
	for i := range c.Nodes {
		c.Nodes[i].Taints = []taint.Taint{{Key: "number", Value: fmt.Sprint(2 * i), Effect: taint.NoExecute}}
		c.Pods[i].Tolerations = []toleration.Toleration{{Key: "number", Operator: toleration.OpGt, Value: fmt.Sprint(i)}}
		if i%2 == 1 {
			c.Pods[i].Tolerations[0].Operator = toleration.OpLt
		}
	}
	return c
}

// stepByStep applies a plan to the first node of a cluster by package taint, builds the
// index, and counts the pods of that node that package match evicts.
func stepByStep(c *scenario.Cluster, plan whatif.Plan) (n int) {
	nodes := slices.Clone(c.Nodes)
	for i := range plan.Steps {
		nodes[0].Taints, _ = plan.Steps[i].Taints.Apply(nil, nodes[0].Taints, false)
	}
	work.Index(nodes).Snapshot()
	for i := 0; i < len(c.Pods); i += len(nodes) {
		before, left := match.EvictionDelay(c.Nodes[0].Taints, c.Pods[i].Tolerations, comparing)
		after, leaves := match.EvictionDelay(nodes[0].Taints, c.Pods[i].Tolerations, comparing)
		if leaves && (!left || after < before) {
			n++
		}
	}
	return n
}

// maintenance is the taint that evicts.
var maintenance = taint.MustParse("maintenance:NoExecute")

// comparePlan measures a plan for so many nodes of a cluster, whose pods run on the nodes
// that on gives.
func comparePlan(b *testing.B, c *scenario.Cluster, on func(pod int) int, nodes int) {
	var names []string
	for i := range nodes {
		names = append(names, strings.Clone(c.Nodes[i*len(c.Nodes)/nodes].Name)) // plans have texts of their own
	}
	plan := whatif.Plan{Steps: []whatif.Step{
		{Verb: whatif.Cordon, Nodes: whatif.Nodes{Names: names}},
		{Nodes: whatif.Nodes{Names: names}, Taints: taint.Change{Add: []taint.Taint{maintenance}}},
	}}
	fleet, pods := work.Index(c.Nodes).Snapshot(), place(c, on)
	rebuild := &rebuilding{c: c, on: map[string][]int{}}
	for i := range c.Pods {
		name := strings.Clone(c.Nodes[on(i)].Name)
		rebuild.on[name] = append(rebuild.on[name], i)
	}
	lookups := newLookups(rebuild, fleet)
	result, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		b.Fatal(err)
	}
	r := ratio.Measure(b, "plan", // what follows rebuild meets the garbage that it leaves
		ratio.Side{Name: "rebuild", Units: 1, Do: func() int { n, _ := rebuild.carryOut(names); return n }},
		ratio.Side{Name: "unschedulable", Units: 1, Do: func() int { return len(result.Unschedulable()) }},
		ratio.Side{Name: "stages", Units: 1, Do: func() int { return stages(b, result) }},
		ratio.Side{Name: "floor", Units: 1, Do: func() int { return rebuild.touch(names) }},
		ratio.Side{Name: "lookups", Units: 1, Do: func() int { return lookups.touch(names) }},
		ratio.Side{Name: "whatif", Units: 1, Do: func() int { return evictions(b, fleet, pods, plan) }},
		ratio.Side{Name: "read", Units: 1, Do: func() int { return readAll(b, fleet, pods, plan) }})
	r.Agree(b, "whatif", "rebuild")
	r.Report(b, "rebuild", "whatif")
	r.Report(b, "rebuild", "read")
	r.Report(b, "whatif", "floor")
	r.Report(b, "whatif", "lookups")
	b.ReportMetric(float64(result.Summary().Evicted()), "evictions")
}

// compareClasses measures the whole answer of a plan that taints every node of a cluster, each
// of which has one pod: who is evicted, and how many nodes each class gains and loses.
// comparePlan's rebuild tells only who is evicted; this one asks both indexes about every class.
func compareClasses(b *testing.B, c *scenario.Cluster) {
	var names []string
	rebuild := &rebuilding{c: c, on: map[string][]int{}}
	for i := range c.Nodes {
		name := c.Nodes[i].Name
		names, rebuild.on[name] = append(names, name), []int{i}
	}
	plan := whatif.Plan{Steps: []whatif.Step{
		{Verb: whatif.Cordon, Nodes: whatif.Nodes{All: true}},
		{Nodes: whatif.Nodes{All: true}, Taints: taint.Change{Add: []taint.Taint{maintenance}}},
	}}
	fleet, pods := work.Index(c.Nodes).Snapshot(), place(c, func(i int) int { return i })
	lists := index.NewPods(toleration.Rules{Comparisons: true})
	for i := range c.Pods {
		lists.Add(c.Pods[i].Tolerations)
	}
	r := ratio.Measure(b, "plan",
		ratio.Side{Name: "rebuild", Units: 1, Do: func() int {
			evicted, after := rebuild.carryOut(names)
			return evicted + lost(lists, fleet, after)
		}},
		ratio.Side{Name: "whatif", Units: 1, Do: func() int {
			r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
			if err != nil {
				b.Fatal(err)
			}
			n := r.Summary().Evicted()
			for c := range r.Classes() {
				n += c.Gained + c.Lost
			}
			return n
		}})
	r.Agree(b, "whatif", "rebuild")
	r.Report(b, "rebuild", "whatif")
}

// lost returns how many nodes all classes of pods together lose between two snapshots, the second
// of which has the same nodes with more taints.
func lost(pods *index.Pods, before, after *index.Snapshot) (n int) {
	var f index.Fit
	for class := range pods.All() {
		before.FitList(&f, pods.Tolerations(class))
		n += f.Len()
		after.FitList(&f, pods.Tolerations(class))
		n -= f.Len()
	}
	return n
}

// stages cuts a plan into stages of up to a hundred nodes, and counts pods by owners.
func stages(b *testing.B, r *whatif.Result) int {
	list, err := r.Stages(whatif.Limits{MaxPercent: 100, MaxNodes: 100, MaxPerOwner: 1_000_000})
	if err != nil {
		b.Fatal(err)
	}
	return len(list)
}

// evicting returns how many nodes of a cluster have to be emptied so that so many pods
// leave, if pods run on the nodes in turns.
func evicting(c *scenario.Cluster, pods int) int {
	tolerating := 0
	sample := min(len(c.Pods), 10_000)
	for i := range sample {
		if match.Tolerates(c.Pods[i].Tolerations, &maintenance, comparing) {
			tolerating++
		}
	}
	leave := float64(len(c.Pods)) / float64(len(c.Nodes)) * float64(sample-tolerating) / float64(sample)
	return min(int(float64(pods)/max(leave, 1)), len(c.Nodes))
}

// place runs pods on nodes. They have a thousand owners.
func place(c *scenario.Cluster, on func(pod int) int) *whatif.Pods {
	pods := whatif.NewPods(toleration.Rules{Comparisons: true})
	for i := range c.Pods {
		p := &c.Pods[i]
		pods.Set(whatif.Pod{Name: p.Name, Node: strings.Clone(c.Nodes[on(i)].Name), Owner: fmt.Sprint("owner-", i%1000), Tolerations: p.Tolerations})
	}
	return pods
}

func evictions(b *testing.B, fleet *index.Snapshot, pods *whatif.Pods, plan whatif.Plan) int {
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return r.Summary().Evicted()
}

// readAll evaluates a plan, and reads which taints nodes have then, which pods are evicted, and
// which classes gain or lose nodes.
func readAll(b *testing.B, fleet *index.Snapshot, pods *whatif.Pods, plan whatif.Plan) (n int) {
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for name, taints := range r.Nodes() {
		n += len(name) + len(taints)
	}
	for e := range r.Evictions() {
		n += len(e.Pod)
	}
	for c := range r.Classes() {
		n += c.Lost
	}
	return n
}

// rebuilding is a cluster whose pods are found by their node.
type rebuilding struct {
	c  *scenario.Cluster
	on map[string][]int
}

// leaving is what is written down about a pod.
type leaving struct{ pod, owner, node string }

func (r *rebuilding) touch(names []string) int {
	var written [1024]leaving
	n := 0
	for _, name := range names {
		for _, i := range r.on[name] {
			written[n%len(written)] = leaving{r.c.Pods[i].Name, r.c.Pods[i].Name, name}
			n++
		}
	}
	return n
}

// lookups is a cluster indexed by everything that evaluating a plan looks up.
type lookups struct {
	*rebuilding
	fleet   *index.Snapshot
	classes []index.PodClass  // by pod
	who     map[[2]string]int // how many classes have a toleration, by its key and value
	counts  []uint32          // by class
}

func newLookups(r *rebuilding, fleet *index.Snapshot) *lookups {
	l := &lookups{rebuilding: r, fleet: fleet, who: map[[2]string]int{}}
	var pods index.Pods
	for i := range r.c.Pods {
		class := pods.Add(r.c.Pods[i].Tolerations)
		l.classes = append(l.classes, class)
		for _, t := range r.c.Pods[i].Tolerations {
			if pods.Count(class) == 1 {
				l.who[[2]string{t.Key, t.Value}]++
			}
		}
	}
	l.counts = make([]uint32, 1+slices.Max(l.classes))
	return l
}

func (l *lookups) touch(names []string) int {
	var written [1024]leaving
	var taints []taint.Taint
	clear(l.counts)
	n := 0
	for _, name := range names {
		id, _ := l.fleet.ID(name)
		taints = l.fleet.AppendTaints(taints[:0], l.fleet.Class(id))
		for i := range taints {
			n += l.who[[2]string{taints[i].Key, taints[i].Value}]
		}
		for _, i := range l.on[name] {
			written[n%len(written)] = leaving{l.c.Pods[i].Name, l.c.Pods[i].Name, name}
			l.counts[l.classes[i]]++
			n++
		}
	}
	for _, count := range l.counts {
		if count > 0 {
			n++
		}
	}
	return n
}

// carryOut returns how many pods are evicted, and the nodes as they are then.
func (r *rebuilding) carryOut(names []string) (evicted int, after *index.Snapshot) {
	changed := make(map[string]bool, len(names))
	for _, name := range names {
		changed[name] = true
	}
	nodes := make([]scenario.Node, len(r.c.Nodes))
	add := taint.Change{Add: []taint.Taint{maintenance}}
	for i, node := range r.c.Nodes {
		if nodes[i] = node; !changed[node.Name] {
			continue
		}
		nodes[i].Taints, _ = add.Apply(nil, taint.WithCordon(nil, node.Taints, true), false)
		for _, j := range r.on[node.Name] {
			list := r.c.Pods[j].Tolerations
			before, left := match.EvictionDelay(node.Taints, list, comparing)
			delay, leaves := match.EvictionDelay(nodes[i].Taints, list, comparing)
			if leaves && (!left || delay < before) {
				evicted++
			}
		}
	}
	return evicted, work.Index(nodes).Snapshot()
}

// BenchmarkHeadroom measures what each of at most 300 classes of pods may use of 100,000 nodes,
// with a number for each node, against asking package match about each class and every node.
// "nodes" is the part that reads the numbers of the nodes; "floor" is adding those up.
func BenchmarkHeadroom(b *testing.B) {
	for _, name := range []string{"pools", "unique", "distinct"} {
		b.Run(name, func(b *testing.B) {
			c := cluster(name, 100_000, 10_000)
			fleet := work.Index(c.Nodes).Snapshot()
			pods := index.NewPods(toleration.Rules{Comparisons: true})
			free := make(map[string]int64)
			for i := range c.Nodes {
				free[c.Nodes[i].Name] = int64(i % 64)
			}
			most := 300
			if testing.Short() {
				most = 10
			}
			for i := range c.Pods {
				pods.Add(c.Pods[i].Tolerations)
				if classes(pods) == most {
					break
				}
			}
			load := func() *headroom.Fleet {
				return headroom.New(fleet, 1, func(node string, into []int64) { into[0] = free[node] })
			}
			f := load()
			r := ratio.Measure(b, "table",
				ratio.Side{Name: "nodes", Units: 1, Do: func() int { return load().Total().Nodes }},
				ratio.Side{Name: "table", Units: 1, Do: func() int { return nodesOf(f.Table(pods)) }},
				ratio.Side{Name: "match", Units: 1, Do: func() int { return headroomByMatch(c, pods, free) }},
				ratio.Side{Name: "floor", Units: 1, Do: func() int { return addUp(c, free) }})
			r.Agree(b, "table", "match")
			r.Report(b, "match", "table")
			r.Report(b, "nodes", "floor")
		})
	}
}

func classes(p *index.Pods) (n int) {
	for range p.All() {
		n++
	}
	return n
}

// nodesOf adds up what the classes of a table may use.
func nodesOf(t *headroom.Table) (n int) {
	for row := range t.Rows() {
		n += row.Room.Nodes + int(row.Room.Numbers[0])
	}
	return n
}

func headroomByMatch(c *scenario.Cluster, pods *index.Pods, free map[string]int64) (n int) {
	for class := range pods.All() {
		list := pods.Tolerations(class)
		for i := range c.Nodes {
			if _, refused := match.FirstUntolerated(c.Nodes[i].Taints, list, taint.Hard, comparing); !refused {
				n += 1 + int(free[c.Nodes[i].Name])
			}
		}
	}
	return n
}

func addUp(c *scenario.Cluster, free map[string]int64) (sum int) {
	for i := range c.Nodes {
		sum += int(free[c.Nodes[i].Name])
	}
	return sum
}

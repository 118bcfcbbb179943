package whatif_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A plan means what it means to apply it to a copy and to ask package match about
// everything; its stages add up to it and keep their limits; and nothing changes.
func TestPlansAgreeWithMatch(t *testing.T) {
	for range 5 {
		rapid.Check(t, checkPlan)
	}
}

func FuzzPlan(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkPlan))
}

func checkPlan(t *rapid.T) {
	w := drawWorld(t)
	plan := drawPlan(t, w)
	policy := rapid.SampledFrom([]match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded}).Draw(t, "policy")
	fleet, pods := w.build()
	options := w.options(policy, epoch)
	if policy != match.SinceAdded {
		w.times = nil // options has them, and nobody asks
	}
	r, err := whatif.Evaluate(fleet, pods, plan, options)
	a := w.apply(plan)
	if (err != nil) != (a == nil) {
		t.Fatalf("error %v, want one: %t", err, a == nil)
	}
	if err != nil {
		return
	}
	answerOf(r).compare(t, a.answer(w, policy, epoch))
	after := r.Fleet()
	for _, name := range w.names {
		for _, c := range []struct {
			what string
			got  []taint.Taint
			want []taint.Taint
		}{
			{"after", after.AppendTaints(nil, after.Class(first(after.ID(name)))), a.nodes[name]},
			{"in the snapshot", fleet.AppendTaints(nil, fleet.Class(first(fleet.ID(name)))), w.nodes[name]},
		} {
			if taint.FormatList(c.got) != taint.FormatList(c.want) {
				t.Fatalf("%s %s: %v, want %v", name, c.what, c.got, c.want)
			}
		}
	}
	again, err := whatif.Evaluate(fleet, pods, plan, options)
	if err != nil {
		t.Fatal(err)
	}
	answerOf(again).compare(t, answerOf(r))
	checkStages(t, w, r, policy, drawLimits(t, w))
}

func first[T, U any](x T, _ U) T { return x }

// checkStages carries out a plan stage by stage. It returns the number of stages.
func checkStages(t rapid.TB, w *world, r *whatif.Result, policy match.EvictionPolicy, limits whatif.Limits) int {
	stages, err := r.Stages(limits)
	if err != nil {
		return 0
	}
	var total whatif.Summary
	var nodes, evictions []string
	now := *w
	for _, stage := range stages {
		fleet, pods := now.build()
		sum, err := whatif.Evaluate(fleet, pods, stage.Plan(), w.options(policy, epoch))
		if err != nil {
			t.Fatalf("stage %+v: %v", stage.Plan(), err)
		}
		if sum.Summary() != stage.Summary() {
			t.Fatalf("a stage alone is %+v, and was to be %+v", sum.Summary(), stage.Summary())
		}
		if vs, err := sum.Check(limits); limits.MaxPercent == 0 && (vs != nil || err != nil) {
			t.Fatalf("a stage goes over %+v: %v, %v", limits, vs, err)
		}
		total.Nodes += stage.Summary().Nodes
		total.EvictedNow += stage.Summary().EvictedNow
		total.EvictedLater += stage.Summary().EvictedLater
		total.EvictedAnyway += stage.Summary().EvictedAnyway
		total.Spared += stage.Summary().Spared
		total.Stay += stage.Summary().Stay
		for name, taints := range stage.Nodes() {
			nodes = append(nodes, name+" "+taint.FormatList(taints))
		}
		for e := range stage.Evictions() {
			e.Taint.TimeAdded = nil
			evictions = append(evictions, fmt.Sprint(e.Pod, e.Node, e.Owner, e.After, e.Taint))
		}
		now = now.apply(stage.Plan()).world
	}
	slices.Sort(evictions)
	whole := answerOf(r)
	if total != whole.summary || !slices.Equal(nodes, whole.nodes) || !slices.Equal(evictions, whole.evictions) {
		t.Fatalf("stages add up to %+v\n%v\n%v\nwant %+v", total, nodes, evictions, whole)
	}
	for i := 1; i < len(stages); i++ { // two stages that could be one are one too many
		if merged, err := r.Stages(limits); err != nil || len(merged) != len(stages) {
			t.Fatalf("%d stages, then %d, %v", len(stages), len(merged), err)
		}
	}
	return len(stages)
}

func drawLimits(t *rapid.T, w *world) (l whatif.Limits) {
	l.MaxNodes = rapid.IntRange(0, 3).Draw(t, "nodes")
	l.MaxPods = rapid.IntRange(0, 6).Draw(t, "pods")
	l.MaxPerOwner = rapid.IntRange(0, 4).Draw(t, "per owner")
	l.MaxPercent = float64(rapid.SampledFrom([]int{0, 0, 20, 50}).Draw(t, "percent"))
	names := []string{"none"}
	for _, p := range w.pods {
		names = append(names, p.Name)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "budgets") {
		l.Budgets = append(l.Budgets, whatif.Budget{
			Name: fmt.Sprint("budget-", i), Owners: rapid.SliceOf(drawOwner).Draw(t, "owners"),
			Pods: rapid.SliceOf(rapid.SampledFrom(names)).Draw(t, "pods"), Allowed: rapid.IntRange(1, 5).Draw(t, "allowed"),
		})
	}
	return l
}

var (
	drawOwner = rapid.SampledFrom([]string{"", "a", "b", "c"})
	drawKey   = rapid.SampledFrom([]string{"k", "l", taint.KeyUnschedulable})
	drawValue = rapid.SampledFrom([]string{"", "", "1", "7"})
	effects   = []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
)

func drawTaint(t *rapid.T) taint.Taint {
	return taint.Taint{Key: drawKey.Draw(t, "key"), Value: drawValue.Draw(t, "value"), Effect: rapid.SampledFrom(effects).Draw(t, "effect")}
}

func drawTaints(t *rapid.T) (taints []taint.Taint) {
	if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
		taints = append(taints, matchtest.Taints().Draw(t, "any taints")...)
		for i := range taints {
			taints[i].TimeAdded = nil
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "taints") {
		taints = append(taints, drawTaint(t))
	}
	return taints
}

func drawTolerations(t *rapid.T) []toleration.Toleration {
	list := make([]toleration.Toleration, rapid.IntRange(0, 3).Draw(t, "tolerations"))
	for i := range list {
		x := drawTaint(t)
		list[i] = toleration.Toleration{Key: x.Key, Value: x.Value, Effect: x.Effect}
		switch rapid.IntRange(0, 4).Draw(t, "operator") {
		case 0:
			list[i].Operator, list[i].Value = toleration.OpExists, ""
		case 1:
			list[i].Operator, list[i].Value, list[i].Key = toleration.OpExists, "", ""
		case 2:
			list[i].Operator, list[i].Value = toleration.OpGt, "5"
		case 3:
			list[i].Effect = ""
		}
		if list[i].Effect == taint.NoExecute && rapid.Bool().Draw(t, "limited") {
			list[i].TolerationSeconds = ptr(int64(rapid.IntRange(-1, 3).Draw(t, "seconds")) * 100)
		}
	}
	return list
}

func drawWorld(t *rapid.T) *world {
	w := &world{nodes: map[string][]taint.Taint{}, times: map[string]time.Time{}}
	w.rules.Comparisons = rapid.Bool().Draw(t, "comparisons")
	lists := rapid.SliceOfN(rapid.Custom(drawTaints), 1, 4).Draw(t, "lists")
	for i := range rapid.IntRange(0, 12).Draw(t, "nodes") {
		name := fmt.Sprint("node-", i)
		w.names = append(w.names, name)
		w.nodes[name] = rapid.SampledFrom(lists).Draw(t, "taints")
		for _, x := range w.nodes[name] {
			if rapid.Bool().Draw(t, "time") {
				w.times[timeKey(name, x)] = epoch.Add(time.Duration(rapid.IntRange(-200, 100).Draw(t, "since")) * time.Second)
			}
		}
	}
	podLists := rapid.SliceOfN(rapid.Custom(drawTolerations), 1, 4).Draw(t, "pod lists")
	on := append([]string{"", "nowhere"}, w.names...)
	for i := range rapid.IntRange(0, 20).Draw(t, "pods") {
		w.pods = append(w.pods, whatif.Pod{
			Name: fmt.Sprint("pod-", i), Node: rapid.SampledFrom(on).Draw(t, "on"),
			Owner: drawOwner.Draw(t, "owner"), Tolerations: rapid.SampledFrom(podLists).Draw(t, "tolerations"),
		})
	}
	return w
}

func drawPlan(t *rapid.T, w *world) (plan whatif.Plan) {
	for range rapid.IntRange(0, 5).Draw(t, "steps") {
		s := whatif.Step{Verb: whatif.Verb(rapid.IntRange(0, 3).Draw(t, "verb")), Nodes: drawNodes(t, w)}
		switch s.Verb {
		case whatif.ChangeTaints:
			s.Overwrite = rapid.IntRange(0, 4).Draw(t, "overwrite") > 0
			s.Taints = drawChange(t)
		case whatif.SetTolerations:
			s.Owner = drawOwner.Draw(t, "owner")
			if s.Owner == "" || !slices.ContainsFunc(w.pods, func(p whatif.Pod) bool { return p.Owner == s.Owner }) {
				continue
			}
			if rapid.Bool().Draw(t, "everywhere") {
				s.Nodes = whatif.Nodes{}
			}
			s.Tolerations = drawTolerations(t)
			if w.rules.Validate(s.Tolerations) != nil {
				s.Tolerations = nil
			}
		}
		plan.Steps = append(plan.Steps, s)
	}
	return plan
}

func drawChange(t *rapid.T) (c taint.Change) {
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		x := drawTaint(t)
		removed := slices.ContainsFunc(c.Remove, func(r taint.Taint) bool { return r.Key == x.Key && (r.Effect == "" || r.Effect == x.Effect) })
		if _, found := taint.Find(c.Add, &x); rapid.IntRange(0, 3).Draw(t, "remove") > 0 && !found && !removed {
			c.Add = append(c.Add, x)
			continue
		}
		r := taint.Taint{Key: x.Key, Effect: x.Effect}
		if rapid.Bool().Draw(t, "any effect") {
			r.Effect = ""
		}
		if !slices.ContainsFunc(c.Add, func(x taint.Taint) bool { return r.Key == x.Key && (r.Effect == "" || r.Effect == x.Effect) }) {
			c.Remove = append(c.Remove, r)
		}
	}
	if len(c.Add)+len(c.Remove) == 0 {
		c.Add = append(c.Add, drawTaint(t))
	}
	return c
}

func drawNodes(t *rapid.T, w *world) (n whatif.Nodes) {
	which := rapid.IntRange(1, 15).Draw(t, "selection")
	if which&1 != 0 && len(w.names) > 0 {
		n.Names = rapid.SliceOfN(rapid.SampledFrom(w.names), 0, 6).Draw(t, "names")
	}
	if which&2 != 0 {
		x := drawTaint(t)
		n.Tainted = []toleration.Toleration{{Key: x.Key, Operator: toleration.OpExists, Effect: x.Effect}}
	}
	if which&4 != 0 {
		last := rapid.IntRange(0, 9).Draw(t, "last")
		n.Where = func(name string, taints []taint.Taint) bool { return len(taints)+int(name[len(name)-1]-'0') <= last }
	}
	n.All = n.Names == nil && n.Tainted == nil && n.Where == nil || which&8 != 0
	return n
}

// Lists with a key and effect twice, which no valid node has, have the same hard taints in
// any order, but what a command leaves of them depends on it.
func TestRepeatedTaints(t *testing.T) {
	a, b := taint.MustParse("k=a:NoSchedule"), taint.MustParse("k=b:NoSchedule")
	w := &world{names: []string{"ab", "ba", "aab"}, nodes: map[string][]taint.Taint{"ab": {a, b}, "ba": {b, a}, "aab": {a, a, b}}}
	for _, x := range []taint.Taint{a, b} {
		list := []toleration.Toleration{toleration.For(&x), {Key: "x", Operator: toleration.OpExists}}
		w.pods = append(w.pods, whatif.Pod{Name: x.String(), Node: "ab", Tolerations: list})
	}
	plan, _ := whatif.Parse("taint nodes --all x:NoSchedule")
	fleet, pods := w.build()
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	answerOf(r).compare(t, w.apply(plan).answer(w, 0, epoch))
}

// The time of a taint that evicts is that of the node, or there is none: nodes that get the
// same taint at different times share what is decided.
func TestEvictionsHaveNoTimeOfAnotherNode(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	var plan whatif.Plan
	for i, name := range []string{"a", "b"} {
		ix.Set(name, nil)
		pods.Set(whatif.Pod{Name: name, Node: name})
		out := taint.Taint{Key: "out", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: epoch.Add(time.Duration(i) * time.Hour)}}
		plan.Steps = append(plan.Steps, whatif.Step{Nodes: whatif.Nodes{Names: []string{name}}, Taints: taint.Change{Add: []taint.Taint{out}}})
	}
	for _, policy := range []match.EvictionPolicy{match.FirstMatch, match.SinceAdded, 99} { // the last one is none, and acts as the first
		r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{Policy: policy, Now: epoch})
		if err != nil {
			t.Fatal(err)
		}
		after := make(map[string]taint.Taint)
		for name, taints := range r.Nodes() {
			after[name] = taints[0]
		}
		n := 0
		for e := range r.Evictions() {
			n++
			want := after[e.Node]
			if policy != match.SinceAdded {
				want.TimeAdded = nil
			}
			if !e.Taint.Equal(&want) {
				t.Errorf("policy %v: %s leaves %s for a taint since %v, want %v", policy, e.Pod, e.Node, e.Taint.TimeAdded, want.TimeAdded)
			}
		}
		if n != 2 {
			t.Errorf("policy %v: %d evictions, want 2", policy, n)
		}
	}
}

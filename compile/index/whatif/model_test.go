package whatif_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// world is a cluster as plain lists, and what the tests compare an evaluation with: the
// plan is applied to a copy, step by step and node by node, and package match is asked
// about everything.
type world struct {
	rules toleration.Rules
	names []string // of the nodes, in the order in which they came
	nodes map[string][]taint.Taint
	times map[string]time.Time // by node and taint
	pods  []whatif.Pod
}

func (w *world) build() (*index.Snapshot, *whatif.Pods) {
	ix := index.New(w.rules)
	for _, name := range w.names {
		ix.Set(name, w.nodes[name])
	}
	pods := whatif.NewPods(w.rules)
	for _, p := range w.pods {
		pods.Set(p)
	}
	return ix.Snapshot(), pods
}

func (w *world) options(policy match.EvictionPolicy, now time.Time) whatif.Options {
	times := w.times
	return whatif.Options{Policy: policy, Now: now, Added: func(node string, t taint.Taint) time.Time {
		return times[timeKey(node, t)]
	}}
}

func timeKey(node string, t taint.Taint) string { return fmt.Sprintf("%s %q", node, t.String()) }

// timed returns the taints of a node with their times.
func (w *world) timed(name string) []taint.Taint {
	taints := slices.Clone(w.nodes[name])
	for i, t := range taints {
		if since := w.times[timeKey(name, t)]; !since.IsZero() && t.Effect == taint.NoExecute {
			taints[i].TimeAdded = &taint.Time{Time: since}
		}
	}
	return taints
}

// selects reports whether a selection has a node.
func (w *world) selects(n *whatif.Nodes, name string) bool {
	if !n.All && n.Names == nil && n.Tainted == nil && n.Where == nil {
		return false
	}
	tainted := slices.ContainsFunc(w.nodes[name], func(t taint.Taint) bool { return match.Tolerates(n.Tainted, &t, toleration.Rules{Comparisons: true}) })
	return (n.Names == nil || slices.Contains(n.Names, name)) &&
		(n.Tainted == nil || tainted) && (n.Where == nil || n.Where(name, w.nodes[name]))
}

// applied is a world with a plan applied to it.
type applied struct {
	world
	lists   map[string][]toleration.Toleration // by pod, of those that get another than they have
	touched map[string]bool                    // nodes that change
}

// apply applies a plan. It returns nil if a step cannot be applied to some node.
func (w *world) apply(plan whatif.Plan) *applied {
	a := &applied{world: *w, lists: map[string][]toleration.Toleration{}, touched: map[string]bool{}}
	a.nodes = maps.Clone(w.nodes)
	for _, name := range w.names {
		a.nodes[name] = w.timed(name)
	}
	for i := range plan.Steps {
		s := &plan.Steps[i]
		for _, name := range w.names {
			if s.Verb != whatif.SetTolerations && w.selects(&s.Nodes, name) && !a.step(s, name) {
				return nil
			}
		}
		for _, p := range w.pods {
			_, known := w.nodes[p.Node]
			everywhere := !s.Nodes.All && s.Nodes.Names == nil && s.Nodes.Tainted == nil && s.Nodes.Where == nil
			if s.Verb == whatif.SetTolerations && p.Owner == s.Owner && (everywhere || known && p.Node != "" && w.selects(&s.Nodes, p.Node)) {
				a.lists[p.Name] = s.Tolerations
			}
		}
	}
	for _, p := range w.pods {
		list, set := a.lists[p.Name]
		if _, known := w.nodes[p.Node]; set && text(list) == text(p.Tolerations) { // nothing happens to the pod
			delete(a.lists, p.Name)
		} else if set && known && p.Node != "" {
			a.touched[p.Node] = true
		}
	}
	for _, name := range w.names {
		if !taint.Equal(w.timed(name), a.nodes[name]) {
			a.touched[name] = true
		}
	}
	return a
}

// step applies a step to a node.
func (a *applied) step(s *whatif.Step, name string) bool {
	var err error
	switch s.Verb {
	case whatif.ChangeTaints:
		a.nodes[name], err = s.Taints.Apply(nil, a.nodes[name], s.Overwrite)
	case whatif.Cordon:
		a.nodes[name] = taint.WithCordon(nil, a.nodes[name], true)
	case whatif.Uncordon:
		a.nodes[name], _ = taint.Remove(nil, a.nodes[name], taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule})
	}
	return err == nil
}

// list returns what a pod tolerates after the plan.
func (a *applied) list(p *whatif.Pod) []toleration.Toleration {
	if list, ok := a.lists[p.Name]; ok {
		return list
	}
	return p.Tolerations
}

// answer is all that a result says, in a form to compare.
type answer struct {
	summary       whatif.Summary
	nodes         []string
	evictions     []string
	classes       []string
	unschedulable []string
}

func (a *applied) answer(w *world, policy match.EvictionPolicy, now time.Time) (x answer) {
	evicted := map[string]bool{}
	for _, name := range w.names {
		if !a.touched[name] {
			continue
		}
		x.summary.Nodes++
		x.nodes = append(x.nodes, name+" "+taint.FormatList(a.nodes[name]))
		for i := range w.pods {
			p := &w.pods[i]
			if p.Node != name || name == "" {
				continue
			}
			before := policy.Decide(w.timed(name), p.Tolerations, now, w.rules)
			after := policy.Decide(a.nodes[name], a.list(p), now, w.rules)
			switch {
			case after.Eviction == match.Stay && before.Eviction == match.Stay:
				x.summary.Stay++
			case after.Eviction == match.Stay:
				x.summary.Spared++
			case before.Eviction != match.Stay && before.After <= after.After:
				x.summary.EvictedAnyway++
			default:
				if after.After == 0 {
					x.summary.EvictedNow++
				} else {
					x.summary.EvictedLater++
				}
				evicted[p.Name] = true
				t := a.nodes[name][after.EvictionTaint]
				t.TimeAdded = nil
				x.evictions = append(x.evictions, fmt.Sprint(p.Name, name, p.Owner, after.After, t))
			}
		}
	}
	slices.Sort(x.evictions)
	a.addClasses(&x, w, evicted)
	return x
}

// addClasses adds what the plan means to pods that have the same list before and after.
func (a *applied) addClasses(x *answer, w *world, evicted map[string]bool) {
	type class struct{ owner, before, after string }
	pods := map[class][]*whatif.Pod{}
	for i := range w.pods {
		p := &w.pods[i]
		c := class{before: text(p.Tolerations), after: text(a.list(p))}
		if _, ok := a.lists[p.Name]; ok {
			c.owner = p.Owner
		}
		pods[c] = append(pods[c], p)
	}
	for c, members := range pods {
		gained, lost, left, out := 0, 0, 0, 0
		old, updated := members[0].Tolerations, a.list(members[0])
		for _, name := range w.names {
			_, was := match.FirstUntolerated(w.nodes[name], old, taint.Hard, w.rules)
			_, is := match.FirstUntolerated(a.nodes[name], updated, taint.Hard, w.rules)
			if was && !is {
				gained++
			}
			if !was && is {
				lost++
			}
			if !is {
				left++
			}
		}
		for _, p := range members {
			if evicted[p.Name] {
				out++
			}
		}
		if c.owner == "" && gained+lost+out == 0 {
			continue
		}
		line := fmt.Sprint(c, len(members), gained, lost, out)
		x.classes = append(x.classes, line)
		if left == 0 && (lost+out > 0 || c.owner != "") {
			x.unschedulable = append(x.unschedulable, line)
		}
	}
	slices.Sort(x.classes)
	slices.Sort(x.unschedulable)
}

func text(tolerations []toleration.Toleration) string { return toleration.FormatList(tolerations) }

func change(c whatif.ClassChange) string {
	type class struct{ owner, before, after string }
	return fmt.Sprint(class{c.Owner, text(c.Before), text(c.After)}, c.Pods, c.Gained, c.Lost, c.Evicted)
}

func answerOf(r *whatif.Result) (x answer) {
	x.summary = r.Summary()
	for name, taints := range r.Nodes() {
		x.nodes = append(x.nodes, name+" "+taint.FormatList(taints))
	}
	for e := range r.Evictions() {
		e.Taint.TimeAdded = nil
		x.evictions = append(x.evictions, fmt.Sprint(e.Pod, e.Node, e.Owner, e.After, e.Taint))
	}
	for c := range r.Classes() {
		x.classes = append(x.classes, change(c))
	}
	for _, c := range r.Unschedulable() {
		x.unschedulable = append(x.unschedulable, change(c))
	}
	slices.Sort(x.evictions)
	slices.Sort(x.classes)
	slices.Sort(x.unschedulable)
	return x
}

// reporter is *testing.T and *rapid.T.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

func (x answer) compare(t reporter, want answer) {
	t.Helper()
	if x.summary != want.summary {
		t.Errorf("summary %+v, want %+v", x.summary, want.summary)
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{{"nodes", x.nodes, want.nodes}, {"evictions", x.evictions, want.evictions}, {"classes", x.classes, want.classes}, {"unschedulable", x.unschedulable, want.unschedulable}} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s:\n  %s\nwant\n  %s", c.what, strings.Join(c.got, "\n  "), strings.Join(c.want, "\n  "))
		}
	}
}

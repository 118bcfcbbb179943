package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// report is the answer.
type report struct {
	nodes  int // that were looked at
	groups []podGroup
}

// podGroup is pods with the same tolerations.
type podGroup struct {
	names       []string
	tolerations []toleration.Toleration // see command.Tolerations
	admitted    int                     // nodes whose taints let the pods in
	reached     int                     // nodes on which the goal is reached
	refusals    []refusal               // most nodes first
	more        int                     // refusals that are left out
	accepted    []acceptance            // if one node was asked for
}

// acceptance is nodes with the same taints, on which the goal is reached.
type acceptance struct {
	nodes       []string
	explanation explain.Explanation
}

// refusal is nodes with the same taints, on which the goal is not reached.
type refusal struct {
	nodes       []string
	explanation explain.Explanation
	// The least to add, the smallest change, and the smallest that takes nothing away.
	add, correct, edit explain.Repair
}

// nodeGroup is nodes with the same taints in the same order.
type nodeGroup struct {
	names  []string
	taints []taint.Taint
}

func (p *program) newReport(c *manifest.Cluster, o *options) (*report, error) {
	nodes, n, err := groupNodes(c, o.node)
	if err != nil {
		return nil, err
	}
	pods, err := choosePods(c, o.pods)
	if err != nil {
		return nil, err
	}
	r := &report{nodes: n, groups: groupPods(pods)}
	bar := progress.Start(p.Stderr, "explaining", int64(len(r.groups)))
	defer bar.Stop()
	for i := range r.groups {
		r.groups[i].explain(nodes, o)
		bar.Add(1)
	}
	return r, nil
}

// groupNodes returns the nodes, or the one that is named, by their taints.
func groupNodes(c *manifest.Cluster, name string) (groups []nodeGroup, n int, err error) {
	byTaints := make(map[string]int)
	var names []string
	for i := range c.Nodes {
		node := &c.Nodes[i]
		names = append(names, node.Name)
		if name != "" && node.Name != name {
			continue
		}
		taints := node.Taints()
		key := taint.FormatList(taints) // without the times, which nothing here depends on
		at, found := byTaints[key]
		if !found {
			at = len(groups)
			byTaints[key] = at
			groups = append(groups, nodeGroup{taints: taints})
		}
		groups[at].names = append(groups[at].names, node.Name)
		n++
	}
	if n == 0 {
		return nil, 0, fmt.Errorf("no node %q in the input; there are %s", name, command.Some(names))
	}
	return groups, n, nil
}

// choosePods returns the pods with the names, or else the pending ones.
func choosePods(c *manifest.Cluster, names []string) ([]*manifest.Pod, error) {
	var pods []*manifest.Pod
	if len(names) == 0 {
		return slices.AppendSeq(pods, c.Pending()), nil
	}
	for _, name := range names {
		found := false
		for i := range c.Pods {
			if p := &c.Pods[i]; named(p, name) {
				found = true
				pods = append(pods, p)
			}
		}
		if !found {
			var all []string
			for i := range c.Pods {
				all = append(all, c.Pods[i].ID())
			}
			return nil, fmt.Errorf("no pod %q in the input; there are %s", name, command.Some(all))
		}
	}
	return pods, nil
}

// named reports whether p or the workload that it comes from has the name, with or without
// namespace and kind.
func named(p *manifest.Pod, name string) bool {
	for _, id := range [...]string{p.ID(), command.Owner(p)} {
		_, withNamespace, _ := strings.Cut(id, " ")
		if name == id || name == withNamespace || name == strings.TrimPrefix(withNamespace, p.Namespace+"/") {
			return true
		}
	}
	return false
}

func groupPods(pods []*manifest.Pod) []podGroup {
	var groups []podGroup
	byList := make(map[string]int)
	type named struct { // -pod may choose a pod twice
		group int
		id    string
	}
	known := make(map[named]bool)
	for _, p := range pods {
		list := command.Tolerations(p)
		key := toleration.FormatList(list)
		at, found := byList[key]
		if !found {
			at = len(groups)
			byList[key] = at
			groups = append(groups, podGroup{tolerations: list})
		}
		if n := (named{at, p.ID()}); !known[n] {
			known[n] = true
			groups[at].names = append(groups[at].names, n.id)
		}
	}
	return groups
}

// explain decides about each list of taints, and explains those that will be shown: that of
// the node that was asked for, or those that refuse the pods.
func (g *podGroup) explain(nodes []nodeGroup, o *options) {
	active := o.rules.Active(nil, g.tolerations)
	var refusing []nodeGroup
	for _, node := range nodes {
		v := match.Decide(node.taints, active)
		if v.Scheduling != match.Unschedulable {
			g.admitted += len(node.names)
		}
		if reaches(v, o.goal) {
			g.reached += len(node.names)
			if o.node != "" { // and else there may be very many
				q := query(node.taints, g.tolerations, o)
				g.accepted = append(g.accepted, acceptance{node.names, q.Explain()})
			}
		} else {
			refusing = append(refusing, node)
		}
	}
	slices.SortStableFunc(refusing, func(a, b nodeGroup) int { return cmp.Compare(len(b.names), len(a.names)) })
	if o.lists > 0 && len(refusing) > o.lists {
		g.more = len(refusing) - o.lists
		refusing = refusing[:o.lists]
	}
	for _, node := range refusing {
		q := query(node.taints, g.tolerations, o)
		g.refusals = append(g.refusals, refusal{node.names, q.Explain(), q.Add(o.goal), q.Correct(o.goal), q.Edit(o.goal)})
	}
}

func query(taints []taint.Taint, tolerations []toleration.Toleration, o *options) explain.Query {
	return explain.Query{Rules: o.rules, Taints: taints, Tolerations: tolerations, HideValues: o.hideValues}
}

func reaches(v match.Verdict, goal explain.Goal) bool {
	schedules, stays := v.Scheduling != match.Unschedulable, v.Eviction == match.Stay
	switch goal {
	case explain.ToStay:
		return stays
	case explain.ToScheduleAndStay:
		return schedules && stays
	}
	return schedules
}

// passing returns the untolerated taints that Kubernetes itself puts on nodes and
// takes off again, with what it takes them for.
func (r *refusal) passing() (taints []taint.Taint, classes []dialect.Class) {
	p := dialect.Kubernetes()
	for i := range r.explanation.Reasons {
		reason := &r.explanation.Reasons[i]
		if class := p.Class(&reason.Taint); !reason.Tolerated && class != dialect.Permanent {
			taints, classes = append(taints, reason.Taint), append(classes, class)
		}
	}
	return taints, classes
}

package plan

import (
	"fmt"
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Waiter is a pod, or Count pods that are alike, as far as it matters to who has a node.
type Waiter struct {
	Name, Owner string
	Tolerations []toleration.Toleration
	Required    affinity.Required
	Count       int64
}

// Group is the pods that the same nodes accept: they have the same tolerations, before and
// after the plan, and the same node selector, required node affinity and volumes.
type Group struct {
	Owners        []string
	Pods          int64
	Before, After []toleration.Toleration
	Required      affinity.Required
	Gained, Lost  int // nodes that accept them after the plan and not before, and the other way round
	Evicted       int // of the pods

	leaves bool // the plan evicts pods of its owners
	had    int  // nodes that accept them before the plan
}

// changes reports whether the plan means anything to the group.
func (g *Group) changes() bool {
	return g.Gained+g.Lost+g.Evicted > 0 || toleration.FormatList(g.Before) != toleration.FormatList(g.After)
}

// stranded reports whether no node accepts the pods after the plan, though one did before, or
// the plan evicts them.
func (g *Group) stranded() bool { return g.had+g.Gained-g.Lost == 0 && (g.leaves || g.had > 0) }

// Stranded returns the pods that have no node left, by taints and by what they require of nodes.
func Stranded(nodes []manifest.Node, pods iter.Seq[Waiter], result *whatif.Result, admitted whatif.Plan, rules toleration.Rules) []Group {
	return slices.DeleteFunc(groupsOf(nodes, pods, result, admitted, rules), func(g Group) bool { return !g.stranded() })
}

// groupsOf returns the pods in groups, in their order.
func groupsOf(nodes []manifest.Node, pods iter.Seq[Waiter], result *whatif.Result, admitted whatif.Plan, rules toleration.Rules) []Group {
	groups := gather(pods, result, admitted)
	asking := make([]affinity.Required, len(groups))
	for i := range groups {
		asking[i] = groups[i].Required
	}
	kinds := kindsOf(nodes, result, asking)
	for i := range groups {
		g := &groups[i]
		for _, k := range kinds {
			if !g.Required.Matches(k.example.Name, k.example.Labels) {
				continue
			}
			before := match.Decide(k.before, g.Before, rules).Scheduling != match.Unschedulable
			after := match.Decide(k.after, g.After, rules).Scheduling != match.Unschedulable
			if before {
				g.had += k.count
			}
			if before && !after {
				g.Lost += k.count
			} else if after && !before {
				g.Gained += k.count
			}
		}
	}
	return groups
}

// kind is nodes that are alike: they have the same taints, before the plan and after it, and the
// same labels, as far as pods ask for them.
type kind struct {
	before, after []taint.Taint
	example       *manifest.Node
	count         int
}

func kindsOf(nodes []manifest.Node, result *whatif.Result, asking []affinity.Required) (kinds []*kind) {
	changed := make(map[string][]taint.Taint)
	for name, taints := range result.Nodes() {
		changed[name] = taints
	}
	fleet, err := placement.New(nodes, "", asking)
	if err != nil {
		return nil // there are no nodes
	}
	for _, g := range fleet.Groups {
		for _, alike := range g.Kinds {
			at := make(map[string]*kind) // by the taints after the plan
			for _, i := range alike {
				after, found := changed[nodes[i].Name]
				if !found {
					after = g.Taints
				}
				key := taint.FormatList(after)
				if at[key] == nil {
					at[key] = &kind{before: g.Taints, after: after, example: &nodes[i]}
					kinds = append(kinds, at[key])
				}
				at[key].count++
			}
		}
	}
	return kinds
}

// gather returns the pods in groups, whatever nodes accept. A list that a step gives pods on some
// nodes only is none of their owner's: whatever comes after them has the old one.
func gather(pods iter.Seq[Waiter], result *whatif.Result, admitted whatif.Plan) (groups []Group) {
	evicted := make(map[string]bool) // pods and owners
	for e := range result.Evictions() {
		evicted[e.Pod], evicted[e.Owner] = true, true
	}
	lists := make(map[string][]toleration.Toleration) // by owner, of those that get another one on all nodes
	for i := range admitted.Steps {
		if s := &admitted.Steps[i]; setsTolerations(s) && !onSomeNodes(s) {
			lists[s.Owner] = s.Tolerations
		}
	}
	at := make(map[string]int)
	for p := range pods {
		then, changed := lists[p.Owner]
		if !changed {
			then = p.Tolerations
		}
		key := toleration.FormatList(p.Tolerations) + "\n" + toleration.FormatList(then)
		if !p.Required.IsZero() {
			key += fmt.Sprintf("\n%#v", p.Required)
		}
		j, found := at[key]
		if !found {
			j = len(groups)
			at[key] = j
			groups = append(groups, Group{Before: p.Tolerations, After: then, Required: p.Required})
		}
		g := &groups[j]
		g.Pods += p.Count
		g.leaves = g.leaves || evicted[p.Owner]
		if evicted[p.Name] {
			g.Evicted++
		}
		if len(g.Owners) == 0 || g.Owners[len(g.Owners)-1] != p.Owner {
			g.Owners = append(g.Owners, p.Owner)
		}
	}
	for i := range groups {
		slices.Sort(groups[i].Owners)
		groups[i].Owners = slices.Compact(groups[i].Owners)
	}
	return groups
}

// waiters iterates over the pods of the input.
func (c *cluster) waiters(yield func(Waiter) bool) {
	for i := range c.read.Pods {
		p := &c.read.Pods[i]
		required, _ := command.Affinity(p)
		if !yield(Waiter{p.ID(), command.Owner(p), command.Tolerations(p), required, p.Count}) {
			return
		}
	}
}

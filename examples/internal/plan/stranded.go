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
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Waiter is a pod, or Count pods that are alike, as far as it matters to who has a node.
type Waiter struct {
	Owner       string
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
	evicted       bool // the plan evicts some
}

// Stranded returns the pods that no node accepts after the plan, though one did before, or the
// plan evicts them: by taints, and by what they require of the labels of nodes.
func Stranded(nodes []manifest.Node, pods iter.Seq[Waiter], result *whatif.Result, admitted whatif.Plan, rules toleration.Rules) (left []Group) {
	groups := groupsOf(pods, result, admitted)
	asking := make([]affinity.Required, len(groups))
	for i := range groups {
		asking[i] = groups[i].Required
	}
	after := slices.Clone(nodes)
	at := make(map[string]int, len(after))
	for i := range after {
		at[after[i].Name] = i
	}
	for name, taints := range result.Nodes() {
		n := &after[at[name]]
		n.SpecTaints, n.Unschedulable = taints, false // taints have the cordon
	}
	before, _ := placement.New(nodes, "", asking) // there are nodes, or nobody to ask
	then, _ := placement.New(after, "", asking)
	for _, g := range groups {
		if before != nil && !accepts(then, &g.Required, g.After, rules) && (g.evicted || accepts(before, &g.Required, g.Before, rules)) {
			left = append(left, g)
		}
	}
	return left
}

// groupsOf returns the pods in groups, in their order.
func groupsOf(pods iter.Seq[Waiter], result *whatif.Result, admitted whatif.Plan) (groups []Group) {
	evicted := make(map[string]bool) // owners
	for e := range result.Evictions() {
		evicted[e.Owner] = true
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
		g.evicted = g.evicted || evicted[p.Owner]
		if len(g.Owners) == 0 || g.Owners[len(g.Owners)-1] != p.Owner {
			g.Owners = append(g.Owners, p.Owner)
		}
	}
	for i := range groups {
		groups[i].Owners = unique(groups[i].Owners)
	}
	return groups
}

// waiters iterates over the pods of the input.
func (c *cluster) waiters(yield func(Waiter) bool) {
	for i := range c.read.Pods {
		p := &c.read.Pods[i]
		required, _ := command.Affinity(p)
		if !yield(Waiter{command.Owner(p), command.Tolerations(p), required, p.Count}) {
			return
		}
	}
}

// unique returns the names in their order, each once.
func unique(names []string) (list []string) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// accepts reports whether some node accepts pods that have the tolerations and require that.
func accepts(f *placement.Fleet, required *affinity.Required, tolerations []toleration.Toleration, rules toleration.Rules) bool {
	return slices.ContainsFunc(f.Groups, func(g placement.Group) bool {
		return match.Decide(g.Taints, tolerations, rules).Scheduling != match.Unschedulable && slices.ContainsFunc(g.Kinds, func(k placement.Kind) bool {
			n := &f.Nodes[k[0]]
			return required.Matches(n.Name, n.Labels)
		})
	})
}

package plan

import (
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration"
)

// group is the pods that the same nodes accept: they have the same tolerations, before and
// after the plan, and the same node selector, required node affinity and volumes.
type group struct {
	owners        []string
	pods          int64
	before, after []toleration.Toleration
	required      affinity.Required
	evicted       bool // the plan evicts some
}

// stranded returns the pods that no node accepts after the plan, though one did before, or the
// plan evicts them: by taints, and by what they require of the labels of nodes.
func (r *report) stranded(result *whatif.Result, admitted whatif.Plan, rules toleration.Rules) (left []group) {
	groups := r.groups(admitted)
	asking := make([]affinity.Required, len(groups))
	for i := range groups {
		asking[i] = groups[i].required
	}
	after := slices.Clone(r.cluster.read.Nodes)
	at := make(map[string]int, len(after))
	for i := range after {
		at[after[i].Name] = i
	}
	for name, taints := range result.Nodes() {
		n := &after[at[name]]
		n.SpecTaints, n.Unschedulable = taints, false // taints have the cordon
	}
	before, _ := placement.New(r.cluster.read.Nodes, "", asking) // there are nodes
	then, _ := placement.New(after, "", asking)
	for _, g := range groups {
		if !accepts(then, &g.required, g.after, rules) && (g.evicted || accepts(before, &g.required, g.before, rules)) {
			left = append(left, g)
		}
	}
	return left
}

// groups returns the pods in groups, in the order of the input.
func (r *report) groups(admitted whatif.Plan) (groups []group) {
	evicted := make(map[string]bool) // owners
	for i := range r.evictions {
		evicted[r.evictions[i].Owner] = true
	}
	lists := make(map[string][]toleration.Toleration) // by owner, of those that get another one on all nodes
	for i := range admitted.Steps {
		if s := &admitted.Steps[i]; setsTolerations(s) && !onSomeNodes(s) {
			lists[s.Owner] = s.Tolerations
		}
	}
	at := make(map[string]int)
	for i := range r.cluster.read.Pods {
		p := &r.cluster.read.Pods[i]
		owner, list := command.Owner(p), command.Tolerations(p)
		then, changed := lists[owner]
		if !changed {
			then = list
		}
		required, _ := command.Affinity(p)
		key := toleration.FormatList(list) + "\n" + toleration.FormatList(then)
		if !required.IsZero() {
			key += fmt.Sprintf("\n%#v", required)
		}
		j, found := at[key]
		if !found {
			j = len(groups)
			at[key] = j
			groups = append(groups, group{before: list, after: then, required: required})
		}
		g := &groups[j]
		g.pods += p.Count
		g.evicted = g.evicted || evicted[owner]
		if len(g.owners) == 0 || g.owners[len(g.owners)-1] != owner {
			g.owners = append(g.owners, owner)
		}
	}
	for i := range groups {
		groups[i].owners = unique(groups[i].owners)
	}
	return groups
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

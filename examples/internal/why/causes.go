package why

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Cause is why pods are pending.
type Cause struct {
	Owners   []string `json:"owners"`
	Pods     []string `json:"pods"`
	Nodes    int      `json:"nodes"`    // all that there are
	Excluded int      `json:"excluded"` // by node selectors and required node affinity
	Admitted int      `json:"admitted"` // of the others, by their taints
	Text     string   `json:"text"`
}

// Causes returns why the pods of a cluster are pending, for most pods first.
func Causes(c *manifest.Cluster, rules toleration.Rules) []Cause {
	pending, err := choosePods(c, "")
	if err != nil || len(pending) == 0 {
		return []Cause{}
	}
	groups := groupPods(pending)
	owners := make(map[string]string, len(pending))
	for _, p := range pending {
		owners[p.ID()] = command.Owner(p)
	}
	f, err := groupNodes(c.Nodes, "", groups)
	if err != nil {
		return nil
	}
	var causes []Cause
	at := make(map[string]int)
	for i := range groups {
		cause := groups[i].cause(f, rules)
		j, found := at[cause.Text]
		if !found {
			j = len(causes)
			at[cause.Text] = j
			causes = append(causes, cause)
		}
		to := &causes[j]
		for _, name := range groups[i].names {
			to.Pods = append(to.Pods, name)
			if owner := owners[name]; !slices.Contains(to.Owners, owner) {
				to.Owners = append(to.Owners, owner)
			}
		}
	}
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(len(b.Pods), len(a.Pods)) })
	return causes
}

// cause says why the pods of a group are pending, as far as taints and what they require of
// nodes go.
func (g *podGroup) cause(f *fleet, rules toleration.Rules) Cause {
	c := Cause{Nodes: f.count}
	var excluded exclusion
	refused := make(map[string]int) // nodes, by the taint
	for _, nodes := range f.groups {
		left := f.without(&excluded, nodes, &g.attraction, nil)
		if left.count == 0 {
			continue
		}
		if v := match.Decide(left.taints, g.tolerations, rules); v.Scheduling == match.Unschedulable {
			refused[left.taints[v.SchedulingTaint].String()] += left.count
		} else {
			c.Admitted += left.count
		}
	}
	c.Excluded = excluded.count
	most := ""
	for t, n := range refused {
		if n > refused[most] || n == refused[most] && (most == "" || t < most) {
			most = t
		}
	}
	others := ""
	if c.Excluded > 0 {
		others = " that its node selector or affinity admits"
	}
	switch {
	case c.Excluded == c.Nodes:
		c.Text = fmt.Sprintf("none of %s has what its node selector or required node affinity asks for", command.Plural(c.Nodes, "node"))
	case c.Admitted == 0:
		c.Text = fmt.Sprintf("taints keep it from %s%s, first of all %s", command.Plural(c.Nodes-c.Excluded, "node"), others, most)
	default:
		c.Text = fmt.Sprintf("taints do not explain this: %d of %s%s accept it", c.Admitted, command.Plural(c.Nodes-c.Excluded, "node"), others)
	}
	return c
}

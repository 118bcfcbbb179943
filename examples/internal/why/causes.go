package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
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
	Kind     string   `json:"kind"`     // nodeSelector, taints, or what else
	Text     string   `json:"text"`
}

// Causes returns why the pods of a cluster are pending, for most pods first.
func Causes(c *manifest.Cluster, rules toleration.Rules) []Cause {
	pending := slices.Collect(c.Pending())
	pending = slices.DeleteFunc(pending, func(p *manifest.Pod) bool { return p.Kind != "Pod" }) // nobody made pods of it yet
	if len(pending) == 0 {
		return []Cause{}
	}
	w := newWorld(c)
	groups := groupPods(pending)
	owners := make(map[string]string, len(pending))
	for _, p := range pending {
		owners[p.ID()] = command.Owner(p)
	}
	f, err := placement.New(c.Nodes, "", requiredOf(groups))
	if err != nil {
		return []Cause{}
	}
	var causes []Cause
	at := make(map[string]int)
	type ofCause struct {
		cause int
		owner string
	}
	seen := make(map[ofCause]bool)
	o := &options{Options: &command.Options{Rules: rules, Limit: 1}}
	for i := range groups {
		groups[i].explain(f, w, o)
		cause := groups[i].cause(f)
		j, found := at[cause.Text]
		if !found {
			j = len(causes)
			at[cause.Text] = j
			causes = append(causes, cause)
		}
		to := &causes[j]
		to.Pods = append(to.Pods, groups[i].names...)
		for _, name := range groups[i].names {
			if owner := owners[name]; !seen[ofCause{j, owner}] {
				seen[ofCause{j, owner}] = true
				to.Owners = append(to.Owners, owner)
			}
		}
	}
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(len(b.Pods), len(a.Pods)) })
	return causes
}

// cause says why the pods of a group, which is explained, are pending.
func (g *podGroup) cause(f *placement.Fleet) Cause {
	c := Cause{Nodes: f.Count, Excluded: g.excluded.Count, Admitted: g.admitted, Kind: byOther}
	others := command.Plural(c.Nodes-c.Excluded, "node")
	if c.Excluded > 0 {
		others += " that its node selector or affinity admits"
	}
	switch {
	case g.waits != nil:
		c.Kind = g.waits.Kind
	case c.Excluded == c.Nodes:
		c.Kind = bySelector
	case c.Admitted == 0:
		c.Kind = byTaints
	}
	switch c.Text = fmt.Sprintf("taints do not explain this: %d of %s %s it", c.Admitted, others, plural(c.Admitted, "accepts", "accept")); {
	case c.Kind == bySelector:
		c.Text = "none of " + command.Plural(c.Nodes, "node") + " has what its node selector, required node affinity or volumes ask for"
	case c.Kind == byTaints:
		e := &g.refusals[0].explanation // of most nodes
		if n := g.waits; n != nil && n.Refused > 0 && c.Admitted > 0 {
			others = "the only " + command.Plural(n.Refused, "node") + " with room for it"
		}
		c.Text = fmt.Sprintf("taints keep it from %s, first of all %s", others, e.Reasons[e.Verdict.SchedulingTaint].Taint)
	case c.Kind != byOther:
		c.Text = lower(g.waits.cause)
	case g.waits != nil && g.waits.Scheduler != "":
		c.Text += "; the scheduler says: " + g.waits.Scheduler
	}
	return c
}

// lower returns a sentence as a part of another one.
func lower(sentence string) string {
	return strings.ToLower(sentence[:1]) + strings.TrimSuffix(sentence[1:], ".")
}

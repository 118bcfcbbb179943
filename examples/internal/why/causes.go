package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
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
		return nil
	}
	var causes []Cause
	at := make(map[string]int)
	for i := range groups {
		cause := groups[i].cause(f, w, rules)
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
func (g *podGroup) cause(f *placement.Fleet, w *world, rules toleration.Rules) Cause {
	c := Cause{Nodes: f.Count}
	var excluded placement.Exclusion
	refused := make(map[string]int) // nodes, by the taint
	var accepting []placement.Group
	for _, nodes := range f.Groups {
		left := f.Without(&excluded, nodes, &g.attraction, nil)
		if left.Count == 0 {
			continue
		}
		if v := match.Decide(left.Taints, g.tolerations, rules); v.Scheduling == match.Unschedulable {
			refused[left.Taints[v.SchedulingTaint].String()] += left.Count
		} else {
			c.Admitted += left.Count
			accepting = append(accepting, left)
		}
	}
	c.Excluded = excluded.Count
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
	others = command.Plural(c.Nodes-c.Excluded, "node") + others
	if g.pending != nil {
		waits := w.waitsFor(g.pending, f, c.Excluded, accepting)
		if c.Kind = waits.Kind; c.Kind != bySelector && c.Kind != byTaints {
			c.Text = fmt.Sprintf("taints do not explain this: %d of %s %s it", c.Admitted, others, plural(c.Admitted, "accepts", "accept"))
			switch {
			case c.Kind != byOther:
				c.Text = lower(waits.cause)
			case waits.Scheduler != "":
				c.Text += "; the scheduler says: " + waits.Scheduler
			}
			return c
		}
	}
	switch {
	case c.Excluded == c.Nodes:
		c.Kind, c.Text = bySelector, "none of "+command.Plural(c.Nodes, "node")+" has what its node selector, required node affinity or volumes ask for"
	case c.Admitted == 0:
		c.Kind, c.Text = byTaints, fmt.Sprintf("taints keep it from %s, first of all %s", others, most)
	default:
		c.Kind, c.Text = byOther, fmt.Sprintf("taints do not explain this: %d of %s %s it", c.Admitted, others, plural(c.Admitted, "accepts", "accept"))
	}
	return c
}

// lower returns a sentence as a part of another one.
func lower(sentence string) string {
	return strings.ToLower(sentence[:1]) + strings.TrimSuffix(sentence[1:], ".")
}

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
	pending := slices.DeleteFunc(slices.Collect(c.Pending()), func(p *manifest.Pod) bool { return !waits(p) })
	r := &report{Pods: groupPods(pending)}
	var err error
	if r.fleet, err = placement.New(c.Nodes, "", requiredOf(r.Pods)); err != nil {
		return []Cause{}
	}
	r.explain(newWorld(c), &options{Options: &command.Options{Rules: rules, Limit: mostTaints}}, func(int64) {})
	causes := []Cause{}
	var spans []span
	at, seen := make(map[string]int), make(map[string]bool)
	for i := range r.Pods {
		g := &r.Pods[i]
		cause := g.cause(r.fleet)
		j, found := at[cause.Text]
		if !found {
			j = len(causes)
			at[cause.Text] = j
			causes, spans = append(causes, cause), append(spans, g.Waits.span)
		}
		to := &causes[j]
		spans[j].join(&g.Waits.span)
		to.Pods = append(to.Pods, g.Names...)
		if g.owner == "" {
			to.Owners = append(to.Owners, g.Names...)
		} else if key := g.owner + "\n" + cause.Text; !seen[key] {
			seen[key] = true
			to.Owners = append(to.Owners, g.owner)
		}
	}
	for i := range causes {
		causes[i].Text = spans[i].filled(causes[i].Text)
	}
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(len(b.Pods), len(a.Pods)) })
	return causes
}

// mostTaints is how many kinds of nodes with taints in the way a cause names.
const mostTaints = 2

// cause says why the pods of a group, which is explained, are pending.
func (g *podGroup) cause(f *placement.Fleet) Cause {
	n, why := f.Count-g.Excluded, g.Waits
	c := Cause{Nodes: f.Count, Excluded: g.Excluded, Admitted: g.Admitted, Kind: why.Kind}
	var causes []string
	for _, text := range why.causes {
		text, _ = strings.CutSuffix(strings.TrimSuffix(text, "."), ". No toleration helps")
		causes = append(causes, strings.ToLower(text[:1])+text[1:])
	}
	of, all, one := command.Plural(n, "node"), "all ", "the only node"
	if g.Excluded > 0 {
		of, all, one = of+" that it may use", "the ", one+" that it may use"
	}
	if n > 1 {
		one = all + of
	}
	switch {
	case g.Admitted == 0 && why.taints:
		causes = append(causes, g.kept(one))
	case causes == nil:
		if n > 1 {
			one = fmt.Sprintf("%d of %s", g.Admitted, of)
		}
		causes = append(causes, "taints do not explain this: "+one+" "+plural(g.Admitted, "accepts", "accept")+" it")
		if why.Scheduler != "" {
			causes = append(causes, "the scheduler says: "+why.Scheduler)
		}
	}
	c.Text = strings.Join(causes, "; ")
	return c
}

// kept says which taints keep pods from nodes, of most nodes first, and what to do about those
// that come and go.
func (g *podGroup) kept(nodes string) string {
	var taints []string
	refusals := slices.DeleteFunc(slices.Clone(g.Refusals), func(r refusal) bool { return r.Pool != "" })
	for i := range refusals {
		e, on := &refusals[i].Explanation, refusals[i].Nodes
		x := &e.Reasons[e.Verdict.SchedulingTaint].Taint
		text := x.String()
		if len(refusals)+g.More > 1 {
			text += fmt.Sprintf(" (%d)", len(on))
		}
		taints = append(taints, strings.TrimSpace(text+" "+command.Passing(x, on)))
	}
	if g.More > 0 {
		taints = append(taints, fmt.Sprintf("%d more", g.More))
	}
	return "taints keep it from " + nodes + ": " + strings.Join(taints, ", ")
}

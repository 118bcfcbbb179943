package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// kind is nodes with the same taints that stay, such as those of a pool.
type kind struct {
	name   string
	taints []taint.Taint
	labels affinity.Template
}

// kinds returns the kinds of nodes and pools that have taints. A chart alone has no nodes; then
// each taint that a component tolerates makes a kind.
func kinds(f *lint.Fleet) (all []kind) {
	classes, known := dialect.Kubernetes(), make(map[string]bool)
	add := func(name string, taints []taint.Taint, labels affinity.Template) {
		taints = slices.DeleteFunc(slices.Clone(taints), func(x taint.Taint) bool {
			return !taint.Hard.Has(x.Effect) || classes.Class(&x) != dialect.Permanent
		})
		if text := taint.FormatList(taints); len(taints) > 0 && !known[text] {
			known[text] = true
			all = append(all, kind{name, taints, labels})
		}
	}
	for i := range f.Pools {
		add("new nodes of "+f.Pools[i].Name, f.Pools[i].Taints, f.Pools[i].Labels)
	}
	for i := range f.Nodes {
		add(f.Nodes[i].Name+" and those like it", f.Nodes[i].Taints, affinity.Template{Labels: f.Nodes[i].Labels})
	}
	for i := range f.Pods {
		for _, t := range f.Pods[i].Tolerations {
			if len(f.Nodes)+len(f.Pools) == 0 && t.Key != "" && !t.Operator.Comparison() {
				if t.Effect == "" {
					t.Effect = taint.NoSchedule
				}
				add("nodes", []taint.Taint{{Key: t.Key, Value: t.Value, Effect: t.Effect}}, affinity.Template{Open: []string{""}})
			}
		}
	}
	return all
}

// writeComponents says of each kind of nodes which of the workloads that may go there by their node
// selectors lack tolerations that others have.
func (r *report) writeComponents(_ *options, out *bytes.Buffer) error {
	w := command.Writer{Out: out, Width: 100}
	for _, k := range kinds(r.fleet) {
		have, lacks, known := 0, []string{}, make(map[string]bool)
		for i := range r.fleet.Pods {
			p := &r.fleet.Pods[i]
			if text := p.Name + " " + toleration.FormatList(p.Tolerations); !known[text] && !p.Static && p.Affinity.MayMatch(&k.labels) {
				known[text] = true
				if text := lacking(p, &k, r.fleet.Rules); text != "" {
					lacks = append(lacks, p.Name+" lacks "+text)
				} else {
					have++
				}
			}
		}
		w.Line(0, fmt.Sprintf("%s, %s: %d of %s go there", k.name, taint.FormatList(k.taints), have, command.Plural(have+len(lacks), "component")))
		if have > 0 { // otherwise it is not for them
			for _, text := range lacks {
				w.Line(2, text)
			}
		}
	}
	return nil
}

// lacking returns the taints that a component does not tolerate.
func lacking(p *lint.Pod, k *kind, rules toleration.Rules) string {
	var all []string
	for i := range k.taints {
		if !match.Tolerates(p.Tolerations, &k.taints[i], rules) {
			all = append(all, toleration.For(&k.taints[i]).String())
		}
	}
	return strings.Join(all, ", ")
}

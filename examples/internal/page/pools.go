package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/taint"
)

// pool is a column of the first matrix, with what can be tried with it.
type pool struct {
	*column
	Taints []string
	Names  []string
	More   int
	Tries  []try
}

// try is a plan with one click.
type try struct{ Name, Plan string }

// pools describes the columns.
func (in *source) pools(m *matrix) []pool {
	kubernetes := dialect.Kubernetes()
	all := make([]pool, len(m.Columns))
	for j, to := range m.Columns {
		p := &all[j]
		p.column, p.More = to, max(0, len(to.nodes)-maxNodes)
		counts := make(map[string]int64)
		var lasting []taint.Taint
		for _, i := range to.nodes {
			for _, t := range in.Cluster.Nodes[i].Taints() {
				text := t.String()
				if counts[text]++; counts[text] == 1 && len(p.Taints) < maxReasons {
					p.Taints = append(p.Taints, text)
					if t.Effect != taint.PreferNoSchedule && kubernetes.Class(&t) == dialect.Permanent {
						lasting = append(lasting, t)
					}
				}
			}
			if len(p.Names) < maxNodes {
				p.Names = append(p.Names, in.Cluster.Nodes[i].Name)
			}
		}
		for i, text := range p.Taints {
			p.Taints[i] = fmt.Sprintf("%s on %s", text, command.Plural(counts[text], "node"))
		}
		p.Tries = tries(p, lasting)
	}
	return all
}

// tries returns plans for a pool, which is selected by its label, or by names.
func tries(p *pool, lasting []taint.Taint) []try {
	nodes := "-l " + p.label + "=" + p.Name
	if p.label == "" {
		nodes = strings.Join(p.Names, " ")
	}
	if p.label != "" && odd(p.label+p.Name) || p.label == "" && (p.More > 0 || slices.ContainsFunc(p.Names, odd)) {
		return nil
	}
	all := []try{{"Taint it NoExecute", "kubectl taint nodes " + nodes + " maintenance=true:NoExecute"}, {"Cordon it", "kubectl cordon " + nodes}}
	for _, t := range lasting {
		all = append(all, try{"Take " + t.Key + " off", fmt.Sprintf("kubectl taint nodes %s %s:%s-", nodes, t.Key, t.Effect)})
	}
	return all
}

// odd reports whether a name is none that the API server accepts: nobody has to put it into a
// command line.
func odd(name string) bool {
	return name == "" || len(name) > 600 || strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/", r)
	})
}

package page

import (
	"encoding/json"
	"fmt"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/why"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Limits of what is explained.
const (
	maxPairs     = 3       // lists of taints of a column
	maxReasons   = 12      // tolerations, and taints, of a pair
	maxExplained = 700_000 // bytes of explanations of a matrix, about
	maxNodes     = 40      // names of nodes
)

// panel explains a cell: the workloads and the nodes side by side.
type panel struct {
	ID, Name  string
	Of        *column
	Cell      cell
	Selector  string
	Rows      []panelRow
	MoreRows  int
	Pairs     []pair
	MorePairs int
}

// panelRow is a workload of the panel.
type panelRow struct{ Name, Says string }

// pair is tolerations and taints side by side.
type pair struct {
	Nodes                 string
	Tolerations, Taints   []item
	MoreTolerations, More int
	Answer                []block
}

// item is a toleration or a taint.
type item struct {
	Text, Says string
	Sign       string
	Deciding   bool
}

// panels returns the explanations of the cells of a matrix, and links the cells to them: those
// that need attention first, as many as a file holds; a live page asks for the others. Rows
// that the same decides about share theirs.
func (in *source) panels(m *matrix, live bool) (all []*panel) {
	at := make(map[string]*panel)
	room := maxExplained
	for _, urgent := range []bool{true, false} {
		for _, r := range m.Rows {
			for j := range r.Cells {
				c := &r.Cells[j]
				if urgent != (c.Class() == "evict" || c.Class() == "want") {
					continue
				}
				id := fmt.Sprintf("%sc%d-%d", m.ID, r.class.id, j)
				p := at[id]
				if p == nil && room > 0 {
					p = in.panel(m, r, m.Columns[j])
					room -= p.size()
					at[id] = p
					all = append(all, p)
				}
				if p != nil || live {
					c.Link = id
				}
				if p == nil {
					m.Unexplained++
					continue
				}
				if len(p.Rows) == maxPairs {
					p.MoreRows++
					continue
				}
				p.Rows = append(p.Rows, panelRow{r.Name, c.Says()})
			}
		}
	}
	return all
}

// size is about how many bytes of HTML a panel takes.
func (p *panel) size() int {
	const frame = 400 // of a panel, and of a pair
	n := frame + len(p.Selector)
	for i := range p.Pairs {
		n += frame
		for _, list := range [][]item{p.Pairs[i].Tolerations, p.Pairs[i].Taints} {
			for _, x := range list {
				n += 60 + len(x.Text) + len(x.Says)
			}
		}
		for _, b := range p.Pairs[i].Answer {
			n += 40 + len(b.Text)
		}
	}
	return n
}

// panel explains a row and a column.
func (in *source) panel(m *matrix, r *row, to *column) *panel {
	p := &panel{ID: fmt.Sprintf("%sc%d-%d", m.ID, r.class.id, to.at), Name: r.Name, Of: to, Cell: r.Cells[to.at]}
	if !r.class.required.IsZero() {
		p.Selector = fmt.Sprintf("Its node selector, required node affinity or volumes admit %d of %s: %s", p.Cell.Admit, command.Plural(p.Cell.Nodes, "node"), whole(r.class.required))
	}
	if !r.class.whole {
		p.Selector += " The required node affinity of its DaemonSet is not in the input, and may exclude more."
	}
	lists := make(map[string]int)
	var names [][]string
	var nodes []*manifest.Node
	for _, i := range to.nodes {
		n := &in.Cluster.Nodes[i]
		text := listed(n.Taints())
		at, found := lists[text]
		if !found {
			if len(nodes) == maxPairs {
				p.MorePairs++
				continue
			}
			at = len(nodes)
			lists[text] = at
			nodes, names = append(nodes, n), append(names, nil)
		}
		names[at] = append(names[at], n.Name)
	}
	for i, n := range nodes {
		p.Pairs = append(p.Pairs, in.pair(r, n, names[i]))
	}
	return p
}

// whole returns a value as JSON has it: all fields that are set.
func whole(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "" // never: it is plain data
	}
	return cut(string(text))
}

// pair explains nodes with the same taints.
func (in *source) pair(r *row, n *manifest.Node, names []string) pair {
	taints := n.Taints()
	q := explain.Query{Rules: in.Rules, Taints: taints, Tolerations: r.class.tolerations}
	e := q.Explain()
	to := pair{Nodes: command.Plural(len(names), "node") + ": " + command.Some(names)}
	signs := make([]string, len(q.Tolerations))
	deciding := -1
	for i := range e.Reasons {
		reason := &e.Reasons[i]
		taint := item{Text: reason.Taint.String(), Sign: "✕", Says: "no toleration comes near", Deciding: i == e.Verdict.SchedulingTaint && !reason.Tolerated}
		if reason.Tolerated {
			taint.Sign, taint.Says = "✓", fmt.Sprintf("tolerated by tolerations[%d]", reason.Index)
			signs[reason.Index] = "✓"
		} else if reason.Index >= 0 {
			taint.Says = fmt.Sprintf("nearest is tolerations[%d]", reason.Index)
			if signs[reason.Index] == "" {
				signs[reason.Index] = "≈ near miss"
			}
		}
		if taint.Deciding {
			deciding = reason.Index
		}
		to.Taints = append(to.Taints, taint)
	}
	for i := range q.Tolerations {
		to.Tolerations = append(to.Tolerations, item{Text: whole(&q.Tolerations[i]), Sign: signs[i], Deciding: i == deciding})
	}
	to.Tolerations, to.MoreTolerations = some(to.Tolerations)
	to.Taints, to.More = some(to.Taints)
	to.Answer = blocksOf(why.Sentences(r.sample, taints, names, in.Rules))
	return to
}

// some returns the first items, and how many more there are.
func some(all []item) ([]item, int) {
	more := max(0, len(all)-maxReasons)
	return all[:len(all)-more], more
}

// waiting is pods that are pending, and what tolero why says about them.
type waiting struct {
	ID     string
	Name   string
	Answer []block
}

// repair returns the first thing to copy: the least to add.
func (w *waiting) repair() string {
	for _, b := range w.Answer {
		if b.Copy {
			return b.Text
		}
	}
	return ""
}

// pending sets what tolero why says about the pods that are pending, and returns the place of
// each of them.
func (in *source) pending(d *document) (at map[string]int, err error) {
	at = make(map[string]int)
	text, err := in.ask(in.asked, why.Command, "", "-limit", maxLines)
	if err != nil {
		return at, err
	}
	data, err := in.ask(in.asked, why.Command, "", "-o", "json", "-limit", "1")
	if err != nil {
		return at, err
	}
	var answer struct {
		Result struct{ Pods []struct{ Names []string } }
	}
	if err := json.Unmarshal([]byte(data), &answer); err != nil {
		return at, err
	}
	groups := answer.Result.Pods
	for _, b := range blocksOf(text) {
		n := len(d.Pending)
		switch {
		case n < len(groups) && b.Depth == 0 && b.Text == command.Printable(command.Some(groups[n].Names)):
			d.Pending = append(d.Pending, waiting{ID: fmt.Sprintf("why%d", n), Name: b.Text})
			for _, name := range groups[n].Names {
				at[name] = n
			}
		case n > 0 && b.Depth > 0:
			b.Depth--
			d.Pending[n-1].Answer = append(d.Pending[n-1].Answer, b)
		default:
			d.Rest = append(d.Rest, b)
		}
	}
	return at, nil
}

package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/parallel"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// matrix is what a view shows: how many nodes of each column accept the pods of each row.
type matrix struct {
	*view
	Rows        []*row
	Columns     []*column
	MoreRows    int
	MoreColumns int
	Spaces      []space
	Unexplained int // cells

	of map[string]*column // of nodes, by name; those of columns that are left out have none
}

// space is the rows of a namespace.
type space struct {
	Name                   string
	Rows                   []*row
	Pods, Pending, Evicted int64
}

// cell is what the nodes of a column mean to the pods of a row.
type cell struct {
	Nodes   int64  // of the column
	Admit   int64  // by what the pods require of labels
	Accept  int64  // of these, by their taints
	Soft    bool   // the scheduler avoids all that accept
	Later   bool   // some that accept evict after a time
	Runs    int64  // pods of the row there
	Evicted int64  // of these, by taints
	Wanted  bool   // pods are pending that want to go there, and all refuse
	Reason  string // the taint of a node that refuses them
	Link    string

	refusing int // a node that refuses by its taints, if there is one
}

// Class returns how much attention the cell needs.
func (c *cell) Class() string {
	switch {
	case c.Evicted > 0:
		return "evict"
	case c.Wanted:
		return "want"
	case c.Accept > 0:
		return "ok"
	}
	return "no"
}

// clause is a part of a sentence, if it is set.
type clause struct {
	set  bool
	text string
}

// joined returns the text with those clauses that are set.
func joined(text, separator string, clauses ...clause) string {
	for _, c := range clauses {
		switch {
		case c.set && text != "":
			text += separator + c.text
		case c.set:
			text = c.text
		}
	}
	return text
}

// Text is the cell in a few characters.
func (c *cell) Text() string {
	return joined(fmt.Sprintf("%d/%d", c.Accept, c.Nodes), " ", clause{c.Soft, "~"}, clause{c.Later, "◷"},
		clause{c.Runs > 0, "●" + command.Thousands(c.Runs)}, clause{c.Evicted > 0, "✕" + command.Thousands(c.Evicted)})
}

// Says is the cell in words.
func (c *cell) Says() string {
	return joined(fmt.Sprintf("%d of %s accept", c.Accept, command.Plural(c.Nodes, "node")), "; ",
		clause{c.Admit < c.Nodes, fmt.Sprintf("node selector or affinity admits %d", c.Admit)},
		clause{c.Wanted, "pending pods want to go there, and " + c.Reason + " refuses them"},
		clause{c.Soft, "the scheduler avoids them"}, clause{c.Later, "evicted from some after a time"},
		clause{c.Runs > 0, command.Plural(c.Runs, "pod") + " there"}, clause{c.Evicted > 0, command.Thousands(c.Evicted) + " evicted"})
}

// newMatrix puts the cluster together as the view has it, and fills the cells.
func (in *source) newMatrix(v *view) *matrix {
	m := &matrix{view: v}
	in.rowOf[v.ID] = make([]*row, len(in.Cluster.Pods))
	m.Columns, m.MoreColumns = columnsOf(v, in.Cluster, in.labels)
	m.of = make(map[string]*column, len(in.Cluster.Nodes))
	for _, to := range m.Columns {
		for _, i := range to.nodes {
			m.of[in.Cluster.Nodes[i].Name] = to
		}
	}
	m.Rows, m.MoreRows = in.rowsOf(v)
	m.fill(in, in.Cluster.Nodes)
	m.count(in)
	for _, r := range m.Rows {
		if n := len(m.Spaces); n == 0 || m.Spaces[n-1].Name != r.Namespace {
			m.Spaces = append(m.Spaces, space{Name: r.Namespace})
		}
		s := &m.Spaces[len(m.Spaces)-1]
		s.Rows = append(s.Rows, r)
		s.Pods, s.Pending, s.Evicted = s.Pods+r.Pods, s.Pending+r.Pending, s.Evicted+r.Evicted
		in.mark(m, r)
	}
	return m
}

// part is a group of nodes of a column to which every row has the same answer.
type part struct {
	column, node int // node is one of them
	nodes        int64
}

// fill asks package compile about the taints of nodes, and the selectors of pods about their
// labels. The nodes are those of the cluster, perhaps with other taints.
func (m *matrix) fill(in *source, nodes []manifest.Node) {
	var classes []*class
	var required []affinity.Required
	known := make(map[*class]int)
	for _, r := range m.Rows {
		if _, found := known[r.class]; !found {
			known[r.class] = len(classes)
			classes, required = append(classes, r.class), append(required, r.class.required)
		}
		r.Cells = make([]cell, len(m.Columns))
	}
	columnOf := make(map[int]int) // by place: names may occur twice
	for j, to := range m.Columns {
		for _, i := range to.nodes {
			columnOf[int(i)] = j
		}
	}
	fleet, err := placement.New(nodes, "", required)
	if err != nil {
		return // there are no nodes
	}
	var words compile.Vocabulary
	lists := make([][]compile.TaintID, len(fleet.Groups))
	parts := make([][]part, len(fleet.Groups))
	for i, g := range fleet.Groups {
		lists[i] = words.Append(nil, g.Taints)
		for _, kind := range g.Kinds {
			at := make(map[int]int)
			for _, node := range kind {
				column, shown := columnOf[node]
				if !shown {
					continue
				}
				j, found := at[column]
				if !found {
					j = len(parts[i])
					at[column] = j
					parts[i] = append(parts[i], part{column, node, 0})
				}
				parts[i][j].nodes++
			}
		}
	}
	filled := make([][]cell, len(classes))
	parallel.Do(len(classes), func() func(int) {
		var matcher compile.Matcher
		return func(i int) {
			matcher.Compile(&words, classes[i].tolerations, in.Rules)
			filled[i] = cellsOf(&matcher, classes[i], len(m.Columns), nodes, lists, parts)
		}
	})
	for _, r := range m.Rows {
		copy(r.Cells, filled[known[r.class]])
	}
}

// cellsOf returns the cells of a class.
func cellsOf(matcher *compile.Matcher, c *class, columns int, nodes []manifest.Node, lists [][]compile.TaintID, parts [][]part) []cell {
	cells := make([]cell, columns)
	soft := make([]int64, columns)
	for i := range lists {
		v := matcher.Decide(lists[i])
		for _, p := range parts[i] {
			to := &cells[p.column]
			to.Nodes += p.nodes
			if n := &nodes[p.node]; !c.required.IsZero() && !c.required.Matches(n.Name, n.Labels) {
				continue
			}
			to.Admit += p.nodes
			if v.Scheduling == match.Unschedulable {
				to.refusing = p.node
				continue
			}
			to.Accept += p.nodes
			to.Later = to.Later || v.Eviction == match.EvictAfter
			if v.Scheduling == match.Avoid {
				soft[p.column] += p.nodes
			}
		}
	}
	for j := range cells {
		cells[j].Soft = soft[j] > 0 && soft[j] == cells[j].Accept
	}
	return cells
}

// count counts the pods that run in each cell.
func (m *matrix) count(in *source) {
	for i, r := range in.rowOf[m.ID] {
		p := &in.Cluster.Pods[i]
		to := m.of[p.NodeName]
		if r == nil || to == nil || p.NodeName == "" {
			continue
		}
		_, _, evicted := in.need(p)
		r.Cells[to.at].Runs += p.Count
		r.Cells[to.at].Evicted += evicted
	}
}

// mark finds where the pods of a row want to go that are pending because of taints: where
// their selector says or a toleration comes near, or else anywhere. It says how many columns
// accept the row, and which if it is one.
func (in *source) mark(m *matrix, r *row) {
	var near, refusing []int
	r.Accepting, r.Only = 0, ""
	for j := range r.Cells {
		c := &r.Cells[j]
		switch {
		case c.Accept > 0:
			r.Accepting++
			r.Only = m.Columns[j].Name
		case r.Refused > 0 && c.Admit > 0:
			refusing = append(refusing, j)
			if !r.class.required.IsZero() || in.comesNear(r.class, m.Columns[j]) {
				near = append(near, j)
			}
		}
	}
	if r.Accepting != 1 || len(m.Columns) == 1 || m.MoreColumns > 0 {
		r.Only = ""
	}
	if near != nil {
		refusing = near
	}
	for _, j := range refusing {
		c := &r.Cells[j]
		taints := in.Cluster.Nodes[c.refusing].Taints()
		c.Wanted, c.Reason = true, taints[match.Decide(taints, r.class.tolerations, in.Rules).SchedulingTaint].String()
	}
}

// Alone returns the workloads that a single pool accepts, with links to their cells.
func (m *matrix) Alone() (all []line) {
	for _, r := range m.Rows {
		if r.Only != "" && m.ID == "w" {
			j := slices.IndexFunc(r.Cells, func(c cell) bool { return c.Accept > 0 })
			all = append(all, line{Text: cut(command.Owner(r.sample)) + " (" + r.Only + ")", Link: cmp.Or(r.Cells[j].Link, r.ID)})
		}
	}
	return all
}

// comesNear reports whether a toleration of the class is nearly one of a taint of the column.
func (in *source) comesNear(c *class, to *column) bool {
	const looked = 5 // nodes of the column
	for _, i := range to.nodes[:min(looked, len(to.nodes))] {
		q := explain.Query{Rules: in.Rules, Taints: in.Cluster.Nodes[i].Taints(), Tolerations: c.tolerations}
		for _, reason := range q.Explain().Reasons {
			if !reason.Tolerated && reason.Index >= 0 && reason.Taint.Effect != taint.PreferNoSchedule {
				return true
			}
		}
	}
	return false
}

// Note says what is remarkable about a row.
func (r *row) Note() string {
	return joined("", ", ", clause{r.Pending > 0, command.Thousands(r.Pending) + " pending"}, clause{r.Evicted > 0, command.Thousands(r.Evicted) + " evicted"},
		clause{r.Only != "", "only " + r.Only + " accepts it"}, clause{r.Accepting == 0, "nothing accepts it"})
}

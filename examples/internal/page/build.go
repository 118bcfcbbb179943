package page

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
)

// Limits of a page, so that no fleet makes one that a browser cannot show.
const (
	maxRows    = 2_000
	maxColumns = 2_000
	maxNear    = 8_000_000 // reasons, which are a number each
	maxNames   = 60_000    // of pods, and of nodes
	maxRunning = 200_000
)

// New returns what a page shows about the fleet. It retains strings of the fleet.
// The time is that of one question to package compile for each row and column.
func New(f *Fleet) *Document {
	b := newBuilder(f)
	b.notes()
	b.members()
	b.verdicts()
	b.reasons()
	b.edits()
	b.corrections()
	b.order()
	b.findings()
	b.silence()
	return &b.Document
}

// builder makes a Document.
type builder struct {
	Document
	fleet   *Fleet
	rows    []*row
	columns []*column
	rowOf   []int32 // of each pod of the fleet
	colOf   []int32 // of each node of the fleet

	allRows, allColumns int            // with those that are left out
	nodes               map[string]int // index in the fleet, by name
	taintOf             map[string]int // index, by text of the taint
	taints              []taint.Taint  // by index
	near                []uint32       // what Near has
	cells               [][]uint32     // by row and column
	keys                map[string]int // number, by key of a taint
	pools, namespaces   map[string]int // index, by name
	owners              map[string]int
	tolerationOf        map[string]int
}

func newBuilder(f *Fleet) *builder {
	b := &builder{
		fleet: f, nodes: make(map[string]int, len(f.Nodes)), taintOf: make(map[string]int), keys: make(map[string]int),
		pools: make(map[string]int), namespaces: make(map[string]int), owners: make(map[string]int), tolerationOf: make(map[string]int),
	}
	b.rows, b.rowOf = groupPods(f)
	b.columns, b.colOf = groupNodes(f)
	b.allRows, b.allColumns = len(b.rows), len(b.columns)
	b.rows, b.columns = b.rows[:min(maxRows, len(b.rows))], b.columns[:min(maxColumns, len(b.columns))]
	b.Version, b.Title, b.Kinds = 1, f.Title, Kinds
	b.Verdicts, b.Taints, b.Groups = []Verdict{}, []Taint{}, [][]int{} // JSON has no nil lists
	b.Tolerations, b.Namespaces, b.Owners, b.Pools = []string{}, []string{}, []string{}, []string{}
	for i := range f.Nodes {
		b.nodes[f.Nodes[i].Name] = i
		b.Document.Nodes += f.Nodes[i].Count
	}
	for i := range f.Pods {
		b.Document.Pods += f.Pods[i].Count
	}
	b.Rows, b.Columns = make([]Row, len(b.rows)), make([]Column, len(b.columns))
	for i, c := range b.columns {
		b.Columns[i] = Column{Brief: c.brief(), Taints: make([]int, len(c.taints)), Nodes: c.count}
		for j := range c.taints {
			b.Columns[i].Taints[j] = b.taint(&c.taints[j])
		}
	}
	for i, r := range b.rows {
		b.Rows[i] = Row{Brief: r.brief(), Tolerations: make([]int, len(r.tolerations)), Pods: r.count}
		for j := range r.tolerations {
			b.Rows[i].Tolerations[j] = indexOf(&b.Tolerations, b.tolerationOf, r.tolerations[j].String())
		}
	}
	return b
}

// notes says what a reader should know, and what is left out.
func (b *builder) notes() {
	b.Notes = append([]string{}, b.fleet.Notes...)
	if b.allRows > maxRows || b.allColumns > maxColumns {
		b.Notes = append(b.Notes, fmt.Sprintf("Shown are the %d most common of %d toleration lists and the %d most common of %d taint lists.",
			len(b.rows), b.allRows, len(b.columns), b.allColumns))
	}
}

// indexOf returns the index of text in list, and appends it if it is new.
func indexOf(list *[]string, known map[string]int, text string) int {
	i, found := known[text]
	if !found {
		i = len(*list)
		known[text] = i
		*list = append(*list, text)
	}
	return i
}

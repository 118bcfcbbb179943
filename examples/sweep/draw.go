package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/picture"
	"github.com/tolero-dev/tolero/match"
)

// maxDrawn is how many rows, and how many columns, the picture has at most. The
// most common lists are drawn, and the picture says that there are others.
const maxDrawn = 300

// labelLength is how many characters of a list the picture has room for.
const labelLength = 48

// kinds are the colours of a verdict: one for each combination of what the
// scheduler and the eviction controller say, the latter varying faster. They
// are the palette of Okabe and Ito, which colour-blind people can tell apart,
// on grey for the most common one, so that the others stand out.
var kinds = []picture.Kind{
	{Name: "free", Colour: "#0072b2"},
	{Name: "free, evicted later", Colour: "#56b4e9"},
	{Name: "free, evicted now", Colour: "#003a5c"},
	{Name: "avoid", Colour: "#f0e442"},
	{Name: "avoid, evicted later", Colour: "#b3a125"},
	{Name: "avoid, evicted now", Colour: "#6b5f00"},
	{Name: "refused", Colour: "#dedede"},
	{Name: "refused, evicted later", Colour: "#cc79a7"},
	{Name: "refused, evicted now", Colour: "#d55e00"},
}

func kindOf(v match.Verdict) uint8 {
	return uint8(v.Scheduling)*3 + uint8(v.Eviction)
}

// draw returns a picture of the verdicts of toleration lists on taint lists.
func draw(f *fleet, e engine, title string) []byte {
	d := &drawing{pods: f.pods[:min(len(f.pods), maxDrawn)], nodes: f.nodes[:min(len(f.nodes), maxDrawn)]}
	d.evaluate(e)
	d.sort()
	g := &picture.Grid{
		Title: title,
		Notes: []string{
			f.size(),
			"what the taints of a node mean to a pod that is to be scheduled, and to one that runs there",
			"labels leave out the domains of keys; point at them for the whole list",
		},
		RowsAre: "toleration lists, pods", ColumnsAre: "nodes, taint lists",
		Kinds: kinds, Cells: d.cells(), CellTitle: d.title,
	}
	if len(f.pods) > maxDrawn || len(f.nodes) > maxDrawn {
		g.Notes = append(g.Notes, fmt.Sprintf("drawn: the %d most common toleration lists and the %d most common taint lists", len(d.pods), len(d.nodes)))
	}
	for _, p := range d.pods {
		g.Rows = append(g.Rows, picture.Label{
			Text: p.brief(), Number: thousands(p.pods),
			Title: count(p.pods, "pod") + ": " + orNone(p.text),
		})
	}
	for _, n := range d.nodes {
		g.Columns = append(g.Columns, picture.Label{
			Text: n.brief(), Number: thousands(n.nodes),
			Title: count(n.nodes, "node") + ": " + orNone(n.text),
		})
	}
	return g.SVG()
}

// brief returns the tolerations as a label, without the domains of their keys.
func (c *podClass) brief() string {
	var words []string
	for _, t := range c.tolerations {
		t.Key = t.Key[strings.LastIndexByte(t.Key, '/')+1:]
		words = append(words, t.String())
	}
	return cmp.Or(fit(words, labelLength), "(none)")
}

// brief returns the taints as a label, without the domains of their keys.
func (c *nodeClass) brief() string {
	var words []string
	for _, t := range c.taints {
		t.Key = t.Key[strings.LastIndexByte(t.Key, '/')+1:]
		words = append(words, t.String())
	}
	return cmp.Or(fit(words, labelLength), "(none)")
}

func orNone(list string) string { return cmp.Or(list, "(none)") }

// drawing is the lists that are drawn, and the verdict of each pair of them.
type drawing struct {
	pods     []*podClass
	nodes    []*nodeClass
	verdicts [][]match.Verdict
}

// evaluate asks the engine again: the sweep keeps no verdicts, as a large fleet
// has too many.
func (d *drawing) evaluate(e engine) {
	ask, plain := e(d.nodes)(), plainAnswers(d.nodes)
	answers := make([]answer, len(d.nodes))
	for _, p := range d.pods {
		ask.all(answers, plain, p)
		row := make([]match.Verdict, len(answers))
		for i := range answers {
			row[i] = answers[i].Verdict
		}
		d.verdicts = append(d.verdicts, row)
	}
}

// cells returns the kinds of the verdicts.
func (d *drawing) cells() [][]uint8 {
	cells := make([][]uint8, len(d.verdicts))
	for i, row := range d.verdicts {
		cells[i] = make([]uint8, len(row))
		for j, v := range row {
			cells[i][j] = kindOf(v)
		}
	}
	return cells
}

// sort puts rows and columns that are alike beside each other, from the list
// that tolerates most, and from the taints that are tolerated most.
func (d *drawing) sort() {
	cells := d.cells()
	columns := picture.Transposed(cells)
	rows := sortedBySum(cells)
	order := picture.Order(pick(cells, rows))
	d.pods, d.verdicts = pick(d.pods, pick(rows, order)), pick(d.verdicts, pick(rows, order))

	byColumn := sortedBySum(columns)
	order = picture.Order(pick(columns, byColumn))
	order = pick(byColumn, order)
	d.nodes = pick(d.nodes, order)
	for i := range d.verdicts {
		d.verdicts[i] = pick(d.verdicts[i], order)
	}
}

// sortedBySum returns the indexes of rows, those with the best verdicts first.
func sortedBySum(rows [][]uint8) []int {
	order := make([]int, len(rows))
	sums := make([]int, len(rows))
	for i, row := range rows {
		order[i] = i
		for _, kind := range row {
			sums[i] += int(kind)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(sums[i], sums[j]) })
	return order
}

// pick returns the elements of list with the given indexes.
func pick[T any](list []T, indexes []int) []T {
	picked := make([]T, len(indexes))
	for i, index := range indexes {
		picked[i] = list[index]
	}
	return picked
}

// title returns the tooltip of a cell.
func (d *drawing) title(row, column int) string {
	p, n, v := d.pods[row], d.nodes[column], d.verdicts[row][column]
	return fmt.Sprintf("%s\ntolerations: %s\ntaints: %s", v, orNone(p.text), orNone(n.text))
}

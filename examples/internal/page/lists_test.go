package page

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestSilence has a node that is unreachable already, whose pods' time runs from now, and
// one that is well, which is lost before it gets its taint.
func TestSilence(t *testing.T) {
	gone := must(taint.ParseList("node.kubernetes.io/unreachable:NoExecute"))
	list := must(toleration.ParseList("node.kubernetes.io/unreachable:NoExecute@300"))
	d := New(&Fleet{
		Nodes: []Node{{Name: "gone", Pool: "a", Taints: gone, Count: 1}, {Name: "well", Pool: "b", Count: 1}, {Name: "well", Pool: "b", Count: 1}},
		Pods:  []Pod{{Name: "p", Node: "gone", Tolerations: list, Count: 1}, {Name: "q", Node: "well", Tolerations: list, Count: 1}, {Name: "r", Count: 1}},
	})
	want := []Silence{
		{Pool: 0, Nodes: 1, Pods: 1, Outcomes: []Outcome{{"evicted", 1}}, Steps: []Step{{300, 1}}},
		{Pool: 1, Nodes: 1, Pods: 1, Outcomes: []Outcome{{"evicted", 1}}, Steps: []Step{{355, 1}}},
	}
	for i := range want {
		want[i].Pool = slices.Index(d.Pools, []string{"a", "b"}[i])
	}
	slices.SortFunc(d.Silence, func(a, b Silence) int { return a.Pool - b.Pool })
	slices.SortFunc(want, func(a, b Silence) int { return a.Pool - b.Pool })
	if !cmp.Equal(d.Silence, want) {
		t.Error(cmp.Diff(want, d.Silence))
	}
}

// TestFindings shows that findings lead to the row or the column of their object.
func TestFindings(t *testing.T) {
	f := small()
	f.Pods = slices.DeleteFunc(f.Pods, func(p Pod) bool { return p.Name == "p3" }) // it tolerates everything
	d := New(f)
	var rows, columns int
	for _, f := range d.Findings {
		switch {
		case f.Row != nil:
			rows++
			if !slices.ContainsFunc(d.Rows[*f.Row].Members, func(m PodMember) bool {
				p := Pod{Name: m.Name, Namespace: d.Namespaces[d.Rows[*f.Row].Groups[m.Group][0]]}
				return p.id() == f.Object
			}) {
				t.Errorf("%s is not in row %d", f.Object, *f.Row)
			}
		case f.Column != nil:
			columns++
			if !slices.ContainsFunc(d.Columns[*f.Column].Members, func(m NodeMember) bool { return m.Name == f.Object }) {
				t.Errorf("%s is not in column %d", f.Object, *f.Column)
			}
		}
	}
	if rows == 0 || columns == 0 {
		t.Errorf("%d findings with a row, %d with a column", rows, columns)
	}
}

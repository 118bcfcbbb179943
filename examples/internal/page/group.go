package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// row is the pods that have the same tolerations, as written.
type row struct {
	key         string
	tolerations []toleration.Toleration // as written
	pods        []int32                 // their indexes in the fleet
	count       int64
}

// column is the nodes that have the same taints, in the same order.
type column struct {
	key    string
	taints []taint.Taint
	nodes  []int32 // their indexes in the fleet
	count  int64
}

// groupPods returns the rows, those with the most pods first, and the row of each pod.
func groupPods(f *Fleet) (rows []*row, of []int32) {
	byKey := make(map[string]*row)
	var key []byte
	for i := range f.Pods {
		p := &f.Pods[i]
		key = toleration.AppendList(key[:0], p.Tolerations)
		r := byKey[string(key)]
		if r == nil {
			r = &row{key: string(key), tolerations: p.Tolerations}
			byKey[r.key] = r
			rows = append(rows, r)
		}
		r.pods = append(r.pods, int32(i))
		r.count += p.Count
	}
	slices.SortFunc(rows, func(a, b *row) int { return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.key, b.key)) })
	return rows, numbers(rows, func(r *row) []int32 { return r.pods }, len(f.Pods))
}

// groupNodes returns the columns, those with the most nodes first, and the column of
// each node. When a taint was added does not matter.
func groupNodes(f *Fleet) (columns []*column, of []int32) {
	byKey := make(map[string]*column)
	var key []byte
	for i := range f.Nodes {
		n := &f.Nodes[i]
		key = appendKey(key[:0], n.Taints)
		c := byKey[string(key)]
		if c == nil {
			c = &column{key: string(key), taints: n.Taints}
			byKey[c.key] = c
			columns = append(columns, c)
		}
		c.nodes = append(c.nodes, int32(i))
		c.count += n.Count
	}
	slices.SortFunc(columns, func(a, b *column) int {
		return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.key, b.key))
	})
	return columns, numbers(columns, func(c *column) []int32 { return c.nodes }, len(f.Nodes))
}

// appendKey appends what tells lists of taints apart.
func appendKey(dst []byte, taints []taint.Taint) []byte {
	for i := range taints {
		t := &taints[i]
		dst = strconv.AppendQuote(dst, t.Key)
		dst = strconv.AppendQuote(dst, t.Value)
		dst = strconv.AppendQuote(dst, string(t.Effect))
	}
	return dst
}

// numbers returns for each member of the groups the number of its group.
func numbers[G any](groups []G, members func(G) []int32, n int) []int32 {
	of := make([]int32, n)
	for i, group := range groups {
		for _, member := range members(group) {
			of[member] = int32(i)
		}
	}
	return of
}

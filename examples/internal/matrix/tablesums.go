package matrix

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// evictions returns how many are evicted and when, one by one; nothing if none are.
func (t *tally) evictions() []string {
	var items []string
	if t.evictNow > 0 {
		items = append(items, command.Thousands(t.evictNow)+" now")
	}
	for _, q := range t.evictAfter {
		items = append(items, command.Thousands(q.n)+" after "+command.Duration(time.Duration(q.of)))
	}
	return items
}

// bound writes which of the pods that run are evicted.
func (t *table) bound(b *bound) {
	if b.pods == 0 {
		return
	}
	t.line("")
	evicted, n := "none is evicted", int64(0)
	for i := range b.evicted {
		n += b.evicted[i].count
	}
	if n > 0 {
		evicted = "their taints evict " + command.Thousands(n)
	}
	t.line("Bound to a node already: %s, %s.", command.Plural(b.pods, "pod"), evicted)
	if b.unknownNodes > 0 {
		t.line("Bound to a node that is not in the input: %s.", command.Plural(b.unknownNodes, "pod"))
	}
	cells := make([][]string, len(b.evicted))
	widths := make([]int, 3)
	for i := range b.evicted {
		e := &b.evicted[i]
		cells[i] = []string{command.When(e.left, e.counted), e.node, several(e.pod, e.count)}
		for j := range widths {
			widths[j] = max(widths[j], length(cells[i][j]))
		}
	}
	for i := range b.evicted {
		c := cells[i]
		t.line("  %-*s  %-*s  %-*s  {%s: %s}", widths[0], c[0], widths[1], c[1], widths[2], c[2], b.evicted[i].cause.Key, b.evicted[i].cause.Value)
	}
}

// totals writes the sums over all pairs of a pod and a node.
func (t *table) totals(r *report) {
	sums := [][2]string{}
	add := func(name string, n int64) {
		sums = append(sums, [2]string{name, command.Thousands(n) + fmt.Sprintf("  %5.1f %%", 100*float64(n)/float64(r.pairs()))})
	}
	add("free", r.total.free)
	add("avoid", r.total.avoid)
	add("refused", r.total.refused)
	add("evict now", r.total.evictNow)
	for _, q := range r.total.evictAfter {
		add("evict after "+command.Duration(time.Duration(q.of)), q.n)
	}
	names, numbers := 0, 0
	for _, s := range sums {
		names, numbers = max(names, len(s[0])), max(numbers, len(s[1]))
	}
	t.line("")
	t.line("Totals, in %s of a pod and a node and %s of lists:", command.Plural(r.pairs(), "pair"), command.Plural(r.listPairs(), "pair"))
	for _, s := range sums {
		t.line("  %-*s  %*s", names, s[0], numbers, s[1])
	}
}

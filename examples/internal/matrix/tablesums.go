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

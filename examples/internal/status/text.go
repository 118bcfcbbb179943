package status

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

func (r *report) text(w *command.Writer, limit int) {
	of := command.Plural(r.Nodes, "node") + " and " + command.Plural(r.Pods, "pod")
	if r.healthy() {
		w.Line(0, of+": nothing is wrong. No pod is pending, no taint evicts one, and no taint or toleration is likely a mistake.")
		return
	}
	w.Line(0, of+".")
	if r.Pending != nil {
		pods := 0
		for _, c := range r.Pending {
			pods += len(c.Pods)
		}
		section(w, command.Plural(pods, "pod")+" pending", "tolero why POD", len(r.Pending), limit, func(i int) string {
			c := &r.Pending[i]
			return fmt.Sprintf("%s: %s", command.Some(c.Owners), c.Text)
		})
	}
	section(w, "Taints that most nodes of the pool do not have", "tolero plan 'uncordon NODE'", len(r.Unusual), limit, func(i int) string {
		u := &r.Unusual[i]
		pool := "all nodes"
		if u.Pool != "" {
			pool = "pool " + u.Pool
		}
		return fmt.Sprintf("%s: %s (%d of %d of %s)", u.Taint, command.Some(u.Nodes), len(u.Nodes), u.Of, pool)
	})
	section(w, "Evictions", "tolero why POD NODE", len(r.Evictions), limit, func(i int) string {
		e := &r.Evictions[i]
		return fmt.Sprintf("%s leaves %s %s: %s", e.Pod, e.Node, command.When(e.after, e.Counted), e.Taint)
	})
	if len(r.rules) > 0 {
		w.Line(0, "")
		w.Line(0, fmt.Sprintf("Findings: %s, %s, %d info (tolero lint)",
			command.Plural(r.Findings["error"], "error"), command.Plural(r.Findings["warning"], "warning"), r.Findings["info"]))
		var rules []string
		for _, id := range r.rules {
			rules = append(rules, fmt.Sprintf("%d %s", r.Rules[id], id))
		}
		w.Line(2, strings.Join(rules, ", "))
	}
}

// section writes lines after a heading with the command that tells more, or nothing if there
// are none.
func section(w *command.Writer, heading, more string, n, limit int, line func(i int) string) {
	if n == 0 {
		return
	}
	w.Line(0, "")
	w.Line(0, fmt.Sprintf("%s (%s)", heading, more))
	w.Limited(n, limit, line)
}

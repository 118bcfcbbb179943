package status

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

func (r *report) text(w *command.Writer, limit int) {
	of := command.Plural(r.Nodes, "node") + " and " + command.Plural(r.Pods, "pod")
	if r.demo {
		of = "A built-in cluster (tolero -f FILE for yours), " + of
	}
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
	section(w, "Taints that most nodes of the pool do not have, and cordons", "tolero plan: what if they go", len(r.Unusual), limit, func(i int) string {
		u := &r.Unusual[i]
		of := command.Plural(u.Of, "node")
		if u.Pool != "" {
			of += " of pool " + u.Pool
		}
		return fmt.Sprintf("%s: %s (%d of %s)", u.Taint, command.Some(u.Nodes), len(u.Nodes), of)
	})
	leaving := byNode(r.Evictions)
	section(w, command.Plural(len(r.Evictions), "pod")+" evicted by taints", "tolero why POD NODE", len(leaving), limit, func(i int) string {
		l := leaving[i]
		when := command.When(l[0].after, l[0].Counted)
		if last := &l[len(l)-1]; last.after != l[0].after {
			when += ", the last " + command.When(last.after, last.Counted)
		}
		names := make([]string, len(l))
		for j := range l {
			names[j] = l[j].Pod
		}
		return fmt.Sprintf("%s: %s: %s: %s", l[0].Node, l[0].Taint, when, command.Some(names))
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

package plan

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration"
)

func (r *report) text(w *command.Writer, o *options) {
	w.Line(0, fmt.Sprintf("The plan, for %s and %s:", command.Plural(r.cluster.nodes, "node"), command.Plural(r.cluster.count, "pod")))
	for i := range r.plan.Steps {
		w.Line(2, r.plan.Steps[i].String())
	}
	for i := range r.plan.Steps {
		if n := &r.plan.Steps[i].Nodes; n.Tainted != nil && !r.cluster.selects(n) {
			paragraph(w, fmt.Sprintf("Step %d selects no node: none has such a taint.", i+1))
		}
	}
	paragraph(w, "Its effect: "+summaryText(r.summary))
	r.writeEvictions(w, o.Limit)
	r.writeClasses(w, o.Limit)
	r.writeUnschedulable(w, o.Limit)
	r.writeLimits(w, o)
	if o.stages {
		r.writeStages(w)
	}
}

// paragraph writes a line after an empty one.
func paragraph(w *command.Writer, text string) {
	w.Line(0, "")
	w.Line(0, text)
}

func summaryText(s whatif.Summary) string {
	text := fmt.Sprintf("%s %s, %s %s at once, %d later; %d stay",
		command.Plural(s.Nodes, "node"), plural(s.Nodes, "is affected", "are affected"),
		command.Plural(s.EvictedNow, "pod"), plural(s.EvictedNow, "is evicted", "are evicted"), s.EvictedLater, s.Stay)
	if s.EvictedAnyway > 0 {
		text += fmt.Sprintf("; %d evicted anyway", s.EvictedAnyway)
	}
	if s.Spared > 0 {
		text += fmt.Sprintf("; %d no longer evicted", s.Spared)
	}
	return text
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// first returns how many of n are shown, and says how many are not.
func first(w *command.Writer, n, limit int) (shown int, more func()) {
	shown = n
	if limit > 0 {
		shown = min(n, limit)
	}
	return shown, func() {
		if shown < n {
			w.Line(2, fmt.Sprintf("%d more; -limit 0 shows all.", n-shown))
		}
	}
}

func (r *report) writeEvictions(w *command.Writer, limit int) {
	if len(r.evictions) == 0 {
		return
	}
	paragraph(w, "Who is evicted:")
	shown, more := first(w, len(r.evictions), limit)
	for _, e := range r.evictions[:shown] {
		when := "at once"
		if e.After > 0 {
			when = "after " + e.After.String()
		}
		owner := ""
		if e.Owner != e.Pod {
			owner = " of " + e.Owner
		}
		w.Line(2, fmt.Sprintf("%s%s from %s %s: %s", e.Pod, owner, e.Node, when, e.Taint))
	}
	more()
}

func (r *report) writeClasses(w *command.Writer, limit int) {
	var moving []*whatif.ClassChange
	for i := range r.classes {
		if c := &r.classes[i]; c.Gained+c.Lost > 0 {
			moving = append(moving, c)
		}
	}
	if moving == nil {
		return
	}
	paragraph(w, "Who gains or loses nodes, as far as taints go:")
	shown, more := first(w, len(moving), limit)
	for _, c := range moving[:shown] {
		w.Line(2, fmt.Sprintf("%s: %s", r.who(c), nodesText(c)))
	}
	more()
}

// who says which pods a change is about.
func (r *report) who(c *whatif.ClassChange) string {
	return fmt.Sprintf("%s of %s", command.Plural(r.podsOf(c), "pod"), command.Some(r.ownersOf(c)))
}

func nodesText(c *whatif.ClassChange) string {
	var parts []string
	if c.Lost > 0 {
		parts = append(parts, command.Plural(c.Lost, "fewer node"))
	}
	if c.Gained > 0 {
		parts = append(parts, command.Plural(c.Gained, "more node"))
	}
	return strings.Join(parts, ", ")
}

func (r *report) writeUnschedulable(w *command.Writer, limit int) {
	if len(r.unschedulable) == 0 {
		return
	}
	paragraph(w, "Who has no node left:")
	shown, more := first(w, len(r.unschedulable), limit)
	for i := range r.unschedulable[:shown] {
		g := &r.unschedulable[i]
		list := "nothing"
		if len(g.After) > 0 {
			list = strings.ReplaceAll(toleration.FormatList(g.After), ",", ", ") // to break lines
		}
		text := fmt.Sprintf("%s of %s, tolerating %s", command.Plural(g.Pods, "pod"), command.Some(g.Owners), list)
		if !g.Required.IsZero() {
			text += "; its node selector, required node affinity or volumes exclude other nodes"
		}
		w.Line(2, text)
	}
	more()
	if bytes.Contains(w.Out.Bytes(), []byte("==")) {
		w.Line(2, command.Notation)
	}
}

func (r *report) writeLimits(w *command.Writer, o *options) {
	if !o.limited {
		return
	}
	if len(r.violations) == 0 {
		paragraph(w, "All limits are kept.")
		return
	}
	paragraph(w, "Limits that the plan as a whole breaks:")
	for _, v := range r.violations {
		w.Line(2, v.String())
	}
}

func (r *report) writeStages(w *command.Writer) {
	if r.uncut != nil {
		paragraph(w, "No stages keep them: "+r.uncut.Error())
	}
	for i, stage := range r.stages {
		paragraph(w, fmt.Sprintf("Stage %d of %d: %s", i+1, len(r.stages), summaryText(stage.Summary())))
		for line := range strings.Lines(r.written(stage.Plan()).String()) {
			w.Line(2, strings.TrimSpace(line))
		}
	}
}

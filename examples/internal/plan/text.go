package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration"
)

func (r *report) text(w *command.Writer, o *options) {
	of := ""
	if len(o.Files) == 0 {
		of = "a built-in cluster (tolero plan -f FILE for yours), "
	}
	w.Line(0, fmt.Sprintf("The plan, for %s%s and %s:", of, command.Plural(r.cluster.nodes, "node"), command.Plural(r.cluster.count, "pod")))
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
	r.writeMoves(w, o.Limit)
	r.writeUnschedulable(w, o.Limit)
	r.writeLimits(w, o)
	if o.stages {
		r.writeStages(w)
	}
	if bytes.Contains(w.Out.Bytes(), []byte("==")) {
		paragraph(w, command.Notation)
	}
}

// paragraph writes a line after an empty one.
func paragraph(w *command.Writer, text string) {
	w.Line(0, "")
	w.Line(0, text)
}

func summaryText(s whatif.Summary) string {
	text := fmt.Sprintf("%s affected, %s evicted at once, %d later", command.Plural(s.Nodes, "node"), command.Plural(s.EvictedNow, "pod"), s.EvictedLater)
	if s.Stay > 0 {
		text += "; " + command.Plural(s.Stay, "pod") + " on these nodes unaffected"
	}
	for _, more := range []struct {
		n    int
		what string
	}{{s.EvictedAnyway, "evicted anyway, by taints of today"}, {s.Spared, "no longer evicted"}} {
		if more.n > 0 {
			text += fmt.Sprintf("; %s %s", command.Thousands(more.n), more.what)
		}
	}
	return text
}

func (r *report) writeEvictions(w *command.Writer, limit int) {
	if len(r.evictions) == 0 {
		return
	}
	paragraph(w, "Who is evicted:")
	w.Limited(len(r.evictions), limit, func(i int) string {
		e := &r.evictions[i]
		when, owner := "at once", ""
		if e.After > 0 {
			when = "after " + command.Duration(e.After)
		}
		if e.Owner != e.Pod {
			owner = " of " + e.Owner
		}
		return fmt.Sprintf("%s%s from %s %s: %s", e.Pod, owner, e.Node, when, e.Taint)
	})
}

func (r *report) writeMoves(w *command.Writer, limit int) {
	moving := slices.DeleteFunc(slices.Clone(r.groups), func(g Group) bool { return g.Gained+g.Lost == 0 })
	if len(moving) == 0 {
		return
	}
	paragraph(w, "Who gains or loses nodes that its node selector, required affinity and volumes admit:")
	w.Limited(len(moving), limit, func(i int) string {
		g := &moving[i]
		var parts []string
		if g.Lost > 0 {
			parts = append(parts, command.Plural(g.Lost, "fewer node"))
		}
		if g.Gained > 0 {
			parts = append(parts, command.Plural(g.Gained, "more node"))
		}
		return fmt.Sprintf("%s of %s: %s", command.Plural(g.Pods, "pod"), command.Some(g.Owners), strings.Join(parts, ", "))
	})
}

func (r *report) writeUnschedulable(w *command.Writer, limit int) {
	if len(r.unschedulable) == 0 {
		return
	}
	paragraph(w, "Who has no node left:")
	w.Limited(len(r.unschedulable), limit, func(i int) string {
		g := &r.unschedulable[i]
		list := "nothing"
		if len(g.After) > 0 {
			list = strings.ReplaceAll(toleration.FormatList(g.After), ",", ", ") // to break lines
		}
		text := fmt.Sprintf("%s of %s, tolerating %s", command.Plural(g.Pods, "pod"), command.Some(g.Owners), list)
		if !g.Required.IsZero() {
			text += "; its node selector, required node affinity or volumes exclude other nodes"
		}
		return text
	})
}

func (r *report) writeLimits(w *command.Writer, o *options) {
	kept := "All limits are kept."
	if o.needNode && r.unschedulable != nil {
		kept = "All other limits are kept."
		paragraph(w, "-need-node is broken: no node is left for "+count(r.unschedulable)+".")
	}
	switch {
	case r.violations != nil:
		paragraph(w, "Limits that the plan as a whole breaks:")
		for _, v := range r.violations {
			w.Line(2, r.cluster.say(v))
		}
	case o.limited:
		paragraph(w, kept)
	}
	if r.unasked(o) {
		paragraph(w, noBudgets+".")
	}
}

// noBudgets says that nobody is asked before evictions.
const noBudgets = "There are no PodDisruptionBudgets in the input (kubectl get pdb -A): none is looked at"

// unasked reports whether the plan evicts pods and no budget of the input could forbid that.
func (r *report) unasked(o *options) bool {
	return len(r.evictions) > 0 && len(o.Files) > 0 && len(r.cluster.read.Budgets) == 0 && !o.noBudgets
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

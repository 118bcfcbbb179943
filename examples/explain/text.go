package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/explain"
)

func (r *report) writeText(out *bytes.Buffer, width int) {
	w := &command.Writer{Out: out, Width: width}
	if len(r.groups) == 0 {
		w.Line(0, "No pod is pending. -pod NAME explains any other.")
	}
	for i := range r.groups {
		if i > 0 {
			w.Line(0, "")
		}
		r.groups[i].write(w, r.nodes)
	}
}

func (g *podGroup) write(w *command.Writer, nodes int) {
	w.Line(0, command.Some(g.names))
	w.Line(2, fmt.Sprintf("Taints let it go to %d of %s.", g.admitted, command.Plural(nodes, "node")))
	for i := range g.refusals {
		g.refusals[i].write(w)
	}
	if g.more > 0 {
		w.Line(2, fmt.Sprintf("%d more; -lists 0 shows all.", g.more))
	}
	for i := range g.accepted {
		a := &g.accepted[i]
		writeExplanation(w, a.nodes, &a.explanation)
		w.Line(0, "")
	}
	if len(g.refusals) == 0 {
		w.Line(2, "Nothing has to change. If it is pending, look at its resources and its affinity.")
	}
}

func (r *refusal) write(w *command.Writer) {
	writeExplanation(w, r.nodes, &r.explanation)
	taints, classes := r.passing()
	for i, x := range taints {
		w.Line(4, fmt.Sprintf("%s %s: wait rather than tolerate it", x, whenItGoes[classes[i]]))
	}
	writeRepair(w, "allowed on pods that exist:", &r.add)
	if len(r.correct.Edits) > 0 {
		writeRepair(w, "or in the manifest, what changes least:", &r.correct)
	}
	if len(r.edit.Edits) > 0 && r.edit.String() != r.correct.String() {
		writeRepair(w, "or there, so that nothing tolerated is lost:", &r.edit)
	}
}

func writeExplanation(w *command.Writer, nodes []string, e *explain.Explanation) {
	w.Line(0, "")
	w.Line(2, fmt.Sprintf("%s: %s", command.Plural(len(nodes), "node"), command.Some(nodes)))
	for line := range strings.Lines(e.String()) {
		indent := 4
		if strings.HasPrefix(line, " ") {
			indent = 6
		}
		w.Line(indent, strings.TrimSpace(line))
	}
}

// whenItGoes is about the classes of passing taints.
var whenItGoes = map[dialect.Class]string{
	dialect.Status:  "reflects the state of the node and goes away with it",
	dialect.Startup: "goes away once the node has started",
}

func writeRepair(w *command.Writer, heading string, r *explain.Repair) {
	w.Line(4, heading)
	for line := range strings.Lines(r.String()) {
		w.Line(6, strings.TrimSpace(line))
	}
}

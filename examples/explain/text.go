package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/explain"
)

// writer writes lines that are no wider than the width, except for words that are.
type writer struct {
	out   *bytes.Buffer
	width int // 0 is no limit
}

// line writes text, indented by so many columns, and what does not fit in further
// lines, which are indented by more.
func (w *writer) line(indent int, text string) {
	start := strings.Repeat(" ", indent)
	line := start
	for i, word := range strings.Split(printable(text), " ") {
		switch {
		case i == 0:
			line += word
		case w.width > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > w.width:
			fmt.Fprintln(w.out, strings.TrimRight(line, " "))
			line = start + "    " + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w.out, strings.TrimRight(line, " "))
}

func (r *report) writeText(out *bytes.Buffer, width int) {
	w := &writer{out, width}
	if len(r.groups) == 0 {
		w.line(0, "No pod is pending. -pod NAME explains any other.")
	}
	for i := range r.groups {
		if i > 0 {
			w.line(0, "")
		}
		r.groups[i].write(w, r.nodes)
	}
}

func (g *podGroup) write(w *writer, nodes int) {
	w.line(0, some(g.names))
	w.line(2, fmt.Sprintf("Taints let it go to %d of %s.", g.admitted, plural(nodes, "node")))
	for i := range g.refusals {
		g.refusals[i].write(w)
	}
	if g.more > 0 {
		w.line(2, fmt.Sprintf("%d more; -lists 0 shows all.", g.more))
	}
	if len(g.refusals) == 0 {
		w.line(2, "Nothing has to change. If it is pending, look at its resources and its affinity.")
	}
}

func (r *refusal) write(w *writer) {
	w.line(0, "")
	w.line(2, fmt.Sprintf("%s: %s", plural(len(r.nodes), "node"), some(r.nodes)))
	for line := range strings.Lines(r.explanation.String()) {
		indent := 4
		if strings.HasPrefix(line, " ") {
			indent = 6
		}
		w.line(indent, strings.TrimSpace(line))
	}
	taints, classes := r.passing()
	for i, x := range taints {
		w.line(4, fmt.Sprintf("%s %s: better wait than tolerate it", x, whenItGoes[classes[i]]))
	}
	writeRepair(w, "allowed on pods that exist:", &r.add)
	if len(r.edit.Edits) > 0 {
		writeRepair(w, "or in the manifest:", &r.edit)
	}
}

// whenItGoes is about the classes of passing taints.
var whenItGoes = map[dialect.Class]string{
	dialect.Status:  "tells the state of the node and goes with it",
	dialect.Startup: "goes once the node has started",
}

func writeRepair(w *writer, heading string, r *explain.Repair) {
	w.line(4, heading)
	for line := range strings.Lines(r.String()) {
		w.line(6, strings.TrimSpace(line))
	}
}

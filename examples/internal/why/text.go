package why

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/explain"
)

func (r *report) text(w *command.Writer) {
	if len(r.pods) == 0 {
		w.Line(0, "No pod is pending. tolero why POD explains any other.")
	}
	for i := range r.pods {
		if i > 0 {
			w.Line(0, "")
		}
		r.pods[i].write(w, r.fleet)
	}
}

func (g *podGroup) write(w *command.Writer, f *fleet) {
	w.Line(0, command.Some(g.names))
	g.writeCounts(w, f)
	for i := range g.refusals {
		g.refusals[i].write(w, g.where)
	}
	if g.more > 0 {
		w.Line(2, fmt.Sprintf("%d more; -limit 0 shows all.", g.more))
	}
	for i := range g.accepted {
		a := &g.accepted[i]
		writeExplanation(w, a.nodes, &a.explanation)
		w.Line(0, "")
	}
	switch {
	case len(g.refusals) > 0:
	case g.excluded.count == f.count:
		w.Line(2, "No toleration helps: look at its node selector and its node affinity.")
	default:
		w.Line(2, "Nothing has to change. If it is pending, look at its resources and its affinity to other pods.")
	}
}

// writeCounts says how many nodes there are for the pods.
func (g *podGroup) writeCounts(w *command.Writer, f *fleet) {
	n, of := f.count, command.Plural(f.count, "node")
	if g.excluded.count > 0 {
		w.Line(2, "Its node selector or required node affinity excludes "+f.excluded(&g.excluded)+".")
		if !f.one {
			n -= g.excluded.count
			of = command.Plural(n, "other node")
		}
	}
	if g.partly {
		w.Line(2, "Its DaemonSet is not in the input: the required node affinity of its template is unknown and may exclude more nodes; "+
			"kubectl get nodes,pods,daemonsets -A -o json prints it.")
	}
	if n > 0 {
		w.Line(2, fmt.Sprintf("Taints let it go to %d of %s.", g.admitted, of))
	}
}

// excluded says which nodes are excluded.
func (f *fleet) excluded(e *exclusion) (text string) {
	switch e.count {
	case 1:
		text = e.first
	case f.count:
		text = "all " + command.Plural(e.count, "node")
	default:
		text = fmt.Sprintf("%s, %s first", command.Plural(e.count, "node"), e.first)
	}
	if !f.labeled {
		text += "; the input has no labels of nodes"
	}
	return text
}

func (r *refusal) write(w *command.Writer, where place) {
	writeExplanation(w, r.nodes, &r.explanation)
	taints, classes := r.passing()
	for i, x := range taints {
		w.Line(4, fmt.Sprintf("%s %s: wait rather than tolerate it", x, whenItGoes[classes[i]]))
	}
	writeRepair(w, headings[where].add, &r.add)
	if len(r.correct.Edits) > 0 {
		writeRepair(w, headings[where].correct, &r.correct)
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

// headings are those of what to add and of what to change. The API server allows a pod that
// exists additions only; in a template everything is allowed, and is for new pods.
var headings = [...]struct{ add, correct string }{
	inPod:      {"allowed on pods that exist:", "or in the manifest, what changes least:"},
	inRollout:  {"in the template, which rolls out new pods:", "or there, what changes least:"},
	inTemplate: {"in the template, for new pods:", "or there, what changes least:"},
	inJob:      {"in a new Job, or in this one while it is suspended:", "or there, what changes least:"},
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

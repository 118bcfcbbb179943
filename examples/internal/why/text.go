package why

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/explain"
)

func (r *report) text(w *command.Writer) {
	if len(r.pods) == 0 {
		w.Line(0, "No pod is pending. tolero why POD explains any other.")
	}
	before := w.Out.Len()
	for i := range r.pods {
		if i > 0 {
			w.Line(0, "")
		}
		r.pods[i].write(w, r.Fleet)
	}
	if bytes.Contains(w.Out.Bytes()[before:], []byte("tolerations[")) {
		w.Line(0, "")
		w.Line(0, command.Notation)
	}
}

func (g *podGroup) write(w *command.Writer, f *placement.Fleet) {
	w.Line(0, command.Some(g.names))
	g.writeCounts(w, f)
	for i := range g.refusals {
		g.refusals[i].write(w, g.where, g.pending != nil)
	}
	if g.more > 0 {
		w.Line(2, fmt.Sprintf("%d more; -limit 0 shows all.", g.more))
	}
	for i := range g.accepted {
		a := &g.accepted[i]
		writeExplanation(w, a.nodes, &a.explanation, g.pending != nil)
		w.Line(0, "")
	}
	switch {
	case g.waits != nil && g.waits.Kind != byTaints:
	case len(g.refusals) > 0:
	case g.excluded.Count == f.Count:
		w.Line(2, "No toleration helps: look at its node selector and its node affinity.")
	default:
		w.Line(2, "Nothing has to change. If it is pending, look at its resources and its affinity to other pods.")
	}
}

// writeCounts says how many nodes there are for the pods.
func (g *podGroup) writeCounts(w *command.Writer, f *placement.Fleet) {
	n, of := f.Count, command.Plural(f.Count, "node")
	if g.excluded.Count > 0 {
		excludes := "Its node selector or required node affinity excludes "
		if g.pending != nil && g.pending.State != nil && g.pending.State.Claims != nil {
			excludes = "Its node selector, required node affinity or volumes exclude "
		}
		w.Line(2, excludes+excluded(f, &g.excluded)+".")
		if !f.One {
			n -= g.excluded.Count
			of = command.Plural(n, "other node")
		}
	}
	if g.partly {
		w.Line(2, "Its DaemonSet is not in the input: the required node affinity of its template is unknown and may exclude more nodes; "+
			"kubectl get nodes,pods,daemonsets -A -o json prints it.")
	}
	switch {
	case n > 0 && g.waits != nil && g.admitted > 0 && g.waits.Kind != byTaints:
		w.Line(2, fmt.Sprintf("Taints do not explain this: %d of %s %s it.", g.admitted, of, plural(g.admitted, "accepts", "accept")))
	case n > 0:
		w.Line(2, fmt.Sprintf("Taints let it go to %d of %s.", g.admitted, of))
	}
	g.writeWaiting(w)
}

// writeWaiting says why the pods wait beside taints.
func (g *podGroup) writeWaiting(w *command.Writer) {
	if g.waits == nil {
		return
	}
	if g.waits.Kind == bySelector {
		w.Line(2, "No toleration helps: look at its node selector, its node affinity and its volumes.")
	}
	for _, reason := range g.waits.Reasons {
		w.Line(2, reason)
	}
	if says := g.waits.Scheduler; says != "" {
		if g.waits.Since != "" {
			says += " (for " + g.waits.Since + ")"
		}
		w.Line(2, "The scheduler says: "+says)
	}
}

// excluded says which nodes are excluded.
func excluded(f *placement.Fleet, e *placement.Exclusion) (text string) {
	switch e.Count {
	case 1:
		text = e.First
	case f.Count:
		text = "all " + command.Plural(e.Count, "node")
	default:
		text = fmt.Sprintf("%s, %s first", command.Plural(e.Count, "node"), e.First)
	}
	if !f.Labeled {
		text += "; the input has no labels of nodes"
	}
	return text
}

func (r *refusal) write(w *command.Writer, where place, pending bool) {
	writeExplanation(w, r.nodes, &r.explanation, pending)
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

// writeExplanation writes what the taints mean. Of a pod that is pending it leaves out whether
// it may stay.
func writeExplanation(w *command.Writer, nodes []string, e *explain.Explanation, pending bool) {
	w.Line(0, "")
	w.Line(2, fmt.Sprintf("%s: %s", command.Plural(len(nodes), "node"), command.Some(nodes)))
	first := true
	for line := range strings.Lines(e.String()) {
		indent := 4
		if strings.HasPrefix(line, " ") {
			indent = 6
		}
		line = strings.TrimSpace(line)
		if end := strings.LastIndex(line, "; "); first && pending && end > 0 {
			line = line[:end]
		}
		first = false
		w.Line(indent, line)
	}
}

// headings are those of what to add and of what to change. The API server allows a pod that
// exists additions only; in a template everything is allowed, and is for new pods.
var headings = [...]struct{ add, correct string }{
	inPod:      {"add to the pod's tolerations:", "or in the manifest, what changes least:"},
	inRollout:  {"add to the tolerations of the template, which rolls out new pods:", "or there, what changes least:"},
	inTemplate: {"add to the tolerations of the template, for new pods:", "or there, what changes least:"},
	inJob:      {"add to the tolerations of a new Job, or of this one while it is suspended:", "or there, what changes least:"},
}

// whenItGoes is about the classes of passing taints.
var whenItGoes = map[dialect.Class]string{
	dialect.Status:  "reflects the state of the node and goes away with it",
	dialect.Startup: "goes away once the node has started",
}

func writeRepair(w *command.Writer, heading string, r *explain.Repair) {
	w.Line(4, heading)
	for i := range r.Additions {
		w.Copy(6, command.YAML(&r.Additions[i]))
	}
	for i := range r.Edits {
		e := &r.Edits[i]
		w.Line(6, fmt.Sprintf("in place of tolerations[%d], %s:", e.Index, e.Old))
		w.Copy(6, command.YAML(&e.New))
	}
}

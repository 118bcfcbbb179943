package why

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
)

func (r *report) text(w *command.Writer) {
	if len(r.Pods) == 0 {
		w.Line(0, "No pod is pending. tolero why POD explains any other.")
	}
	before := w.Out.Len()
	for i := range r.Pods {
		if r.limit > 0 && i == r.limit {
			w.Line(0, "")
			w.Line(0, fmt.Sprintf("%d more kinds of pods; -limit 0 shows all.", len(r.Pods)-i))
			break
		}
		if i > 0 {
			w.Line(0, "")
		}
		r.Pods[i].write(w, r.fleet)
	}
	if bytes.Contains(w.Out.Bytes()[before:], []byte("tolerations[")) {
		w.Line(0, "")
		w.Line(0, command.Notation)
	}
}

func (g *podGroup) write(w *command.Writer, f *placement.Fleet) {
	w.Line(0, command.Some(g.Names))
	for _, line := range g.Runs {
		w.Line(2, line)
	}
	g.writeCounts(w, f)
	for i := range g.Refusals {
		g.Refusals[i].write(w, g)
	}
	if g.More > 0 {
		w.Line(2, fmt.Sprintf("%d more; -limit 0 shows all.", g.More))
	}
	for i := range g.Accepted {
		a := &g.Accepted[i]
		writeExplanation(w, nodesOf(a.Nodes), &a.Explanation, g.Waits != nil)
		w.Line(0, "")
	}
	if g.Waits == nil && len(g.Refusals) == 0 && g.unmet == "" {
		w.Line(2, "Nothing has to change.")
	}
}

// writeCounts says how many nodes there are for the pods, and why those that wait do.
func (g *podGroup) writeCounts(w *command.Writer, f *placement.Fleet) {
	switch {
	case g.pinned && g.unmet == "":
		w.Line(2, "As a pod of a DaemonSet it is for one node.")
	case g.Excluded > 0 && g.unmet == "":
		w.Line(2, g.excluding(f))
	}
	if g.Partly {
		w.Line(2, "Its DaemonSet is not in the input: the required node affinity of its template is unknown and may exclude more nodes; to have it: "+command.Dump)
	}
	of := command.Plural(f.Count, "node")
	if g.Excluded > 0 {
		of = command.Plural(f.Count-g.Excluded, "other node")
	}
	switch {
	case f.One && g.unmet == "":
		say := map[bool]string{false: "Taints keep it from ", true: "Taints let it go to "}[g.Admitted > 0]
		w.Line(2, say+f.Names(&f.Groups[0])[0]+".")
	case g.unmet != "" && g.Waits == nil:
		w.Line(2, g.unmet+". No toleration helps.")
	case g.unmet != "" || f.Count == 0:
	case g.Waits != nil && !g.Waits.taints:
		w.Line(2, fmt.Sprintf("Taints do not explain this: %d of %s %s it.", g.Admitted, of, plural(g.Admitted, "accepts", "accept")))
	default:
		w.Line(2, fmt.Sprintf("Taints let it go to %d of %s.", g.Admitted, of))
	}
	if g.Waits == nil {
		return
	}
	for _, reason := range g.Waits.Reasons {
		w.Line(2, reason)
	}
	if says := g.Waits.Scheduler; says != "" {
		if g.Waits.Since != "" {
			says += " (for " + g.Waits.Since + ")"
		}
		w.Line(2, "The scheduler says: "+says)
	}
}

// excluding says what excludes nodes, and which.
func (g *podGroup) excluding(f *placement.Fleet) string {
	var parts []string
	if len(g.attraction.NodeSelector) > 0 {
		parts = append(parts, "node selector")
	}
	if g.attraction.Terms != nil {
		parts = append(parts, "required node affinity")
	}
	if g.attraction.Volumes != nil {
		parts = append(parts, "volume")
	}
	which := g.exclusion.First
	if g.Excluded > 1 {
		which = fmt.Sprintf("%s, %s first", command.Plural(g.Excluded, "node"), which)
	}
	if !f.Labeled {
		which += "; the input has no labels of nodes"
	}
	return "Its " + strings.Join(parts, " or ") + " excludes " + which + "."
}

func (r *refusal) write(w *command.Writer, g *podGroup) {
	nodes := nodesOf(r.Nodes)
	if r.Pool != "" {
		nodes = "a new node of " + r.Pool
	}
	writeExplanation(w, nodes, &r.Explanation, g.Waits != nil)
	for _, text := range r.Advice {
		w.Line(4, text)
	}
	if r.Add.Empty() {
		return
	}
	if r.Lacks != "" {
		w.Line(4, r.Lacks)
	}
	add := headings[g.where]
	if g.owner != "" {
		add += ", and to those of " + g.owner + " for new pods"
	}
	writeRepair(w, add+":", "", &explain.Repair{Additions: r.Add.Additions})
	change, other := "or there, ", "or there, so that it also matches what it did before, "
	if g.where == inPod {
		change, other = "or, in the manifest, ", "or, so that it also matches what it did before, "
	}
	if len(r.Correct.Edits) > 0 {
		writeRepair(w, change+"add:", change, &r.Correct)
	}
	same := func(d, e explain.Edit) bool {
		return d.Index == e.Index && command.YAML(&d.New) == command.YAML(&e.New)
	}
	if len(r.Edit.Edits) > 0 && !slices.EqualFunc(r.Edit.Edits, r.Correct.Edits, same) {
		writeRepair(w, other+"add:", other, &r.Edit)
	}
}

func nodesOf(names []string) string {
	return command.Plural(len(names), "node") + ": " + command.Some(names)
}

// writeExplanation writes what the taints mean. Where a pod that waits cannot go, it leaves out
// whether it might stay.
func writeExplanation(w *command.Writer, nodes string, e *explain.Explanation, waits bool) {
	w.Line(0, "")
	w.Line(2, nodes)
	lines := strings.Split(e.String(), "\n")
	if before, after, _ := strings.Cut(lines[0], "; "); waits && (after == "may stay" || e.Verdict.Scheduling == match.Unschedulable) {
		lines[0] = before
	}
	if waits && len(e.Reasons) == 1 && len(lines) == 2 {
		lines = []string{"not schedulable: " + strings.TrimSpace(lines[1])} // and not the same twice
	}
	for i, line := range lines {
		w.Line(4+2*min(i, 1), strings.TrimSpace(line))
	}
}

// headings say where to add. The API server allows a pod that exists additions only; in a
// template everything is allowed, and is for new pods.
var headings = [...]string{
	inPod:      "add to the pod's tolerations",
	inRollout:  "add to the tolerations of the template, which rolls out new pods",
	inTemplate: "add to the tolerations of the template, for new pods",
	inJob:      "add to the tolerations of a new Job, or of this one while it is suspended",
}

// writeRepair writes additions after their heading, and edits, which begin with change.
func writeRepair(w *command.Writer, add, change string, r *explain.Repair) {
	for i := range r.Additions {
		if i == 0 {
			w.Line(4, add)
			change = "and "
		}
		w.Copy(6, command.YAML(&r.Additions[i]))
	}
	for i := range r.Edits {
		e := &r.Edits[i]
		w.Line(4, fmt.Sprintf("%sreplace tolerations[%d] (%s) with:", change, e.Index, e.Old))
		w.Copy(6, command.YAML(&e.New))
		change = "and "
	}
}

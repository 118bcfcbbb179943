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
	if len(r.pods) == 0 {
		w.Line(0, "No pod is pending. tolero why POD explains any other.")
	}
	before := w.Out.Len()
	for i := range r.pods {
		if r.limit > 0 && i == r.limit {
			w.Line(0, "")
			w.Line(0, fmt.Sprintf("%d more kinds of pods; -limit 0 shows all.", len(r.pods)-i))
			break
		}
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
	for _, line := range g.runs {
		w.Line(2, line)
	}
	g.writeCounts(w, f)
	for i := range g.refusals {
		g.refusals[i].write(w, g)
	}
	if g.more > 0 {
		w.Line(2, fmt.Sprintf("%d more; -limit 0 shows all.", g.more))
	}
	for i := range g.accepted {
		a := &g.accepted[i]
		writeExplanation(w, nodesOf(a.nodes), &a.explanation, g.waits != nil)
		w.Line(0, "")
	}
	if g.waits == nil && len(g.refusals) == 0 && g.unmet == "" {
		w.Line(2, "Nothing has to change.")
	}
}

// writeCounts says how many nodes there are for the pods, and why those that wait do.
func (g *podGroup) writeCounts(w *command.Writer, f *placement.Fleet) {
	if g.excluded.Count > 0 && g.unmet == "" {
		w.Line(2, "Its "+g.excluding()+" excludes "+excluded(f, &g.excluded)+".")
	}
	if g.partly {
		w.Line(2, "Its DaemonSet is not in the input: the required node affinity of its template is unknown and may exclude more nodes; to have it: "+command.Dump)
	}
	switch of := among(f.Count, g.excluded.Count); {
	case f.One && g.unmet == "":
		say := map[bool]string{false: "Taints keep it from ", true: "Taints let it go to "}[g.admitted > 0]
		w.Line(2, say+f.Names(&f.Groups[0])[0]+".")
	case g.unmet != "" && g.waits == nil:
		w.Line(2, strings.ToUpper(g.unmet[:1])+g.unmet[1:]+". No toleration helps.")
	case g.unmet != "" || f.Count == 0:
	case g.waits != nil && !g.waits.taints:
		w.Line(2, fmt.Sprintf("Taints do not explain this: %d of %s %s it.", g.admitted, of, plural(g.admitted, "accepts", "accept")))
	default:
		w.Line(2, fmt.Sprintf("Taints let it go to %d of %s.", g.admitted, of))
	}
	if g.waits == nil {
		return
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

// excluding says what excludes nodes.
func (g *podGroup) excluding() string {
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
	return strings.Join(parts, " or ")
}

// among returns how many nodes there are but for those that are excluded.
func among(n, excluded int) string {
	if excluded > 0 {
		return command.Plural(n-excluded, "other node")
	}
	return command.Plural(n, "node")
}

// excluded says which nodes are excluded.
func excluded(f *placement.Fleet, e *placement.Exclusion) (text string) {
	if text = e.First; e.Count > 1 {
		text = fmt.Sprintf("%s, %s first", command.Plural(e.Count, "node"), e.First)
	}
	if !f.Labeled {
		text += "; the input has no labels of nodes"
	}
	return text
}

func (r *refusal) write(w *command.Writer, g *podGroup) {
	nodes := nodesOf(r.nodes)
	if r.pool != "" {
		nodes = "a new node of " + r.pool
	}
	writeExplanation(w, nodes, &r.explanation, g.waits != nil)
	for _, text := range r.advice {
		w.Line(4, text)
	}
	if !r.helps {
		return
	}
	if r.lacks != "" {
		w.Line(4, r.lacks)
	}
	add := headings[g.where]
	if g.owner != "" {
		add += ", and to those of " + g.owner + " for new pods"
	}
	writeRepair(w, add+":", "", &explain.Repair{Additions: r.add.Additions})
	change, other := "or there, ", "or there, so that it also matches what it did before, "
	if g.where == inPod {
		change, other = "or, in the manifest, ", "or, so that it also matches what it did before, "
	}
	if len(r.correct.Edits) > 0 {
		writeRepair(w, change+"add:", change, &r.correct)
	}
	same := func(d, e explain.Edit) bool {
		return d.Index == e.Index && command.YAML(&d.New) == command.YAML(&e.New)
	}
	if len(r.edit.Edits) > 0 && !slices.EqualFunc(r.edit.Edits, r.correct.Edits, same) {
		writeRepair(w, other+"add:", other, &r.edit)
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

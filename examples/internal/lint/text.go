package lint

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/lint"
)

func (r *report) text(w *command.Writer) {
	title := ""
	if r.title != "" {
		title = r.title + ", "
	}
	w.Line(0, fmt.Sprintf("%s%s and %s: %s", title, command.Plural(r.nodes, "node"), command.Plural(r.pods, "pod"), r.totals()))
	shown := make(map[lint.ID]int)
	for i, f := range r.Findings {
		if shown[f.ID] == 0 {
			w.Line(0, "")
			more := ""
			if f.ID == lint.KeepsPending {
				more = " (tolero why POD has the changes as YAML)"
			}
			w.Line(0, fmt.Sprintf("%s: %s, %s%s", f.Severity, f.ID, command.Plural(r.Counts[f.ID], "finding"), more))
		}
		shown[f.ID]++
		r.writeFinding(w, i)
		if more := r.Counts[f.ID] - shown[f.ID]; more > 0 && (i+1 == len(r.Findings) || r.Findings[i+1].ID != f.ID) {
			w.Line(2, fmt.Sprintf("%d more; -limit 0 shows all.", more))
		}
	}
	if r.Skipped > 0 {
		w.Line(0, "")
		w.Line(0, fmt.Sprintf("%s with node selectors not compared with the taints: there are too many kinds of nodes.", command.Plural(r.Skipped, "DaemonSet")))
	}
	if bytes.Contains(w.Out.Bytes(), []byte("==")) {
		w.Line(0, "")
		w.Line(0, command.Notation)
	}
	if len(r.Findings) > 0 {
		w.Line(0, "")
		w.Line(0, "To silence what is intended: tolero lint -o silences prints a line for each object of a finding; put some of them, with your reasons, into a file for -silence.")
	}
}

// totals counts findings by their severity.
func (r *report) totals() string {
	n := count(r.Counts, lint.Info)
	if n == 0 {
		return "no findings" + r.silencedText()
	}
	errors := count(r.Counts, lint.Error)
	warnings := count(r.Counts, lint.Warning) - errors
	return fmt.Sprintf("%s, %s, %d info%s",
		command.Plural(errors, "error"), command.Plural(warnings, "warning"), n-errors-warnings, r.silencedText())
}

func (r *report) silencedText() string {
	if r.Silenced == 0 {
		return ""
	}
	return fmt.Sprintf(", %d silenced", r.Silenced)
}

func (r *report) writeFinding(w *command.Writer, i int) {
	f := &r.Findings[i]
	w.Line(2, r.about(f)+", "+r.fields[i])
	if r.places[i] != "" {
		w.Line(4, "in "+r.places[i])
	}
	w.Line(4, f.Reason)
	w.Line(4, "fix: "+f.Fix)
	for j := range f.Additions[:min(len(f.Additions), 3)] {
		w.Copy(6, command.YAML(&f.Additions[j]))
	}
}

// about says which objects a finding is about. A pod has the name of its owner, and so
// may the others; of the built-in lists each is named.
func (r *report) about(f *lint.Finding) string {
	switch {
	case f.Count <= 1:
		return f.Object
	case r.title != "" || strings.HasPrefix(f.Field, "taints"):
		return fmt.Sprintf("%s and %d more", f.Object, f.Count-1)
	case strings.HasPrefix(f.Object, "Pod "):
		return fmt.Sprintf("%s and %s", f.Object, command.Plural(f.Count-1, "more pod"))
	}
	return fmt.Sprintf("%s, the first of %s", command.Plural(f.Count, "pod"), f.Object)
}

// writeSilences writes lines that silence the findings: one for each object of a finding,
// with the reason of the first finding that needs it.
func (r *report) writeSilences(_ *options, out *bytes.Buffer) error {
	written := make(map[lint.Silence]bool)
	for _, f := range r.Findings {
		for _, s := range f.Silences() {
			if what := (lint.Silence{ID: s.ID, Object: s.Object, Key: s.Key}); !written[what] {
				written[what] = true
				fmt.Fprintln(out, command.Printable(s.String()))
			}
		}
	}
	return nil
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration"
)

// writeKubectl writes the commands that carry out the plan, by the names of nodes, with a
// comment before each stage. Lists of owners, which do not belong to nodes, come first.
func (r *report) writeKubectl(out *bytes.Buffer) {
	if r.uncut != nil {
		fmt.Fprintf(out, "# No stages keep the limits: %s\n", command.Printable(r.uncut.Error()))
		return
	}
	for i := range r.plan.Steps {
		if s := &r.plan.Steps[i]; s.Action == whatif.SetTolerations {
			fmt.Fprintln(out, command.Printable(patch(s)))
		}
	}
	for i, stage := range r.stages {
		if len(r.stages) > 1 {
			fmt.Fprintf(out, "# Stage %d of %d: %s\n", i+1, len(r.stages), summaryText(stage.Summary()))
		}
		plan := stage.Plan()
		for i := range plan.Steps {
			if s := &plan.Steps[i]; s.Action != whatif.SetTolerations {
				fmt.Fprintln(out, safe(s.String()))
			}
		}
	}
}

// safe returns the command, or a comment if it has a character that a shell could read as
// something else: names come from files that anybody may have written.
func safe(line string) string {
	odd := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" ._/=:-", r))
	}
	if strings.ContainsFunc(line, odd) {
		return "# Not for a shell: " + command.Printable(line)
	}
	return line
}

// patch returns the command that gives a workload another list, or a comment if the
// workload cannot be changed by a patch of its template.
func patch(s *whatif.Step) string {
	if n := &s.Nodes; n.All || n.Names != nil || n.Tainted != nil {
		return fmt.Sprintf("# No template is for the pods on some nodes: %s", s)
	}
	kind, name, _ := strings.Cut(s.Owner, " ")
	namespace, name, namespaced := strings.Cut(name, "/")
	switch {
	case !namespaced || strings.HasPrefix(safe(namespace+name), "#") || strings.Contains(name, " "):
	case kind == "Deployment" || kind == "DaemonSet" || kind == "StatefulSet":
		list := s.Tolerations
		if list == nil {
			list = []toleration.Toleration{}
		}
		text, err := json.Marshal(map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"tolerations": list}}}})
		if err == nil && !bytes.ContainsRune(text, '\'') {
			return fmt.Sprintf("kubectl --namespace %s patch %s %s --type merge --patch '%s'", namespace, strings.ToLower(kind), name, text)
		}
	}
	return fmt.Sprintf("# Change the template that %s comes from: %s", s.Owner, s)
}

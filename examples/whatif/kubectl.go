package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration"
)

// writeKubectl writes the commands that carry out the plan, by the names of nodes, with a
// comment before each stage. Lists of owners, which do not belong to nodes, come first.
func (r *report) writeKubectl(out *bytes.Buffer) {
	if text := r.unread(); text != "" {
		fmt.Fprintln(out, "# "+text)
	}
	if r.uncut != nil {
		fmt.Fprintf(out, "# No stages keep the limits: %s\n", command.Printable(r.uncut.Error()))
		return
	}
	for i := range r.plan.Steps {
		if s := &r.plan.Steps[i]; setsTolerations(s) {
			fmt.Fprintln(out, command.Printable(patch(s)))
		}
	}
	for i, stage := range r.stages {
		if len(r.stages) > 1 {
			fmt.Fprintf(out, "# Stage %d of %d: %s\n", i+1, len(r.stages), summaryText(stage.Summary()))
		}
		plan := stage.Plan()
		for i := range plan.Steps {
			if s := &plan.Steps[i]; !setsTolerations(s) {
				fmt.Fprintln(out, change(s))
			}
		}
	}
}

// word is the characters of names that no shell reads as something else.
const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// isName reports whether a shell and kubectl read a text as one name: not as a flag, which
// begins with "-", nor as a taint, which has other characters or ends in "-". Names come
// from files that anybody may have written.
func isName(text string) bool {
	return strings.Trim(text, word) == "" && strings.Trim(text, "-") == text && text != ""
}

// change returns the command that changes nodes, or a comment if one of their names is none.
// Taints are valid, so a shell reads them as they are.
func change(s *whatif.Step) string {
	if slices.ContainsFunc(s.Nodes.Names, func(name string) bool { return !isName(name) }) {
		return "# Not for a shell: " + command.Printable(s.String())
	}
	return s.String()
}

// patch returns the command that gives a workload another list, or a comment if the
// workload cannot be changed by a patch of its template.
func patch(s *whatif.Step) string {
	if n := &s.Nodes; n.All || n.Names != nil || n.Tainted != nil {
		return fmt.Sprintf("# No template is for the pods on some nodes: %s", s)
	}
	kind, name, _ := strings.Cut(s.Owner, " ")
	namespace, name, _ := strings.Cut(name, "/")
	list := s.Tolerations
	if list == nil {
		list = []toleration.Toleration{}
	}
	text, _ := json.Marshal(map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"tolerations": list}}}})
	if !slices.Contains([]string{"Deployment", "DaemonSet", "StatefulSet"}, kind) || !isName(namespace) || !isName(name) || bytes.ContainsRune(text, '\'') {
		return fmt.Sprintf("# Change the template that %s comes from: %s", s.Owner, s)
	}
	return fmt.Sprintf("kubectl --namespace %s patch %s %s --type merge --patch '%s'", namespace, strings.ToLower(kind), name, text)
}

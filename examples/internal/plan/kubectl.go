package plan

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
	switch {
	case r.uncut != nil:
		fmt.Fprintf(out, "# No stages keep the limits: %s\n", command.Printable(r.uncut.Error()))
		return
	case r.early != nil:
		fmt.Fprintf(out, "# No commands do what the plan does: %s\n", command.Printable(r.early.Error()))
		return
	}
	for i := range r.plan.Steps {
		if s := &r.plan.Steps[i]; setsTolerations(s) && !replaced(s, r.plan.Steps[i+1:]) {
			fmt.Fprintln(out, command.Printable(patch(s)))
		}
	}
	var stages []whatif.Stage
	var commands [][]string // of these
	for _, stage := range r.stages {
		if lines := changes(stage); lines != nil {
			stages, commands = append(stages, stage), append(commands, lines)
		}
	}
	for i, stage := range stages {
		if len(stages) > 1 {
			fmt.Fprintf(out, "# Stage %d of %d: %s\n", i+1, len(stages), summaryText(stage.Summary()))
		}
		for _, line := range commands[i] {
			fmt.Fprintln(out, line)
		}
	}
}

// changes returns the commands that change the nodes of a stage.
func changes(stage whatif.Stage) (lines []string) {
	plan := stage.Plan()
	for i := range plan.Steps {
		if s := &plan.Steps[i]; !setsTolerations(s) {
			lines = append(lines, change(s))
		}
	}
	return lines
}

// replaced reports whether a later step gives all pods of the same owner yet another list:
// pods never need the first one.
func replaced(s *whatif.Step, later []whatif.Step) bool {
	return slices.ContainsFunc(later, func(l whatif.Step) bool { return l.Owner == s.Owner && !onSomeNodes(&l) })
}

// checkRollouts returns why the commands would not do what the stages of a plan say, or nil
// if they do. Lists come first and are for all nodes at once, so they must not evict alone:
// with several stages no pod, and with one no pod that the plan leaves where it is.
func (r *report) checkRollouts(admitted whatif.Plan) error {
	lists := slices.DeleteFunc(slices.Clone(admitted.Steps), func(s whatif.Step) bool { return !setsTolerations(&s) })
	if len(lists) == 0 {
		return nil
	}
	alone, err := whatif.Evaluate(r.cluster.fleet, r.cluster.pods, whatif.Plan{Steps: lists}, whatif.Options{})
	if err != nil {
		return err
	}
	when := "before nodes change, and the plan leaves that pod where it is"
	planned := make(map[string]bool) // pods that may be evicted at any time
	if n := len(r.stages); n > 1 {
		when = fmt.Sprintf("before the first of %d stages", n)
	} else {
		for _, e := range r.evictions {
			planned[e.Pod] = true
		}
	}
	for e := range alone.Evictions() {
		if !planned[e.Pod] {
			i := r.lastList(e.Owner)
			return fmt.Errorf("step %d, %s: kubectl gives all pods of an owner their list at once; that evicts %s from %s %s", i+1, r.plan.Steps[i], e.Pod, e.Node, when)
		}
	}
	return nil
}

// lastList returns the position of the last step that gives pods of an owner a list. Only
// such steps have an owner.
func (r *report) lastList(owner string) int {
	i := len(r.plan.Steps) - 1
	for r.plan.Steps[i].Owner != owner {
		i--
	}
	return i
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
	if onSomeNodes(s) {
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

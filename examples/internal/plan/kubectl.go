package plan

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// script is the script without its stages.
//
//go:embed script.sh
var script string

// Job is a plan and its stages, to be carried out by kubectl.
type Job struct {
	Fleet    *index.Snapshot
	Pods     *whatif.Pods
	Plan     whatif.Plan // as it was given
	Admitted whatif.Plan // as it was evaluated: see command.DaemonSets
	Stages   []whatif.Stage
	Budgets  []whatif.Budget // PodDisruptionBudgets, by namespace/name, for which stages wait
}

// Script returns a script that carries out the plan, by the names of nodes, stage by stage.
// Lists of owners, which do not belong to nodes, come first. If these would evict pods too
// early there is none, and the text is a comment that says so, as the error does.
func (r *Job) Script() (string, error) {
	if err := r.early(); err != nil {
		return fmt.Sprintf("# No commands do what the plan does: %s\n", command.Printable(err.Error())), err
	}
	var lines []string
	for i := range r.Plan.Steps {
		if s := &r.Plan.Steps[i]; setsTolerations(s) && !replaced(s, r.Plan.Steps[i+1:]) {
			line := patch(s)
			lines = append(lines, line)
			if wait, known := rollout(s.Owner); known && !strings.HasPrefix(line, "by_hand ") {
				lines = append(lines, wait)
			}
		}
	}
	stages := slices.DeleteFunc(slices.Clone(r.Stages), func(s whatif.Stage) bool { return Changes(s) == nil })
	held := r.held(stages)
	if len(held) > 0 {
		lines = append(lines, "# New pods keep off nodes whose turn comes later: they would be evicted again.", "kubectl cordon "+strings.Join(held, " "))
	}
	for i, stage := range stages {
		if len(stages) > 1 {
			lines = append(lines, fmt.Sprintf("# Stage %d of %d: %s", i+1, len(stages), summaryText(stage.Summary())))
		}
		lines = append(lines, r.before(stage)...)
		lines = append(lines, Changes(stage)...)
		taints := maps.Collect(stage.Nodes())
		over := slices.DeleteFunc(changed(stage), func(name string) bool { return !slices.Contains(held, name) || isCordoned(taints[name]) })
		if len(over) > 0 {
			lines = append(lines, "kubectl uncordon "+strings.Join(over, " "))
		}
		if i < len(stages)-1 {
			lines = append(lines, after(stage)...)
		}
	}
	body := numbered(lines)
	id := fnv.New32a()
	io.WriteString(id, body)
	return strings.NewReplacer("@ID@", fmt.Sprintf("%08x", id.Sum32()), "\t@STAGES@\n", body).Replace(script), nil
}

// numbered returns the lines with their places: those of commands are steps, and those that wait
// come before the next step.
func numbered(lines []string) string {
	var body strings.Builder
	n := 0
	for _, line := range lines {
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "#":
		case "rollout", "sleep", "left", "allows":
			line = fmt.Sprintf("before %d %s", n+1, line)
		case "by_hand":
			n++
			line = fmt.Sprintf("by_hand %d '%s'", n, strings.ReplaceAll(rest, "'", `'\''`))
		default:
			n++
			line = fmt.Sprintf("step %d %s", n, line)
		}
		body.WriteString("\t" + command.Printable(line) + "\n")
	}
	return body.String()
}

// held returns the nodes of later stages that are to be cordoned until their turn, if pods are evicted
// then, and are not cordoned yet.
func (r *Job) held(stages []whatif.Stage) (names []string) {
	evicts := false
	for _, stage := range stages[min(1, len(stages)):] {
		evicts = evicts || stage.Summary().EvictedNow+stage.Summary().EvictedLater > 0
		names = append(names, changed(stage)...)
	}
	if !evicts {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool {
		id, _ := r.Fleet.ID(name)
		return !isName(name) || isCordoned(r.Fleet.AppendTaints(nil, r.Fleet.Class(id)))
	})
}

// changed returns the nodes whose taints a stage changes.
func changed(stage whatif.Stage) (names []string) {
	plan := stage.Plan()
	for i := range plan.Steps {
		if s := &plan.Steps[i]; !setsTolerations(s) {
			names = append(names, s.Nodes.Names...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func isCordoned(taints []taint.Taint) bool {
	return slices.ContainsFunc(taints, func(t taint.Taint) bool { return t.Key == taint.KeyUnschedulable && t.Effect == taint.NoSchedule })
}

// before returns the commands that wait until the budgets allow the evictions of a stage.
func (r *Job) before(stage whatif.Stage) (lines []string) {
	for i := range r.Budgets {
		b := &r.Budgets[i]
		n := 0
		for e := range stage.Evictions() {
			if _, named := slices.BinarySearch(b.Pods, e.Pod); named {
				n++
			}
		}
		if namespace, name, _ := strings.Cut(b.Name, "/"); n > 0 && isName(namespace) && isName(name) {
			lines = append(lines, fmt.Sprintf("allows %s %s %d", namespace, name, n))
		}
	}
	return lines
}

// maxWaits is how many pods are waited for after a stage, each of which kubectl is asked about.
const maxWaits = 100

// after returns the commands that wait until the cluster has recovered from a stage: until its
// pods have left, and their owners have new ones.
func after(stage whatif.Stage) (lines []string) {
	var owners []string
	all := slices.SortedStableFunc(stage.Evictions(), func(a, b whatif.Eviction) int { return cmp.Compare(b.After, a.After) })
	for _, e := range all {
		if line, known := rollout(e.Owner); known {
			owners = append(owners, line)
		}
	}
	if len(all) > 0 && all[0].After > 0 {
		lines = append(lines, fmt.Sprintf("sleep %d", int64((all[0].After+time.Second-1)/time.Second)))
	}
	for _, e := range all[:min(len(all), maxWaits)] {
		if namespace, name, _ := strings.Cut(strings.TrimPrefix(e.Pod, "Pod "), "/"); isName(namespace) && isName(name) && isName(e.Node) {
			lines = append(lines, fmt.Sprintf("left %s %s %s", namespace, name, e.Node))
		}
	}
	if n := len(all) - maxWaits; n > 0 {
		lines = append(lines, fmt.Sprintf("# %s not waited for, none of which is due later", command.Plural(n, "more pod")))
	}
	if len(all) > 0 {
		lines = append(lines, `sleep "$SETTLE"`)
	}
	slices.Sort(owners)
	return append(lines, slices.Compact(owners)...)
}

// rollout returns the command that waits for the pods of a workload, and whether kubectl has
// one.
func rollout(owner string) (line string, known bool) {
	kind, name, _ := strings.Cut(owner, " ")
	namespace, name, _ := strings.Cut(name, "/")
	return fmt.Sprintf("rollout %s %s/%s", namespace, strings.ToLower(kind), name),
		slices.Contains(rolledOut, kind) && isName(namespace) && isName(name)
}

// rolledOut are the kinds whose templates roll out new pods.
var rolledOut = []string{"Deployment", "DaemonSet", "StatefulSet"}

// Changes returns the commands that change the nodes of a stage.
func Changes(stage whatif.Stage) (lines []string) {
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

// early returns why the commands would not do what the stages of a plan say, or nil
// if they do. Lists come first and are for all nodes at once, so they must not evict alone:
// with several stages no pod, and with one no pod that the plan leaves where it is.
func (r *Job) early() error {
	lists := slices.DeleteFunc(slices.Clone(r.Admitted.Steps), func(s whatif.Step) bool { return !setsTolerations(&s) })
	if len(lists) == 0 {
		return nil
	}
	alone, err := whatif.Evaluate(r.Fleet, r.Pods, whatif.Plan{Steps: lists}, whatif.Options{})
	if err != nil {
		return err
	}
	when := "before nodes change, and the plan leaves that pod where it is"
	planned := make(map[string]bool) // pods that may be evicted at any time
	if n := len(r.Stages); n > 1 {
		when = fmt.Sprintf("before the first of %d stages", n)
	} else {
		for _, stage := range r.Stages {
			for e := range stage.Evictions() {
				planned[e.Pod] = true
			}
		}
	}
	for e := range alone.Evictions() {
		if !planned[e.Pod] {
			i := r.lastList(e.Owner)
			return fmt.Errorf("step %d, %s: kubectl gives all pods of an owner their list at once; that evicts %s from %s %s", i+1, r.Plan.Steps[i], e.Pod, e.Node, when)
		}
	}
	return nil
}

// lastList returns the position of the last step that gives pods of an owner a list. Only
// such steps have an owner.
func (r *Job) lastList(owner string) int {
	i := len(r.Plan.Steps) - 1
	for r.Plan.Steps[i].Owner != owner {
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

// change returns the command that changes nodes, or what to do by hand if one of their names is none.
// Taints are valid, so a shell reads them as they are.
func change(s *whatif.Step) string {
	if slices.ContainsFunc(s.Nodes.Names, func(name string) bool { return !isName(name) }) {
		return "by_hand not for a shell: " + command.Printable(s.String())
	}
	return s.String()
}

// patch returns the command that gives a workload another list, or what to do by hand if
// the workload cannot be changed by a patch of its template.
func patch(s *whatif.Step) string {
	if onSomeNodes(s) {
		return fmt.Sprintf("by_hand no template is for the pods on some nodes: %s", s)
	}
	kind, name, _ := strings.Cut(s.Owner, " ")
	namespace, name, _ := strings.Cut(name, "/")
	list := s.Tolerations
	if list == nil {
		list = []toleration.Toleration{}
	}
	text, _ := json.Marshal(map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"tolerations": list}}}})
	if !slices.Contains(rolledOut, kind) || !isName(namespace) || !isName(name) || bytes.ContainsRune(text, '\'') {
		return fmt.Sprintf("by_hand change the template that %s comes from: %s", s.Owner, s)
	}
	return fmt.Sprintf("kubectl --namespace %s patch %s %s --type merge --patch '%s'", namespace, strings.ToLower(kind), name, text)
}

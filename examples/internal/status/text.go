package status

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// Section is what is wrong in one respect: a heading, the command that tells more, and lines.
type Section struct {
	Heading, More string // More may be empty
	Lines         []Line
}

// Line is a cause with those that it concerns.
type Line struct {
	Text string
	Pods []string // by their IDs; none if it is about nodes
	Node string   // that the pods run on, or the first that the line is about
}

// Headline says how large the cluster is, and that nothing is wrong if that is so.
func (r *Report) Headline() string {
	of := command.Plural(r.Nodes, "node") + " and " + command.Plural(r.Pods, "pod")
	if r.demo {
		of = "A built-in cluster (tolero -f FILE for yours), " + of
	}
	if r.Pods == 0 {
		return of + " in the input; to have all: " + command.Dump
	}
	if r.Healthy() {
		return of + ": nothing is wrong. No pod is pending, no taint evicts one, and no taint or toleration is likely a mistake."
	}
	return of + "."
}

// Sections returns what is wrong beside findings. There are no empty ones.
func (r *Report) Sections() []Section {
	pods := 0
	pending := Section{More: "tolero why POD"}
	for i := range r.Pending {
		c := &r.Pending[i]
		pods += len(c.Pods)
		text := c.Text
		if len(c.Owners) > 1 {
			text = strings.NewReplacer("taints keep it from", "taints keep them from", "that it may use", "that they may use", "it requests", "each requests", "that accept it has", "that accept them has").Replace(text)
		}
		pending.Lines = append(pending.Lines, Line{fmt.Sprintf("%s: %s", command.Some(c.Owners), text), c.Pods, ""})
	}
	pending.Heading = command.Plural(pods, "pod") + " pending"
	taints := Section{Heading: "Taints that most nodes of the pool do not have, and cordons"}
	for i := range r.Unusual {
		u := &r.Unusual[i]
		of := command.Plural(u.Of, "node")
		if u.Pool != "" {
			of += " of pool " + u.Pool
		}
		text := fmt.Sprintf("%s: %s (%d of %s)", u.Taint, command.Some(u.Nodes), len(u.Nodes), of)
		if what := command.Passing(&u.taint, u.Nodes); what != "" {
			text += "; it " + what
		}
		taints.Lines = append(taints.Lines, Line{text, nil, u.Nodes[0]})
	}
	evicted := Section{Heading: command.Plural(len(r.Evictions), "pod") + " evicted by taints", More: "tolero why POD"}
	if r.asOf != "" {
		evicted.More = "as of " + r.asOf + "; " + evicted.More
	}
	for _, l := range byNode(r.Evictions) {
		when := command.When(l[0].after, l[0].Counted)
		if last := &l[len(l)-1]; last.after != l[0].after {
			when += ", the last " + command.When(last.after, last.Counted)
		}
		names := make([]string, len(l))
		for j := range l {
			names[j] = l[j].Pod
		}
		evicted.Lines = append(evicted.Lines, Line{fmt.Sprintf("%s: %s: %s: %s", l[0].Node, l[0].Taint, when, command.Some(names)), names, l[0].Node})
	}
	return slices.DeleteFunc([]Section{pending, taints, evicted}, func(s Section) bool { return s.Lines == nil })
}

func (r *Report) text(w *command.Writer, limit int) {
	w.Line(0, r.Headline())
	if r.Healthy() {
		return
	}
	for _, s := range r.Sections() {
		w.Line(0, "")
		if s.More != "" {
			s.Heading += " (" + s.More + ")"
		}
		w.Line(0, s.Heading)
		w.Limited(len(s.Lines), limit, func(i int) string { return s.Lines[i].Text })
	}
	if len(r.rules) > 0 {
		w.Line(0, "")
		w.Line(0, r.FindingsText()+" (tolero lint)")
		var rules []string
		for _, id := range r.rules {
			rules = append(rules, fmt.Sprintf("%d %s", r.Rules[id], id))
		}
		w.Line(2, strings.Join(rules, ", "))
	}
}

// FindingsText says how many findings there are, by severity.
func (r *Report) FindingsText() string {
	return fmt.Sprintf("Findings: %s, %s, %d info", command.Plural(r.Findings["error"], "error"), command.Plural(r.Findings["warning"], "warning"), r.Findings["info"])
}

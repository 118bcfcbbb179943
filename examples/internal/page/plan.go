package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/plan"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// question is a plan, and the limits to keep; an empty one is none.
type question struct {
	Plan        string `json:"plan"`
	MaxNodes    string `json:"maxNodes"`
	MaxPods     string `json:"maxPods"`
	MaxPercent  string `json:"maxPercent"`
	MaxPerOwner string `json:"maxPerOwner"`
	Budgets     string `json:"budgets"` // a line each
}

// args returns the question as the command line of tolero plan.
func (q *question) args() (args []string, limited bool) {
	args = []string{"-plan", "-"}
	for _, f := range [][2]string{{"-max-nodes", q.MaxNodes}, {"-max-pods", q.MaxPods}, {"-max-percent", q.MaxPercent}, {"-max-per-owner", q.MaxPerOwner}} {
		if f[1] != "" {
			args = append(args, f[0]+"="+f[1])
		}
	}
	for line := range strings.Lines(q.Budgets) {
		if line = strings.TrimSpace(line); line != "" {
			args = append(args, "-budget="+line)
		}
	}
	return args, len(args) > 2
}

// planned is what tolero plan says, as JSON, with what the page adds.
type planned struct {
	Plan      []string
	Summary   summary
	Evictions []struct {
		Pod     string
		Seconds float64
	}
	Stages []struct {
		Summary summary
		Plan    []string
	}
	NoStages string

	Errors     []string
	Answer     []block
	Script     string
	Columns    []*column
	Title      string
	Alone      []line   // workloads that one pool accepts then
	Fewer      []string // workloads that fewer nodes accept
	All        after    // pods that leave
	Rows       []change
	MoreRows   int
	MoreStages int
}

// summary counts nodes that change, and their pods.
type summary struct{ Nodes, EvictedNow, EvictedLater, EvictedAnyway, Spared, Stay int64 }

// Evicted is how many pods the plan evicts.
func (s summary) Evicted() int64 { return s.EvictedNow + s.EvictedLater }

// change is a row of the matrix before and after.
type change struct {
	*row
	Then []after
	Note string // what is remarkable about it then

	leave int64 // how many pods of the row do
}

// after is a cell before and after, and how many pods leave it, at once and later.
type after struct {
	Was, Is     cell
	Now, Later  int64
	first, last time.Duration // after which the later ones leave
}

// When says when the later ones leave.
func (a after) When() string {
	return joined("after "+command.Duration(a.first), " to ", clause{a.last > a.first, command.Duration(a.last)})
}

// leave adds pods that leave.
func (a *after) leave(pods int64, seconds float64) {
	if seconds == 0 {
		a.Now += pods
		return
	}
	when := time.Duration(seconds * float64(time.Second))
	if a.Later == 0 {
		a.first = when
	}
	a.Later, a.first, a.last = a.Later+pods, min(a.first, when), max(a.last, when)
}

// Text is the change in a few characters.
func (a after) Text() string {
	return joined("", " ", clause{a.Was.Accept != a.Is.Accept, fmt.Sprintf("%d →", a.Was.Accept)}, clause{true, fmt.Sprintf("%d/%d", a.Is.Accept, a.Is.Nodes)},
		clause{a.Now > 0, "✕" + command.Thousands(a.Now) + " now"}, clause{a.Later > 0, "◷" + command.Thousands(a.Later) + " " + a.When()})
}

// Class returns how much attention the change needs.
func (a after) Class() string {
	switch {
	case a.Now > 0:
		return "evict"
	case a.Later > 0:
		return "later"
	case a.Is.Accept == 0 && a.Was.Accept > 0:
		return "want"
	case a.Is.Accept > a.Was.Accept:
		return "more"
	case a.Is.Accept > 0:
		return "ok"
	}
	return "no"
}

// Limits of an answer.
const (
	maxChanged = 60
	maxStages  = 50
	maxScript  = 256 << 10 // bytes
)

// plan asks tolero plan, and puts the answer beside the matrix.
func (in *source) plan(m *matrix, q *question) *planned {
	p := new(planned)
	fail := func(err error) *planned {
		return &planned{Errors: strings.Split(cuts(strings.ReplaceAll(err.Error(), "\n    ", " ")), "\n")}
	}
	args, limited := q.args()
	if limited || len(in.Cluster.Budgets) > 0 {
		args = append(args, "-stages")
	}
	data, err := in.ask(in.Cluster, plan.Command, q.Plan, append(args, "-o", "json", "-limit", "0")...)
	if err != nil {
		return fail(err)
	}
	if err := json.Unmarshal([]byte(data), &struct{ Result *planned }{p}); err != nil {
		return fail(err)
	}
	text, err := in.ask(in.Cluster, plan.Command, q.Plan, append(args, "-limit", maxLines)...)
	if err != nil {
		return fail(err)
	}
	p.Answer = blocksOf(text)
	if p.Script, err = in.ask(in.Cluster, plan.Command, q.Plan, append(args, "-o", "kubectl")...); err != nil {
		return fail(err)
	}
	if len(p.Script) > maxScript {
		p.Script = "# The script is too long for the page; tolero plan -o kubectl prints it.\n"
	}
	p.MoreStages = max(0, len(p.Stages)-maxStages)
	p.Stages = p.Stages[:len(p.Stages)-p.MoreStages]
	p.Title = title(q.Plan, m.Columns)
	if err := in.beside(m, p); err != nil {
		return fail(err)
	}
	return p
}

// title returns a plan in few words, in which pools have their names.
func title(commands string, columns []*column) string {
	names := []string{"kubectl ", ""}
	for _, to := range columns {
		selector, pool := " -l "+to.label+"="+to.Name+" ", " pool "+to.Name+" "
		names = append(names, " nodes"+selector, pool, selector, pool)
	}
	commands = strings.NewReplacer(names...).Replace(strings.ReplaceAll(strings.TrimSpace(commands), "\n", " ; ") + " ")
	return cutTo(strings.TrimSpace(strings.ReplaceAll(commands, " ; ", "; ")), 200)
}

// beside evaluates the plan for the nodes, and sets the rows of the matrix that it changes.
func (in *source) beside(m *matrix, p *planned) error {
	steps, err := p.steps()
	if err != nil {
		return err
	}
	nodes, lists, err := in.after(steps)
	if err != nil {
		return err
	}
	then := &matrix{view: m.view, Columns: m.Columns, of: m.of}
	for _, r := range m.Rows {
		next := *r
		if list, changed := lists[command.Owner(r.sample)]; changed {
			next.class = &class{tolerations: list, required: r.class.required}
		}
		then.Rows = append(then.Rows, &next)
	}
	then.fill(in, nodes)
	leaving := in.leaving(m, p)
	p.Columns = m.Columns
	for i, r := range m.Rows {
		c := change{row: r}
		changed := false
		var was, is int64
		for j := range r.Cells {
			a := leaving[place{r, j}]
			a.Was, a.Is = r.Cells[j], then.Rows[i].Cells[j]
			changed = changed || a.Now+a.Later > 0 || a.Was.Accept != a.Is.Accept
			was, is, c.leave = was+a.Was.Accept, is+a.Is.Accept, c.leave+a.Now+a.Later
			c.Then = append(c.Then, a)
		}
		next := then.Rows[i]
		next.Pending, next.Evicted, next.Refused = 0, 0, 0
		in.mark(m, next)
		c.Note = next.Note()
		if is < was {
			p.Fewer = append(p.Fewer, fmt.Sprintf("%s (%d → %d)", cut(command.Owner(r.sample)), was, is))
		}
		if changed && len(p.Rows) == maxChanged {
			p.MoreRows++
		} else if changed {
			p.Rows = append(p.Rows, c)
		}
	}
	p.Alone = then.Alone()
	slices.SortStableFunc(p.Rows, func(a, b change) int { return cmp.Compare(b.leave, a.leave) })
	return nil
}

// steps returns the plan, in which selectors are names.
func (p *planned) steps() (whatif.Plan, error) { return whatif.Parse(strings.Join(p.Plan, "\n")) }

// after returns the nodes as they would be, and the lists that the pods of owners would have.
func (in *source) after(steps whatif.Plan) ([]manifest.Node, map[string][]toleration.Toleration, error) {
	daemonSets := make(command.DaemonSets)
	for i := range in.Cluster.Pods {
		daemonSets.Add(&in.Cluster.Pods[i])
	}
	admitted, _ := daemonSets.Admitted(steps)
	lists := make(map[string][]toleration.Toleration)
	of := make([]whatif.Step, 0, len(admitted.Steps)) // for nodes: nobody asks for pods here
	for _, s := range admitted.Steps {
		if s.Verb == whatif.SetTolerations {
			lists[s.Owner] = s.Tolerations
		} else {
			of = append(of, s)
		}
	}
	ix := index.New(in.Rules)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range in.Cluster.Nodes {
			if n := &in.Cluster.Nodes[i]; !yield(n.Name, n.Taints()) {
				return
			}
		}
	})
	r, err := whatif.Evaluate(ix.Snapshot(), whatif.NewPods(in.Rules), whatif.Plan{Steps: of}, whatif.Options{})
	if err != nil {
		return nil, nil, err
	}
	changed := make(map[string][]taint.Taint)
	for name, taints := range r.Nodes() {
		changed[name] = taints
	}
	nodes := slices.Clone(in.Cluster.Nodes)
	for i := range nodes {
		if taints, found := changed[nodes[i].Name]; found {
			nodes[i].SpecTaints, nodes[i].Unschedulable = taints, false // the taints have the cordon
		}
	}
	return nodes, lists, nil
}

// place is a cell of the matrix.
type place struct {
	*row
	column int
}

// leaving counts the pods that the plan evicts from each cell.
func (in *source) leaving(m *matrix, p *planned) map[place]after {
	evicted := make(map[string]float64) // when
	for _, e := range p.Evictions {
		evicted[e.Pod] = e.Seconds
		p.All.leave(1, e.Seconds)
	}
	counts := make(map[place]after)
	for i, r := range in.rowOf[m.ID] {
		pod := &in.Cluster.Pods[i]
		seconds, leaves := evicted[pod.ID()]
		to := m.of[pod.NodeName]
		if r == nil || to == nil || !leaves {
			continue
		}
		at := place{r, to.at}
		a := counts[at]
		a.leave(pod.Count, seconds)
		counts[at] = a
	}
	return counts
}

// Changes are the commands of a stage.
func (p *planned) Changes(stage int) string { return strings.Join(p.Stages[stage].Plan, "\n") }

// Percent returns what part of the evictions of all stages are those of one.
func (p *planned) Percent(n int64) string {
	most := int64(1)
	for _, s := range p.Stages {
		most = max(most, s.Summary.Evicted())
	}
	return strconv.FormatInt(100*n/most, 10)
}

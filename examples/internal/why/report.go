package why

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// report is the answer, and its JSON, in which counts are nodes.
type report struct {
	fleet *placement.Fleet
	Nodes int        `json:"nodes"`
	Pods  []podGroup `json:"pods"`
	limit int        // of groups in text
}

// podGroup is pods about which everything here is the same: see groupPods.
type podGroup struct {
	Names       []string                `json:"names"`
	Tolerations []toleration.Toleration `json:"tolerations"` // see command.Tolerations
	// Excluded nodes, which the attraction does not admit, are not among the others, unless
	// one was asked for.
	Excluded int          `json:"excluded,omitempty"`
	Partly   bool         `json:"affinityUnknown,omitempty"`
	Admitted int          `json:"admitted"`            // nodes whose taints let the pods in
	Reached  int          `json:"goalReached"`         // nodes on which the goal is reached
	Refusals []refusal    `json:"refusals"`            // most nodes first
	More     int          `json:"moreLists,omitempty"` // refusals that are left out
	Accepted []acceptance `json:"accepted,omitempty"`  // if one node was asked for
	Waits    *waiting     `json:"waiting,omitempty"`   // why they wait for a node, if they do
	Runs     []string     `json:"running,omitempty"`   // what becomes of those that have a node

	pods       []*manifest.Pod
	owner      string            // of pods with a controller
	pinned     bool              // pods of a DaemonSet, each for one node
	attraction affinity.Required // see command.Affinity
	where      place             // of the tolerations
	on         map[string]bool   // names of nodes that the pods are on
	exclusion  placement.Exclusion
	unmet      string // what no node has, if none is admitted
}

// acceptance is nodes with the same taints, on which the goal is reached.
type acceptance struct {
	Nodes       []string            `json:"nodes"`
	Explanation explain.Explanation `json:"explanation"`
}

// refusal is nodes with the same taints, on which the goal is not reached.
type refusal struct {
	Nodes       []string            `json:"nodes"`
	Pool        string              `json:"pool,omitempty"` // whose new node it is about
	Explanation explain.Explanation `json:"explanation"`
	// The least to add, the smallest change, and the smallest that takes nothing away.
	Add     explain.Repair `json:"add"`
	Correct explain.Repair `json:"correct"`
	Edit    explain.Repair `json:"edit"`
	Advice  []string       `json:"advice,omitempty"` // about taints that come and go, rather than to tolerate them
	Lacks   string         `json:"lacks,omitempty"`  // why a toleration alone does not help
}

func newReport(p *command.Program, c *manifest.Cluster, o *options) (*report, error) {
	pods, err := choosePods(c, o.pod)
	if err != nil {
		return nil, err
	}
	r := &report{Pods: groupPods(pods), limit: o.Limit}
	if r.fleet, err = placement.New(c.Nodes, o.node, requiredOf(r.Pods)); err != nil {
		return nil, err
	}
	bar := progress.Start(p.Stderr, "explaining", int64(len(r.Pods)))
	defer bar.Stop()
	r.Nodes = r.fleet.Count
	r.explain(newWorld(c), o, bar.Add)
	slices.SortStableFunc(r.Pods, func(a, b podGroup) int { return cmp.Compare(len(b.Names), len(a.Names)) })
	for i := range r.Pods {
		if why := r.Pods[i].Waits; why != nil {
			for j, text := range why.Reasons {
				why.Reasons[j] = why.filled(text)
			}
		}
	}
	return r, nil
}

// explain explains all groups, and puts those together of which the same is said but for the
// amounts that they request.
func (r *report) explain(w *world, o *options, done func(int64)) {
	at := make(map[string]int)
	all := r.Pods
	r.Pods = []podGroup{}
	for i := range all {
		g := &all[i]
		g.explain(r.fleet, w, o)
		done(1)
		key := g.said()
		j, found := at[key]
		if !found || g.Waits == nil {
			at[key] = len(r.Pods)
			r.Pods = append(r.Pods, *g)
			continue
		}
		r.Pods[j].Names = append(r.Pods[j].Names, g.Names...)
		for k := range g.Refusals {
			if to := r.Pods[j].Refusals; g.pinned && k < len(to) {
				to[k].Nodes = append(to[k].Nodes, g.Refusals[k].Nodes...)
			}
		}
		r.Pods[j].Waits.join(&g.Waits.span)
	}
}

// said is what is said of pods that wait, but for amounts.
func (g *podGroup) said() string {
	if g.Waits == nil {
		return ""
	}
	attraction := g.attraction
	if g.pinned {
		attraction.Terms = nil // the node, which is not what is said
	}
	text := fmt.Sprintf("%s %v %s %#v %q %q %d", g.owner, g.where, toleration.FormatList(g.Tolerations), attraction, g.Waits.Reasons, g.Waits.Scheduler, len(g.Waits.least))
	for i := range g.Refusals {
		r := &g.Refusals[i]
		if g.pinned {
			text += r.Explanation.String()
			continue
		}
		text += fmt.Sprintf(" %d %q %s %s", len(r.Nodes), r.Nodes[:min(1, len(r.Nodes))], r.Pool, r.Lacks)
	}
	return text
}

// divide decides about each list of taints. Of a node that was asked for it does so even if it is
// excluded.
func (g *podGroup) divide(f *placement.Fleet, o *options) (accepting, refusing []placement.Group) {
	on := g.on
	if o.goal != explain.ToStay {
		on = nil // a pod that is to be scheduled is on no node yet, even if it is to stay then
	}
	for _, node := range f.Groups {
		if left := f.Without(&g.exclusion, node, &g.attraction, on); !f.One {
			node = left
		}
		if node.Kinds == nil {
			continue
		}
		v := match.Decide(node.Taints, g.Tolerations, o.Rules)
		if v.Scheduling != match.Unschedulable {
			g.Admitted += node.Count
			accepting = append(accepting, node)
		}
		if !reaches(v, o.goal) {
			refusing = append(refusing, node)
			continue
		}
		g.Reached += node.Count
		if f.One { // otherwise there may be very many
			q := query(node.Taints, g.Tolerations, o)
			g.Accepted = append(g.Accepted, acceptance{f.Names(&node), q.Explain()})
		}
	}
	g.Excluded = g.exclusion.Count
	return accepting, refusing
}

// explain decides about each list of taints, and explains those that will be shown: that of
// the node that was asked for, or those that refuse the pods.
func (g *podGroup) explain(f *placement.Fleet, w *world, o *options) {
	accepting, refusing := g.divide(f, o)
	w.running(g, o)
	none := g.Excluded == f.Count
	if none && f.Count > 0 {
		g.unmet = f.Unmet(&g.attraction, w.volumesOf(g.pods[0]))
	}
	if waits(g.pods[0]) {
		refusing = w.waitsFor(g, f, accepting, refusing, o)
	}
	slices.SortStableFunc(refusing, func(a, b placement.Group) int { return cmp.Compare(b.Count, a.Count) })
	if o.Limit > 0 && len(refusing) > o.Limit {
		g.More = len(refusing) - o.Limit
		refusing = refusing[:o.Limit]
	}
	for i := range refusing {
		node := &refusing[i]
		q := query(node.Taints, g.Tolerations, o)
		r := refusal{Nodes: f.Names(node), Explanation: q.Explain()}
		if !none && (g.Waits == nil || o.goal != explain.ToSchedule || g.Waits.taints) {
			if g.Waits != nil {
				if fit, known, short := w.room.Fit(f, refusing[i:i+1], g.Waits.least); known == node.Count && fit == 0 {
					r.Lacks = "a toleration alone does not help: " + lacks(short)
				}
			}
			r.repair(&q, o.goal)
		}
		g.Refusals = append(g.Refusals, r)
	}
	g.Refusals = append(g.Refusals, g.refusingPools(o)...)
}

// repair finds what would help. A taint that comes and goes is waited for, unless the pod is to
// stay beside it, or a pool gives it to all its nodes.
func (r *refusal) repair(q *explain.Query, goal explain.Goal) {
	waits := func(x *taint.Taint) bool {
		return r.Pool == "" && lint.Passes(x.Key) && (goal == explain.ToSchedule && taint.Hard.Has(x.Effect) || goal == explain.ToScheduleAndStay && x.Effect == taint.NoSchedule)
	}
	for i := range r.Explanation.Reasons {
		if reason := &r.Explanation.Reasons[i]; !reason.Tolerated && waits(&reason.Taint) {
			r.Advice = append(r.Advice, reason.Taint.String()+" "+command.Passing(&reason.Taint, r.Nodes))
		}
	}
	q.Taints = slices.DeleteFunc(slices.Clone(q.Taints), func(x taint.Taint) bool { return waits(&x) })
	r.Add, r.Correct, r.Edit = q.Add(goal), q.Correct(goal), q.Edit(goal)
}

func query(taints []taint.Taint, tolerations []toleration.Toleration, o *options) explain.Query {
	return explain.Query{Rules: o.Rules, Taints: taints, Tolerations: tolerations, HideValues: o.hideValues}
}

func reaches(v match.Verdict, goal explain.Goal) bool {
	schedules, stays := v.Scheduling != match.Unschedulable, v.Eviction == match.Stay
	switch goal {
	case explain.ToStay:
		return stays
	case explain.ToScheduleAndStay:
		return schedules && stays
	}
	return schedules
}

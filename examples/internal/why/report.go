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

// report is the answer.
type report struct {
	*placement.Fleet
	pods  []podGroup
	limit int // of groups in text
}

// podGroup is pods about which everything here is the same: see groupPods.
type podGroup struct {
	names       []string
	pods        []*manifest.Pod
	first       *manifest.Pod
	owner       string                  // of pods with a controller
	tolerations []toleration.Toleration // see command.Tolerations
	attraction  affinity.Required       // see command.Affinity
	partly      bool                    // the required node affinity is unknown
	where       place                   // of the tolerations
	on          map[string]bool         // names of nodes that the pods are on
	runs        []string                // what becomes of those that have a node
	excluded    placement.Exclusion     // nodes that the attraction does not admit
	unmet       string                  // what no node has, if it admits none
	admitted    int                     // other nodes whose taints let the pods in
	reached     int                     // other nodes on which the goal is reached
	refusals    []refusal               // most nodes first
	more        int                     // refusals that are left out
	accepted    []acceptance            // if one node was asked for
	waits       *waiting                // why they wait for a node, if they do
}

// acceptance is nodes with the same taints, on which the goal is reached.
type acceptance struct {
	nodes       []string
	explanation explain.Explanation
}

// refusal is nodes with the same taints, on which the goal is not reached.
type refusal struct {
	nodes       []string
	pool        string // if it is a new node of a pool
	explanation explain.Explanation
	advice      []string // what to do about taints that come and go
	lacks       string   // why a toleration alone does not help
	helps       bool     // a toleration does
	// The least to add, the smallest change, and the smallest that takes nothing away.
	add, correct, edit explain.Repair
}

func newReport(p *command.Program, c *manifest.Cluster, o *options) (*report, error) {
	pods, err := choosePods(c, o.pod)
	if err != nil {
		return nil, err
	}
	r := &report{pods: groupPods(pods), limit: o.Limit}
	if r.Fleet, err = placement.New(c.Nodes, o.node, requiredOf(r.pods)); err != nil {
		return nil, err
	}
	bar := progress.Start(p.Stderr, "explaining", int64(len(r.pods)))
	defer bar.Stop()
	r.explain(newWorld(c), o, bar.Add)
	for i := range r.pods {
		if why := r.pods[i].waits; why != nil {
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
	all := r.pods
	r.pods = nil
	for i := range all {
		g := &all[i]
		g.explain(r.Fleet, w, o)
		done(1)
		key := g.said()
		j, found := at[key]
		if !found || g.waits == nil {
			at[key] = len(r.pods)
			r.pods = append(r.pods, *g)
			continue
		}
		r.pods[j].names = append(r.pods[j].names, g.names...)
		r.pods[j].waits.join(&g.waits.span)
	}
}

// said is what is said of pods that wait, but for amounts.
func (g *podGroup) said() string {
	if g.waits == nil {
		return ""
	}
	text := fmt.Sprint(g.owner, g.where, toleration.FormatList(g.tolerations), g.excluded, g.admitted, g.waits.Reasons, g.waits.Scheduler, len(g.waits.least))
	for i := range g.refusals {
		text += fmt.Sprint(g.refusals[i].nodes, g.refusals[i].pool, g.refusals[i].lacks)
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
		if left := f.Without(&g.excluded, node, &g.attraction, on); !f.One {
			node = left
		}
		if node.Kinds == nil {
			continue
		}
		v := match.Decide(node.Taints, g.tolerations, o.Rules)
		if v.Scheduling != match.Unschedulable {
			g.admitted += node.Count
			accepting = append(accepting, node)
		}
		if !reaches(v, o.goal) {
			refusing = append(refusing, node)
			continue
		}
		g.reached += node.Count
		if f.One { // otherwise there may be very many
			q := query(node.Taints, g.tolerations, o)
			g.accepted = append(g.accepted, acceptance{f.Names(&node), q.Explain()})
		}
	}
	return accepting, refusing
}

// explain decides about each list of taints, and explains those that will be shown: that of
// the node that was asked for, or those that refuse the pods.
func (g *podGroup) explain(f *placement.Fleet, w *world, o *options) {
	accepting, refusing := g.divide(f, o)
	w.running(g, o)
	none := g.excluded.Count == f.Count
	if none && f.Count > 0 {
		g.unmet = f.Unmet(&g.attraction, w.volumesOf(g.first))
	}
	if waits(g.first) {
		refusing = w.waitsFor(g, f, accepting, refusing, o)
	}
	slices.SortStableFunc(refusing, func(a, b placement.Group) int { return cmp.Compare(b.Count, a.Count) })
	if o.Limit > 0 && len(refusing) > o.Limit {
		g.more = len(refusing) - o.Limit
		refusing = refusing[:o.Limit]
	}
	for i := range refusing {
		node := &refusing[i]
		q := query(node.Taints, g.tolerations, o)
		r := refusal{nodes: f.Names(node), explanation: q.Explain()}
		if !none && (g.waits == nil || o.goal != explain.ToSchedule || g.waits.taints) {
			if g.waits != nil {
				if fit, known, short := w.room.Fit(f, refusing[i:i+1], g.waits.least); known == node.Count && fit == 0 {
					r.lacks = "a toleration alone does not help: " + lacks(short)
				}
			}
			r.repair(&q, o.goal)
		}
		g.refusals = append(g.refusals, r)
	}
	g.refusals = append(g.refusals, g.refusingPools(o)...)
}

// repair finds what would help. A taint that comes and goes is waited for, unless the pod is to
// stay beside it.
func (r *refusal) repair(q *explain.Query, goal explain.Goal) {
	waits := func(x *taint.Taint) bool {
		return lint.Passes(x.Key) && (goal == explain.ToSchedule && taint.Hard.Has(x.Effect) || goal == explain.ToScheduleAndStay && x.Effect == taint.NoSchedule)
	}
	for i := range r.explanation.Reasons {
		if reason := &r.explanation.Reasons[i]; !reason.Tolerated && waits(&reason.Taint) {
			r.advice = append(r.advice, reason.Taint.String()+" "+command.Passing(&reason.Taint, r.nodes))
		}
	}
	q.Taints = slices.DeleteFunc(slices.Clone(q.Taints), func(x taint.Taint) bool { return waits(&x) })
	r.add, r.correct, r.edit = q.Add(goal), q.Correct(goal), q.Edit(goal)
	r.helps = !r.add.Empty()
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

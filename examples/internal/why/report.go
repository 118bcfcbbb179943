package why

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// report is the answer.
type report struct {
	*placement.Fleet
	pods []podGroup
}

// podGroup is pods about which everything here is the same: see groupPods.
type podGroup struct {
	names       []string
	tolerations []toleration.Toleration // see command.Tolerations
	attraction  affinity.Required       // see command.Affinity
	partly      bool                    // the required node affinity is unknown
	where       place                   // of the tolerations
	on          map[string]bool         // names of nodes that the pods are on
	excluded    placement.Exclusion     // nodes that the attraction does not admit
	admitted    int                     // other nodes whose taints let the pods in
	reached     int                     // other nodes on which the goal is reached
	refusals    []refusal               // most nodes first
	more        int                     // refusals that are left out
	accepted    []acceptance            // if one node was asked for
	pending     *manifest.Pod           // the first of them if they are pods that wait for a node
	waits       *waiting                // why they do, if they are and all nodes are looked at
}

// acceptance is nodes with the same taints, on which the goal is reached.
type acceptance struct {
	nodes       []string
	explanation explain.Explanation
}

// refusal is nodes with the same taints, on which the goal is not reached.
type refusal struct {
	nodes       []string
	explanation explain.Explanation
	// The least to add, the smallest change, and the smallest that takes nothing away.
	add, correct, edit explain.Repair
}

func newReport(p *command.Program, c *manifest.Cluster, o *options) (*report, error) {
	pods, err := choosePods(c, o.pod)
	if err != nil {
		return nil, err
	}
	w := newWorld(c)
	r := &report{pods: groupPods(pods)}
	if r.Fleet, err = placement.New(c.Nodes, o.node, requiredOf(r.pods)); err != nil {
		return nil, err
	}
	bar := progress.Start(p.Stderr, "explaining", int64(len(r.pods)))
	defer bar.Stop()
	for i := range r.pods {
		r.pods[i].explain(r.Fleet, w, o)
		bar.Add(1)
	}
	return r, nil
}

// explain decides about each list of taints, and explains those that will be shown: that of
// the node that was asked for, or those that refuse the pods. A node that was asked for is
// explained even if it is excluded.
func (g *podGroup) explain(f *placement.Fleet, w *world, o *options) {
	on := g.on
	if o.goal != explain.ToStay {
		on = nil // a pod that is to be scheduled is on no node yet, even if it is to stay then
	}
	var refusing, accepting []placement.Group
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
		if reaches(v, o.goal) {
			g.reached += node.Count
			if f.One { // otherwise there may be very many
				q := query(node.Taints, g.tolerations, o)
				g.accepted = append(g.accepted, acceptance{f.Names(&node), q.Explain()})
			}
		} else {
			refusing = append(refusing, node)
		}
	}
	if g.pending != nil && !f.One {
		g.waits = w.waitsFor(g.pending, f, g.excluded.Count, accepting)
		if o.hideValues { // the scheduler's message has values of taints
			g.waits.Scheduler, _, _ = strings.Cut(g.waits.Scheduler, ":")
		}
		refusing = w.beyond(g, f, accepting, refusing)
		if g.waits.Kind != byTaints && o.goal == explain.ToSchedule {
			refusing = nil // taints do not explain it, so that no toleration helps
		}
	}
	slices.SortStableFunc(refusing, func(a, b placement.Group) int { return cmp.Compare(b.Count, a.Count) })
	if o.Limit > 0 && len(refusing) > o.Limit {
		g.more = len(refusing) - o.Limit
		refusing = refusing[:o.Limit]
	}
	for _, node := range refusing {
		q := query(node.Taints, g.tolerations, o)
		g.refusals = append(g.refusals, refusal{f.Names(&node), q.Explain(), q.Add(o.goal), q.Correct(o.goal), q.Edit(o.goal)})
	}
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

// passing returns the untolerated taints that Kubernetes itself puts on nodes and
// takes off again, with what it takes them for.
func (r *refusal) passing() (taints []taint.Taint, classes []dialect.Class) {
	p := dialect.Kubernetes()
	for i := range r.explanation.Reasons {
		reason := &r.explanation.Reasons[i]
		if class := p.Class(&reason.Taint); !reason.Tolerated && class != dialect.Permanent {
			taints, classes = append(taints, reason.Taint), append(classes, class)
		}
	}
	return taints, classes
}

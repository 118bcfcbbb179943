package why

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
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
	*fleet
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
	excluded    exclusion               // nodes that the attraction does not admit
	admitted    int                     // other nodes whose taints let the pods in
	reached     int                     // other nodes on which the goal is reached
	refusals    []refusal               // most nodes first
	more        int                     // refusals that are left out
	accepted    []acceptance            // if one node was asked for
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
	r := &report{pods: groupPods(pods)}
	if r.fleet, err = groupNodes(c.Nodes, o.node, r.pods); err != nil {
		return nil, err
	}
	bar := progress.Start(p.Stderr, "explaining", int64(len(r.pods)))
	defer bar.Stop()
	for i := range r.pods {
		r.pods[i].explain(r.fleet, o)
		bar.Add(1)
	}
	return r, nil
}

// explain decides about each list of taints, and explains those that will be shown: that of
// the node that was asked for, or those that refuse the pods. A node that was asked for is
// explained even if it is excluded.
func (g *podGroup) explain(f *fleet, o *options) {
	on := g.on
	if o.goal != explain.ToStay {
		on = nil // a pod that is to be scheduled is on no node yet, even if it is to stay then
	}
	var refusing []nodeGroup
	for _, node := range f.groups {
		if left := f.without(&g.excluded, node, &g.attraction, on); !f.one {
			node = left
		}
		if node.kinds == nil {
			continue
		}
		v := match.Decide(node.taints, g.tolerations, o.Rules)
		if v.Scheduling != match.Unschedulable {
			g.admitted += node.count
		}
		if reaches(v, o.goal) {
			g.reached += node.count
			if f.one { // otherwise there may be very many
				q := query(node.taints, g.tolerations, o)
				g.accepted = append(g.accepted, acceptance{f.names(&node), q.Explain()})
			}
		} else {
			refusing = append(refusing, node)
		}
	}
	slices.SortStableFunc(refusing, func(a, b nodeGroup) int { return cmp.Compare(b.count, a.count) })
	if o.Limit > 0 && len(refusing) > o.Limit {
		g.more = len(refusing) - o.Limit
		refusing = refusing[:o.Limit]
	}
	for _, node := range refusing {
		q := query(node.taints, g.tolerations, o)
		g.refusals = append(g.refusals, refusal{f.names(&node), q.Explain(), q.Add(o.goal), q.Correct(o.goal), q.Edit(o.goal)})
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
